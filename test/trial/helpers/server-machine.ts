import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../helpers/free-port.js";
import { canChangeUser } from "../../helpers/other-users.js";
import { TonwireProcess } from "../../helpers/services/command.js";
import { until } from "../../helpers/until.js";
import { dependenciesOf, installPackage, linkPackage } from "./packages.js";

const execute = promisify(execFile);
/** A user without rights whom every system has by name, as `runuser` wants it. */
const userName = "nobody";
const isRoot = canChangeUser && spawnSync("runuser", ["-u", userName, "--", "true"]).status === 0;

/** A process of the service with its ports, which are the same after a restart. */
export type Role = { readonly name: string; readonly args: readonly string[]; readonly adminPort: number };

/** A running process of the service. */
export class Running {
  readonly process: TonwireProcess;
  readonly #adminUrl: string;

  constructor(process: TonwireProcess, adminPort: number) {
    this.process = process;
    this.#adminUrl = `http://127.0.0.1:${adminPort}`;
  }

  /** Waits for a sentence in the log. */
  said(text: string): Promise<true> {
    const seen = () => `"${text}" in the log:\n${this.process.stderr}`;
    return until(seen, () => this.process.stderr.includes(text) || undefined);
  }

  /** Waits until `/healthcheck?only=all` of the admin port answers with this text. */
  async becomesHealthy(expected = "OK"): Promise<void> {
    let text = "";
    await until(
      () => `health ${expected}, not ${text}, of:\n${this.process.stdout}${this.process.stderr}`,
      async () => {
        text = await fetch(`${this.#adminUrl}/healthcheck?only=all`).then(
          (answer) => answer.text(),
          (error) => String(error),
        );
        return text === expected;
      },
    );
  }

  async kill(): Promise<void> {
    this.process.send("SIGKILL");
    await this.process.ended;
  }

  /** Asks it to stop, as systemd does; resolves with the exit code. */
  stop(): Promise<number | NodeJS.Signals> {
    this.process.send("SIGTERM");
    return this.process.ended;
  }
}

/** A folder with the packed service installed; its processes run as a separate user if root runs the tests. */
export class ServerMachine {
  readonly #folder: string;
  #main: string;
  readonly #user: { uid: number; gid: number } | undefined;
  readonly #started: TonwireProcess[] = [];

  private constructor(folder: string, main: string) {
    this.#folder = folder;
    this.#main = main;
    const id = (flag: string) => Number(execFileSync("id", [flag, userName], { encoding: "utf8" }));
    this.#user = isRoot ? { uid: id("-u"), gid: id("-g") } : undefined;
  }

  static async install(): Promise<ServerMachine> {
    const folder = mkdtempSync(join(tmpdir(), "tonwire-operator-"));
    chmodSync(folder, 0o755);
    const installed = join(folder, "node_modules");
    const server = await installPackage("tonwire-server", installed, folder);
    for (const name of dependenciesOf("tonwire-server")) linkPackage(name, installed);
    return new ServerMachine(folder, mainOf(server));
  }

  /** Later commands and processes use a package with another version and one more migration. */
  upgrade(version: string, migration: { name: string; script: string }): void {
    const next = join(this.#folder, "node_modules", `tonwire-server-${version}`);
    cpSync(join(this.#folder, "node_modules", "tonwire-server"), next, { recursive: true });
    const manifest = join(next, "package.json");
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, "utf8")), version }));
    writeFileSync(join(next, "dist/server/store/schema", migration.name), migration.script);
    this.#main = mainOf(next);
  }

  /** The program that is run at present. */
  get main(): string {
    return this.#main;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  /** A folder that belongs to the user of the service. */
  serviceFolder(name: string): string {
    const folder = this.path(name);
    mkdirSync(folder, { mode: 0o700, recursive: true });
    if (this.#user) chownSync(folder, this.#user.uid, this.#user.gid);
    return folder;
  }

  /** A role with free ports. `args` are the arguments of its command. */
  async role(name: string, ...args: string[]): Promise<Role> {
    const adminPort = await freePort();
    return { name, adminPort, args: [...args, "--admin-port", `${adminPort}`] };
  }

  /** Starts a process as the user of the service. */
  start({ name, args, adminPort }: Role, env: Record<string, string>, main = this.#main): Running {
    const data = ["--data", this.serviceFolder(name)];
    const process = new TonwireProcess([...args, ...data], {
      env,
      user: this.#user?.uid,
      program: [main],
      outlivesTest: true,
    });
    this.#started.push(process);
    return new Running(process, adminPort);
  }

  /** The output of a command run by the user of the tests. */
  async asOperator(...args: string[]): Promise<string> {
    const { stdout } = await execute(process.execPath, [this.#main, ...args], { cwd: this.#folder });
    return stdout.trim();
  }

  /** The output of a command run as the service's user. */
  async asService(...args: string[]): Promise<string> {
    if (!isRoot) return this.asOperator(...args);
    const command = ["-u", userName, "--", process.execPath, this.#main, ...args];
    const { stdout } = await execute("runuser", command, { cwd: this.#folder });
    return stdout.trim();
  }

  async close(): Promise<void> {
    for (const process of this.#started) process.send("SIGKILL");
    await Promise.all(this.#started.map(({ ended }) => ended));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function mainOf(folder: string): string {
  return join(folder, "dist/server/main.js");
}
