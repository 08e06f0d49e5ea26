import { type ChildProcess, fork } from "node:child_process";
import { processEntry } from "../../os/worker.js";
import type { Compiler } from "./compiler.js";

/** A request to compile a contract, whose first file is a file of the project. */
export type Compiling = Pick<Compiler, "language" | "module"> & { readonly file: string };
/** The compiler's output as JSON, or why there is none. */
export type Compiled = { readonly output: string } | { readonly failure: string };

/** The compilers share the process with its entry, so that any message can come. */
function readAnswer(message: unknown): Compiled {
  const { output, failure } = (message ?? {}) as Partial<Record<"output" | "failure", unknown>>;
  return typeof output === "string" ? { output } : { failure: String(failure) };
}

/** Bounds of the process: JavaScript's memory in MiB, and a WebAssembly module's in pages of 64 KiB. */
const memory = ["--max-old-space-size=512", "--wasm-max-mem-pages=16384"];

/**
 * Runs the compilers of a project in a process of its own, whose environment is empty. They are code that the user has installed; a
 * contract can make them run for ever, or take all memory.
 */
export class CompilerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #isEnded = false;

  constructor(folder: string) {
    const { exec, execArgv } = processEntry(import.meta.url, "compile-worker");
    this.#child = fork(exec, [folder], {
      serialization: "advanced",
      execArgv: [...memory, ...execArgv],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: {},
    });
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#isEnded = true;
        resolve();
      };
      this.#child.once("close", end);
      this.#child.once("error", end);
    });
  }

  /** Whether it has ended, so that it compiles nothing more. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Compiles a file. A compiler that takes longer is ended with the process. */
  async compile(asked: Compiling, withinMs: number): Promise<Compiled> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#child.kill("SIGKILL");
    }, withinMs);
    const answer = new Promise<Compiled>((resolve) => {
      this.#child.once("message", (message) => resolve(readAnswer(message)));
      // A process that cannot be asked has ended.
      this.#child.send(asked, () => {});
    });
    const ended = this.#ended.then(() => ({
      failure: isLate
        ? `it took more than ${Math.ceil(withinMs / 1000)} s`
        : "its compiler has ended, or took too much memory",
    }));
    return Promise.race([answer, ended]).finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
