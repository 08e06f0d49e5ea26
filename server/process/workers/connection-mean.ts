import type { WorkerProcess } from "./worker-process.js";

/** How long changes are collected before all processes learn of the mean. */
const collectMs = 250;

/** Tells the processes how many connections one of them has in the mean. */
export class ConnectionMean {
  readonly #ready: () => readonly WorkerProcess[];
  #timer: NodeJS.Timeout | undefined;

  constructor(ready: () => readonly WorkerProcess[]) {
    this.#ready = ready;
  }

  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
    }, collectMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    const ready = this.#ready();
    const all = ready.reduce((sum, { connections }) => sum + connections, 0);
    for (const { channel } of ready) channel.tell("meanConnections", all / ready.length);
  }
}
