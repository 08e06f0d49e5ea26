import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Orders } from "./callers.js";
import { type Hello, startProcess } from "./process.js";

/** Clients of a server, apart from the one that is measured. */
export class Callers {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start({ url, headers }: Hello): Promise<Callers> {
    return new Callers(await startProcess("callers", { BENCH_SERVER: JSON.stringify({ url, headers }) }));
  }

  /** They call during the whole measurement. */
  async during<T>(orders: Orders, measure: () => Promise<T>): Promise<T> {
    this.#child.send(orders);
    const result = await measure();
    const stopped = once(this.#child, "message");
    this.#child.send("stop");
    const [called] = (await stopped) as [number];
    if (called === 0) throw new Error("nobody was called meanwhile");
    return result;
  }

  close(): void {
    this.#child.kill();
  }
}
