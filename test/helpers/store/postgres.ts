import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate.js";
import { openPostgres } from "../../../server/store/wire/postgres.js";
import { freePort } from "../free-port.js";
import { folderInRun, oncePerRun } from "../once-per-run.js";
import { until } from "../until.js";
import type { Content } from "./databases.js";

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

/** Makes a folder that the server's user owns of one that is empty. */
export function lend(folder: string): void {
  const { uid, gid } = unprivileged();
  if (uid !== undefined) chownSync(folder, uid, gid!);
  chmodSync(folder, 0o700);
}

function initialise(folder: string): void {
  const options = ["-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"];
  runAsUser(join(findPrograms()!, "initdb"), ["-D", folder, ...options], folder);
}

/** Copies the folder of a stopped server into an empty folder. */
function copyServer(from: string, folder: string): void {
  lend(folder);
  runAsUser("cp", ["-a", `${from}/.`, folder], folder);
}

export function runAsUser(program: string, options: readonly string[], cwd: string): void {
  execFileSync(program, options, { ...unprivileged(), cwd, stdio: "ignore" });
}

const template = "tonwire_template";

function newName(): string {
  return `tonwire_test_${randomUUID().replaceAll("-", "")}`;
}

async function addSchema(url: string): Promise<void> {
  const database = openPatiently(url);
  await migrate(database.sql());
  await database.close();
}

async function fillDatabase(url: string, { fill }: Content): Promise<void> {
  const database = openPatiently(url);
  await fill(database);
  await database.close();
}

/** A database of a server that runs, with unlimited patience for its answer. */
export function openPatiently(url: string): Database {
  return openPostgres(url, { connectTimeoutMs: 120_000 });
}

/**
 * A PostgreSQL server: the one TONWIRE_TEST_DATABASE_URL names, or one started from this machine's programs, in a
 * folder that is removed afterwards.
 */
export class TestPostgres {
  readonly #folder: string | undefined;
  readonly #port: number;
  #process: ChildProcess | undefined;
  readonly #base: string;
  readonly #content: Content | undefined;
  /** Whether it has a database to make others of. */
  #hasTemplate = false;

  private constructor(folder: string | undefined, port: number, base: string, content: Content | undefined) {
    this.#folder = folder;
    this.#content = content;
    this.#port = port;
    this.#base = base;
  }

  /** `content` is in its databases that have the schema. */
  static async start(content?: Content): Promise<TestPostgres> {
    if (given !== undefined) return new TestPostgres(undefined, 0, given, content);
    const folder = folderInRun("tonwire-postgres-");
    const prepared = await (content ? TestPostgres.#filled(content) : TestPostgres.#empty());
    if (prepared !== undefined) copyServer(prepared, folder);
    else {
      lend(folder);
      initialise(folder);
    }
    const server = await TestPostgres.#in(folder, content);
    server.#hasTemplate = prepared !== undefined;
    return server;
  }

  static async #in(folder: string, content?: Content): Promise<TestPostgres> {
    const port = await freePort();
    const base = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const server = new TestPostgres(folder, port, base, content);
    await server.run();
    return server;
  }

  /** The folder that the servers of a run are copies of. */
  static #empty(): Promise<string | undefined> {
    return oncePerRun("postgres", async (folder) => {
      lend(folder);
      initialise(folder);
      const server = await TestPostgres.#in(folder);
      await addSchema(await server.#create(template));
      await server.halt();
    });
  }

  /** A database with content in addition to the schema. */
  static #filled(content: Content): Promise<string | undefined> {
    return oncePerRun(`postgres-${content.name}`, async (folder) => {
      copyServer((await TestPostgres.#empty())!, folder);
      const server = await TestPostgres.#in(folder);
      await fillDatabase(server.#urlOf(template), content);
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
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const program = join(findPrograms()!, "postgres");
    this.#process = spawn(program, ["-D", this.#folder!, ...flags], {
      ...unprivileged(),
      cwd: this.#folder!,
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
    await this.#ask("select pg_reload_conf()");
    const withoutPassword = new URL(this.#base);
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

  async #end(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
  }

  /** URL of a new, empty database. */
  database(): Promise<string> {
    return this.#create(newName());
  }

  /** URL of a new database with the schema, and with the server's content in it. */
  async databaseWithSchema(): Promise<string> {
    if (this.#hasTemplate) return this.#create(`${newName()} template ${template}`);
    const url = await this.database();
    await addSchema(url);
    if (this.#content) await fillDatabase(url, this.#content);
    return url;
  }

  async #create(nameAndOptions: string): Promise<string> {
    await this.#ask(`create database ${nameAndOptions}`);
    return this.#urlOf(nameAndOptions.split(" ")[0]!);
  }

  #urlOf(name: string): string {
    const url = new URL(this.#base);
    url.pathname = `/${name}`;
    return url.href;
  }

  async stop(): Promise<void> {
    await this.halt();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #ask(text: string, url = this.#base): Promise<void> {
    const client = new pg.Client(url);
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end();
    }
  }

  #answers(url?: string): Promise<boolean> {
    return this.#ask("select 1", url).then(
      () => true,
      () => false,
    );
  }
}
