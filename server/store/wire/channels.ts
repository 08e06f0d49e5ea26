import type pg from "pg";

/** Listeners by channel, on a pool of one connection. They are subscribed again when the connection is replaced. */
export class Channels {
  readonly #pool: pg.Pool;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    pool.on("connect", (client) => {
      client.on("notification", ({ channel, payload = "" }) => {
        for (const onMessage of this.#listeners.get(channel) ?? []) onMessage(payload);
      });
      // Behind a statement that the pool itself has queued: `pg` warns of a second one that queues.
      queueMicrotask(() => this.#listenAgain(client));
    });
  }

  #listenAgain(client: pg.ClientBase): void {
    const again = Array.from(this.#listeners.keys(), (channel) => `listen ${channel}`);
    // Users of the connection get its errors.
    if (again.length > 0) client.query(again.join("; ")).catch(() => {});
  }

  /** Resolves with a function that ends it. */
  async listen(channel: string, onMessage: (text: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onMessage));
    await this.#pool.query(`listen ${channel}`);
    return () => void listeners.delete(onMessage);
  }
}
