import type pg from "pg";
import { withResolvers } from "../../../shared/values/with-resolvers.js";
import type { CopyRows } from "../database.js";

/** The members of a connection of `pg` that a query object uses. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/**
 * COPYs as one query of `pg`, sent with all rows without waiting for answers. If one fails, the server skips the rest.
 * PGlite supports COPY from the client only in this form.
 */
export class CopyQuery implements pg.Submittable {
  readonly #copies: readonly CopyRows[];
  readonly #end = withResolvers<void>();
  #failure: Error | undefined;

  constructor(copies: readonly CopyRows[]) {
    this.#copies = copies;
  }

  get done(): Promise<void> {
    return this.#end.promise;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    wire.query(this.#copies.map(statementOf).join(";\n"));
    for (const copy of this.#copies) sendRows(wire, copy);
    wire.stream.uncork();
  }

  handleCopyInResponse(): void {}
  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#failure = error;
    // After a broken connection there is no ReadyForQuery.
    this.#end.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#end.reject(this.#failure);
    else this.#end.resolve();
  }
}

function statementOf({ target: { table, columns } }: CopyRows): string {
  return `copy ${table} (${columns.join(", ")}) from stdin (format binary)`;
}

function sendRows(wire: Wire, { rows }: CopyRows): void {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.length);
  for (let at = 0; at < bytes.length; at += chunkBytes)
    wire.sendCopyFromChunk(bytes.subarray(at, at + chunkBytes));
  wire.endCopyFrom();
}

const chunkBytes = 1 << 20;
