import type pg from "pg";
import type { CopyTarget } from "./database.js";

/** What of a connection of `pg` a query object uses. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/**
 * A COPY as a query of `pg`. Command, rows and end are sent in one go: a server that refuses the command skips the
 * rest, and PGlite can take a COPY in no other way.
 */
export class CopyIn implements pg.Submittable {
  readonly done: Promise<void>;
  readonly #text: string;
  readonly #rows: Buffer;
  #resolve: () => void = () => {};
  #reject: (error: Error) => void = () => {};
  #failure: Error | undefined;

  constructor({ table, columns }: CopyTarget, rows: Uint8Array) {
    this.#text = `copy ${table} (${columns.join(", ")}) from stdin (format binary)`;
    this.#rows = Buffer.from(rows.buffer, rows.byteOffset, rows.length);
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    wire.query(this.#text);
    for (let at = 0; at < this.#rows.length; at += chunkBytes)
      wire.sendCopyFromChunk(this.#rows.subarray(at, at + chunkBytes));
    wire.endCopyFrom();
    wire.stream.uncork();
  }

  handleCopyInResponse(): void {}
  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#failure = error;
    // A broken connection says nothing more.
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#reject(this.#failure);
    else this.#resolve();
  }
}

const chunkBytes = 1 << 20;
