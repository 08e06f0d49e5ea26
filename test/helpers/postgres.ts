import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Database } from "../../server/store/database.js";
import { openPostgres } from "../../server/store/postgres.js";
import { freePort } from "./free-port.js";
import { until } from "./until.js";

const debianFolder = "/usr/lib/postgresql";

/** Where the server's programs are: Debian keeps them apart by version, others in the path. */
function findPrograms(): string | undefined {
  const versions = existsSync(debianFolder)
    ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [...versions.map((version) => join(debianFolder, version, "bin")), ...pathFolders()];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

function pathFolders(): string[] {
  return (process.env["PATH"] ?? "").split(":").filter((folder) => folder !== "");
}

const given = process.env["TONWIRE_TEST_DATABASE_URL"];

/** A server that was given is not stopped, so tests that would stop theirs are skipped. */
export const mayStopPostgres = given === undefined;

/** Whether tests can have a PostgreSQL server; says once what to install when they cannot. */
export function havePostgres(): boolean {
  const found = given !== undefined || findPrograms() !== undefined;
  if (!found)
    console.warn("Tests on PostgreSQL are skipped: install postgresql or set TONWIRE_TEST_DATABASE_URL.");
  return found;
}

/** The server refuses to run as root, so root lends it this user. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A database of a server that is there, however long it takes to answer. */
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

  private constructor(folder: string | undefined, port: number, base: string) {
    this.#folder = folder;
    this.#port = port;
    this.#base = base;
  }

  static async start(): Promise<TestPostgres> {
    if (given !== undefined) return new TestPostgres(undefined, 0, given);
    const folder = mkdtempSync(join(tmpdir(), "tonwire-postgres-"));
    const user = unprivileged();
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
    chmodSync(folder, 0o700);
    const options = ["-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"];
    execFileSync(join(findPrograms()!, "initdb"), ["-D", folder, ...options], {
      ...user,
      cwd: folder,
      stdio: "ignore",
    });
    const port = await freePort();
    const server = new TestPostgres(folder, port, `postgres://postgres@127.0.0.1:${port}/postgres`);
    await server.run();
    return server;
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

  /** Starts the server again as a standby, which follows nobody. */
  async demote(): Promise<void> {
    await this.halt();
    writeFileSync(join(this.#folder!, "standby.signal"), "");
    await this.run();
  }

  /** The server refuses new work and drops all connections. */
  halt(): Promise<void> {
    return this.#end("SIGINT");
  }

  /** The server is gone at once, in the middle of whatever it was doing. */
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
  async database(): Promise<string> {
    const name = `tonwire_test_${randomUUID().replaceAll("-", "")}`;
    await this.#ask(`create database ${name}`);
    const url = new URL(this.#base);
    url.pathname = `/${name}`;
    return url.href;
  }

  async stop(): Promise<void> {
    await this.halt();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #ask(text: string): Promise<void> {
    const client = new pg.Client(this.#base);
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end();
    }
  }

  #answers(): Promise<boolean> {
    return this.#ask("select 1").then(
      () => true,
      () => false,
    );
  }
}
