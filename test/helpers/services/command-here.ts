import { onTestFinished } from "vitest";
import { type Context, run } from "../../../server/cli/run.js";
import type { TcpTable } from "../../../server/os/tcp-table.js";
import * as parts from "../../../server/process/command-parts.js";
import type { Environment } from "../../../server/process/environment.js";
import { serveDebugger } from "../../../server/process/jobs/serve-debugger.js";
import { until } from "../until.js";

type Options = {
  env?: Readonly<Record<string, string>>;
  environment?: Environment;
  /** Default: the kernel's. */
  tcpTable?: TcpTable;
};

/** Longer than any answer of Redis takes on a busy machine. */
const patient: Environment = { redisTimeoutMs: 60_000 };

/**
 * A command of `tonwire` with its whole program, in this process: a tenth of the time of one of its own. What it logs is its standard error.
 * Tests of programs, of signals and of sudden ends have `TonwireProcess`.
 */
export class CommandHere {
  stdout = "";
  stderr = "";
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  #stop: (signal: NodeJS.Signals) => void = () => {};
  #reload: (() => void) | undefined;

  constructor(args: readonly string[], { env = {}, environment = {}, tcpTable }: Options = {}) {
    const stopped = new Promise<NodeJS.Signals>((resolve) => {
      this.#stop = resolve;
    });
    const write = (text: string) => {
      this.stdout += text;
    };
    const writeError = (text: string) => {
      this.stderr += text;
    };
    const world = { logTo: { write: writeError }, ...patient, ...environment };
    const context: Context = {
      env: { TONWIRE_CACHE: "off", ...env },
      version: "0.0.0",
      print: (line) => write(`${line}\n`),
      printError: (line) => writeError(`${line}\n`),
      now: () => new Date(),
      createService: async (config) => parts.createService(config, world),
      createApi: async (config) => parts.createService(config, world, "read"),
      createIndexer: async (config) => parts.createIndexer(config, world),
      createBackfill: async (config, plan) => parts.createBackfill(config, plan, world),
      createBootstrap: async (config, plan) => parts.createBootstrap(config, plan, world),
      createRedetection: async (config) => parts.createRedetection(config, world),
      createTokenReindex: async (config) => parts.createTokenReindex(config, world),
      createReclassification: async (config, plan) => parts.createReclassification(config, plan, world),
      createDayExport: async (config, plan) => parts.createDayExport(config, plan, world),
      createExport: async (config, folder) => parts.createExport(config, folder, world),
      createImport: async (config, plan) => parts.createImport(config, plan, world),
      openDatabaseKeys: async (config) => parts.openDatabaseKeys(config),
      openUsage: async (config) => parts.openUsage(config),
      migrateIndex: async (config, plan) => parts.migrateIndex(config, plan),
      emptyIndex: async (config) => parts.emptyStoredIndex(config),
      readArtifacts: async (config) => parts.readArtifacts(config),
      writeTypes: async (files) => parts.writeTypes(files),
      recompile: async (folder, codeHashes) => parts.recompileProject(folder, codeHashes),
      serveDebugger: async (plan) =>
        serveDebugger(plan, {
          env,
          print: (line) => write(`${line}\n`),
          printError: (line) => writeError(`${line}\n`),
          stopRequested: () => stopped,
          tcpTable,
        }),
      writeProject: async (...of) => parts.writeProject(...of),
      readTrace: async (config, question) => parts.readTrace(config, question),
      serveModels: async () => {
        throw new Error("a server for models has the streams of its process");
      },
      terminal: { isTerminal: false, columns: 80, write },
      stopRequested: (reload?: () => void) => {
        this.#reload = reload;
        return stopped;
      },
    };
    this.ended = run(args, context);
    onTestFinished(async () => {
      this.send("SIGTERM");
      await this.ended;
    });
  }

  /** SIGHUP stops a command that reads nothing again. */
  send(signal: "SIGTERM" | "SIGHUP"): void {
    if (signal === "SIGHUP" && this.#reload) this.#reload();
    else this.#stop(signal);
  }

  /** The part in brackets of the first match of what it has printed so far, once there is one. */
  printed(pattern: RegExp): Promise<string> {
    const seen = () => `${pattern} in:\n${this.stdout}${this.stderr}`;
    return until(seen, () => pattern.exec(this.stdout)?.[1]);
  }
}

/** Runs a command to its end. */
export async function tonwireHere(args: readonly string[], options?: Options) {
  const command = new CommandHere(args, options);
  const code = await command.ended;
  return { code, stdout: command.stdout, stderr: command.stderr };
}
