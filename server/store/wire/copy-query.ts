import type { Writable } from "node:stream";
import type pg from "pg";
import { withResolvers } from "../../../shared/values/promises.js";
import type { CopyRows } from "../database.js";

/**
 * COPYs as one query of `pg`, sent with all rows without waiting for answers. If one fails, the server skips the rest.
 * PGlite supports COPY from the client only in this form.
 */
export class CopyQuery implements pg.Submittable {
  readonly #copies: readonly CopyRows[];
  readonly #end = withResolvers<number>();
  #rows = 0;
  #failure: Error | undefined;

  constructor(copies: readonly CopyRows[]) {
    this.#copies = copies;
  }

  /** The number of rows that the server has copied. */
  get done(): Promise<number> {
    return this.#end.promise;
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    stream.cork();
    connection.query(this.#copies.map(statementOf).join(";\n"));
    for (const copy of this.#copies) sendRows(stream, copy);
    stream.uncork();
  }

  handleCopyInResponse(): void {}

  /** `text`: such as `COPY 5`. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows += Number(text.slice(text.lastIndexOf(" ")));
  }

  handleError(error: Error): void {
    this.#failure = error;
    // After a broken connection there is no ReadyForQuery.
    this.#end.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#end.reject(this.#failure);
    else this.#end.resolve(this.#rows);
  }
}

function statementOf({ target: { table, columns } }: CopyRows): string {
  return `copy ${table} (${columns.join(", ")}) from stdin (format binary)`;
}

function sendRows(stream: Writable, { rows }: CopyRows): void {
  for (let at = 0; at < rows.length; at += chunkBytes) {
    const chunk = rows.subarray(at, at + chunkBytes);
    stream.write(copyDataHead(chunk.length));
    stream.write(chunk);
  }
  stream.write(copyDone);
}

function copyDataHead(length: number): Buffer {
  const head = Buffer.from("d\0\0\0\0", "latin1");
  head.writeInt32BE(length + 4, 1);
  return head;
}

const copyDone = Buffer.from("c\0\0\0\x04", "latin1");

const chunkBytes = 1 << 20;
