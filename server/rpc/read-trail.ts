import type { ReadTrail } from "../../shared/methods/define.js";

type Read = { readonly name: string; readonly at: number };

/** Notes where a call was answered from, and what took longest there. */
export class CallTrail implements ReadTrail {
  door: string | undefined;
  readonly #running = new Set<Read>();
  #slowest: { readonly name: string; readonly ms: number } | undefined;

  begin(name: string): () => void {
    const read = { name, at: performance.now() };
    this.#running.add(read);
    return () => {
      this.#running.delete(read);
      const ms = performance.now() - read.at;
      if (ms > (this.#slowest?.ms ?? -1)) this.#slowest = { name, ms };
    };
  }

  /** The read that has not ended, else the slowest one. */
  get slowest(): { readonly name: string; readonly ms: number } | undefined {
    const [running] = this.#running;
    return running ? { name: running.name, ms: performance.now() - running.at } : this.#slowest;
  }
}
