import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { until } from "../until.js";
import { programArguments } from "./program.js";

const main = programArguments(new URL("../../../server/main.ts", import.meta.url));
const top = fileURLToPath(new URL("../../..", import.meta.url));

type CommandOptions = {
  env?: Readonly<Record<string, string>>;
  /** Id of the user that runs it, and of the group; only root can choose. */
  user?: number | undefined;
  /** The arguments of Node before those of the command. Default: the sources as compiled for the tests. */
  program?: readonly string[];
  /** Whether it runs on when the test ends that starts it: `afterAll` ends it then. */
  outlivesTest?: boolean;
  /** An open file that takes standard error instead of `stderr`. */
  errors?: number;
};

/** `tonwire` as a separate process. */
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

  get pid(): number {
    return this.#child.pid!;
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
