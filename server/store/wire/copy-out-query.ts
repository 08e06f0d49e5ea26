import type pg from "pg";
import { withResolvers } from "../../../shared/values/promises.js";

/** A COPY to the client as one query of `pg`. Its data is collected, so the statement must bound it. */
export class CopyOutQuery implements pg.Submittable {
  readonly #text: string;
  readonly #chunks: Uint8Array[] = [];
  readonly #end = withResolvers<Uint8Array>();
  #failure: Error | undefined;

  /** `source`: a table or a query in brackets. */
  constructor(source: string) {
    this.#text = `copy ${source} to stdout (format binary)`;
  }

  /** The data in the binary format of COPY. */
  get data(): Promise<Uint8Array> {
    return this.#end.promise;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  /** The bytes are copied, as those that were received are reused. */
  handleCopyData({ chunk }: { readonly chunk: Uint8Array }): void {
    this.#chunks.push(new Uint8Array(chunk));
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#failure = error;
    // After a broken connection there is no ReadyForQuery.
    this.#end.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#end.reject(this.#failure);
    else this.#end.resolve(Buffer.concat(this.#chunks));
  }
}
