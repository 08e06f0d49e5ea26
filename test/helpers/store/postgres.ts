import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { openPostgres } from "../../../server/store/wire/postgres.js";
import { freePort } from "../free-port.js";
import { freeze, thaw } from "../frozen.js";
import { folderInRun, oncePerRun, sharedServer } from "../once-per-run.js";
import { until } from "../until.js";
import { askOnce } from "./ask-once.js";
import type { Content } from "./databases.js";
import { createDatabase, databaseName, dropDatabase, dropLeftOnce } from "./test-databases.js";

const debianFolder = "/usr/lib/postgresql";

/** Folder of the server's programs: Debian keeps them apart by version, others in the path. */
export function findPrograms(): string | undefined {
  const versions = existsSync(debianFolder)
    ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [...versions.map((version) => join(debianFolder, version, "bin")), ...pathFolders()];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/** The path of one of the server's programs, `pg_dump` for example. */
export function postgresProgram(name: string): string {
  return join(findPrograms()!, name);
}

function pathFolders(): string[] {
  return (process.env["PATH"] ?? "").split(":").filter((folder) => folder !== "");
}

const given = process.env["TONWIRE_TEST_DATABASE_URL"];

/** A server that was given is not stopped, so tests that would stop theirs are skipped. */
export const mayStopPostgres = given === undefined;

/** Whether tests can have a PostgreSQL server; otherwise logs once what to install. */
export function havePostgres(): boolean {
  const found = given !== undefined || findPrograms() !== undefined;
  if (!found)
    console.warn("Tests on PostgreSQL are skipped: install postgresql or set TONWIRE_TEST_DATABASE_URL.");
  return found;
}

let lent: { uid?: number; gid?: number } | undefined;

/** The server refuses to run as root, so root lends it this user. Asked once: a large process takes long to start another one. */
export function unprivileged(): { uid?: number; gid?: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  lent ??= process.getuid?.() === 0 ? { uid: id("-u"), gid: id("-g") } : {};
  return lent;
}

/** Options of a program that runs in a folder as that user, whose home the folder is: the home of another one cannot be read. */
export function asUserIn(folder: string) {
  return { ...unprivileged(), cwd: folder, env: { ...process.env, HOME: folder } };
}

/** Makes a folder that the server's user owns of one that is empty. */
export function lend(folder: string): void {
  const { uid, gid } = unprivileged();
  if (uid !== undefined) chownSync(folder, uid, gid!);
  chmodSync(folder, 0o700);
}

function initialise(folder: string): void {
  const options = ["-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"];
  runAsUser(join(findPrograms()!, "initdb"), ["-D", folder, ...options], folder);
  // Files share the server, and an index is filled on a dozen connections. A standby must allow as many: it copies this file.
  appendFileSync(join(folder, "postgresql.conf"), "max_connections = 400\n");
}

export function runAsUser(program: string, options: readonly string[], folder: string): void {
  execFileSync(program, options, { ...asUserIn(folder), stdio: "ignore" });
}

const schemaTemplate = "tonwire_template";

/** A database of a server that runs, with unlimited patience for its answer. */
export function openPatiently(url: string): Database {
  return openPostgres(url, { connectTimeoutMs: 120_000 });
}

/** Databases on a server, each with a name that no other one has. */
export class TestDatabases {
  protected readonly base: string;
  /** Whether the server has a database with the schema to make others of. */
  readonly #hasTemplate: boolean;
  readonly #made: string[] = [];

  constructor(base: string, hasTemplate: boolean) {
    this.base = base;
    this.#hasTemplate = hasTemplate;
  }

  /** URL of a new, empty database. */
  database(): Promise<string> {
    return this.#make();
  }

  /** URL of a new database with the schema, and with this content in it. */
  async databaseWithSchema(content?: Content): Promise<string> {
    if (!this.#hasTemplate) return fillDatabase(await this.database(), content);
    return this.#make(await this.#template(content));
  }

  /** Removes a database, and ends the connections to it. */
  async drop(url: string): Promise<void> {
    await dropDatabase(this.base, new URL(url).pathname.slice(1));
  }

  /** Removes all databases that this object has made. */
  async dropAll(): Promise<void> {
    for (const url of this.#made.splice(0)) await this.drop(url);
  }

  /** The database that those with this content are copies of. */
  async #template(content: Content | undefined): Promise<string> {
    if (content === undefined) return schemaTemplate;
    const name = `${schemaTemplate}_${content.name.replaceAll("-", "_")}`;
    await oncePerRun(`postgres-${new URL(this.base).port}-${content.name}`, async () => {
      await fillDatabase(await createDatabase(this.base, name, schemaTemplate), content);
    });
    return name;
  }

  async #make(template?: string): Promise<string> {
    const url = await createDatabase(this.base, databaseName(), template);
    this.#made.push(url);
    return url;
  }
}

/**
 * A PostgreSQL server for tests that stop it or change what all of its databases have: the one TONWIRE_TEST_DATABASE_URL names, or one
 * started from this machine's programs, in a folder that is removed afterwards.
 */
export class TestPostgres extends TestDatabases {
  readonly #folder: string | undefined;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string | undefined, port: number, base: string, hasTemplate: boolean) {
    super(base, hasTemplate);
    this.#folder = folder;
    this.#port = port;
  }

  static async start(): Promise<TestPostgres> {
    if (given !== undefined) {
      await dropLeftOnce("given", [given]);
      return new TestPostgres(undefined, 0, given, false);
    }
    const folder = folderInRun("tonwire-postgres-");
    const prepared = await TestPostgres.#prepared();
    lend(folder);
    if (prepared === undefined) initialise(folder);
    else runAsUser("cp", ["-a", `${prepared}/.`, folder], folder);
    return TestPostgres.#in(folder, prepared !== undefined);
  }

  /** The databases of the server that all files of a run share. It ends with the run. */
  static async shared(): Promise<TestDatabases> {
    if (given !== undefined) return TestPostgres.start();
    const folder = await oncePerRun(sharedServer, async (place) => {
      const server = await TestPostgres.start();
      const running = server.#process!;
      writeFileSync(join(place, "url"), server.base);
      writeFileSync(join(place, "pid"), String(running.pid));
      running.unref();
    });
    return new TestDatabases(readFileSync(join(folder!, "url"), "utf8"), true);
  }

  static async #in(folder: string, hasTemplate: boolean): Promise<TestPostgres> {
    const port = await freePort();
    const base = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const server = new TestPostgres(folder, port, base, hasTemplate);
    await server.run();
    return server;
  }

  /** The folder that the servers of a run are copies of. */
  static #prepared(): Promise<string | undefined> {
    return oncePerRun("postgres", async (folder) => {
      lend(folder);
      initialise(folder);
      const server = await TestPostgres.#in(folder, false);
      await fillDatabase(await createDatabase(server.base, schemaTemplate), undefined);
      await server.halt();
    });
  }

  /** Starts the server, again after `crash` or `halt`. */
  async run(): Promise<void> {
    const settings = {
      port: this.#port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      fsync: "off",
      // Nothing happens in a database but what its test does.
      autovacuum: "off",
      // Its folder may lie in memory.
      max_wal_size: "128MB",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const program = join(findPrograms()!, "postgres");
    this.#process = spawn(program, ["-D", this.#folder!, ...flags], {
      ...asUserIn(this.#folder!),
      stdio: "ignore",
    });
    await until("postgres", () => this.#answers());
  }

  /** Restarts the server as a standby without a primary. */
  async demote(): Promise<void> {
    await this.halt();
    writeFileSync(join(this.#folder!, "standby.signal"), "");
    await this.run();
  }

  /** From here on a user needs a password, which SCRAM proves; all others need none. */
  async askForPassword(user: string): Promise<void> {
    const path = join(this.#folder!, "pg_hba.conf");
    writeFileSync(path, `host all ${user} 127.0.0.1/32 scram-sha-256\n${readFileSync(path, "utf8")}`);
    await askOnce(this.base, "select pg_reload_conf()");
    const withoutPassword = new URL(this.base);
    withoutPassword.username = user;
    await until("the password to be asked for", async () => !(await this.#answers(withoutPassword.href)));
  }

  /** The server refuses new work and drops all connections. */
  halt(): Promise<void> {
    return this.#end("SIGINT");
  }

  /** Ends the server immediately, in the middle of its work. */
  crash(): Promise<void> {
    return this.#end("SIGQUIT");
  }

  /** The server and its sessions stand still. */
  freeze(): void {
    freeze(this.#process!);
  }

  thaw(): void {
    if (this.#process) thaw(this.#process);
  }

  async #end(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.halt();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #answers(url = this.base): Promise<boolean> {
    return askOnce(url, "select 1").then(
      () => true,
      () => false,
    );
  }
}

/** Adds the schema, and content in it. */
async function fillDatabase(url: string, content: Content | undefined): Promise<string> {
  const database = openPatiently(url);
  await migrate(database.sql());
  await content?.fill(database);
  await database.close();
  return url;
}
