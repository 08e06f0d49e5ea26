import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { programArguments } from "./program.js";
import { until } from "./until.js";

const main = programArguments(new URL("../../server/main.ts", import.meta.url));
const top = fileURLToPath(new URL("../..", import.meta.url));

export type CommandOptions = {
  env?: Readonly<Record<string, string>>;
  /** Id of the user that runs it, and of the group; only root can choose. */
  user?: number | undefined;
  /** The arguments of Node before those of the command. Default: its sources, as they are compiled for the tests. */
  program?: readonly string[];
  /** Whether it runs on when the test ends that starts it: `afterAll` ends it then. */
  outlivesTest?: boolean;
  /** An open file that takes standard error instead of `stderr`. */
  errors?: number;
};

/** `tonwire` as a process of its own. */
export class TonwireProcess {
  readonly #child: ChildProcess;
  stdout = "";
  stderr = "";
  /** Resolves with the exit code; a process ended by a signal has that for a code. */
  readonly ended: Promise<number | NodeJS.Signals>;

  constructor(
    args: readonly string[],
    { env = {}, user, program = main, outlivesTest = false, errors }: CommandOptions = {},
  ) {
    const { PATH = "", HOME = "", TONWIRE_TEST_ENTRIES } = process.env;
    this.#child = spawn(process.execPath, [...program, ...args], {
      cwd: top,
      env: { PATH, HOME, TONWIRE_TEST_ENTRIES, TONWIRE_CACHE: "off", ...env },
      stdio: ["ignore", "pipe", errors ?? "pipe"],
      ...(user !== undefined && { uid: user, gid: user }),
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("close", (code, signal) => resolve(code ?? signal ?? -1));
    });
    // A benchmark ends it itself.
    if ("__vitest_worker__" in globalThis && !outlivesTest)
      onTestFinished(async () => {
        this.#child.kill("SIGKILL");
        await this.ended;
      });
  }

  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** The part in brackets of the first match of what it has printed so far, once there is one. */
  printed(pattern: RegExp, withinMs?: number): Promise<string> {
    const seen = () => `${pattern} in:\n${this.stdout}${this.stderr}`;
    return until(seen, () => pattern.exec(this.stdout)?.[1], withinMs);
  }
}

/** Runs a command to its end. */
export async function tonwire(args: readonly string[], options?: CommandOptions) {
  const run = new TonwireProcess(args, options);
  const code = await run.ended;
  return { code, stdout: run.stdout, stderr: run.stderr };
}
