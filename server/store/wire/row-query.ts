import type { Duplex } from "node:stream";
import pg from "pg";
import { itemAt } from "../../../shared/values/lookups.js";
import { withResolvers } from "../../../shared/values/promises.js";
import type { FromBytes } from "../database.js";
import type { PreparedStatement, PreparedStatements, ResultColumn } from "./prepared-statements.js";
import { type ReceivedRow, RowMessage } from "./row-messages.js";
import { valueTypes } from "./value-types.js";
import { WireMessages } from "./wire-messages.js";

export type UnnamedStep = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Receives the texts of the row of a statement before or after the main one. Must not throw. */
  readonly take?: ((texts: readonly (string | null)[]) => void) | undefined;
};

/** A statement with the name that it is prepared by, if it has one. */
type Step = UnnamedStep & { readonly name: string | undefined };

type RowQueryOptions = {
  /** The statement whose rows are the result. */
  readonly main: number;
  readonly prepared: PreparedStatements;
  /** Makes the rows of the bytes of their texts. */
  readonly fromBytes?: FromBytes | undefined;
};

type RowDescription = {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
};

/** A statement that this query has prepared, and the step that it was prepared for. */
type Preparation = { readonly statement: PreparedStatement; readonly step: number };

// A client that pipelines accepts queries of this class only. Its own way of running is replaced.
const Query = pg.Query as unknown as new (text: string) => object;

/**
 * A statement, with others before and after it, sent and answered at once. `pg` would describe the columns with every answer,
 * and make texts of all values.
 */
export class RowQuery<Row> extends Query implements pg.Submittable {
  readonly #steps: readonly Step[];
  readonly #main: number;
  readonly #fromBytes: FromBytes | undefined;
  readonly #prepared: PreparedStatements;
  readonly #preparations: Preparation[] = [];
  readonly #found: Row[] = [];
  #failure: { error: unknown } | undefined;
  #statement: PreparedStatement | undefined;
  /** The step that the server answers. */
  #answering = 0;
  readonly #end = withResolvers<void>();

  constructor(steps: readonly Step[], { main, prepared, fromBytes }: RowQueryOptions) {
    super(itemAt(steps, main).text);
    this.#steps = steps;
    this.#main = main;
    this.#fromBytes = fromBytes;
    this.#prepared = prepared;
  }

  get answered(): Promise<void> {
    return this.#end.promise;
  }

  /** The rows, once it is answered. Throws what making one of them failed with: the connection goes on with the next answer. */
  found(): Row[] {
    if (this.#failure) throw this.#failure.error;
    return this.#found;
  }

  submit({ stream }: pg.Connection): void {
    const messages = new WireMessages();
    for (const [at, { text, values, name = "" }] of this.#steps.entries()) {
      const statement = this.#prepared.get(name, text) ?? this.#prepare(messages, name, text, at);
      messages.bind(name, values);
      if (at === this.#main) {
        this.#statement = statement;
        if (!statement.columns) messages.describe();
      }
      messages.execute();
    }
    if (!stream.writable) return;
    gather(stream);
    stream.write(messages.sync().take());
  }

  #prepare(messages: WireMessages, name: string, text: string, step: number): PreparedStatement {
    // Closing a name that the server does not know is no error.
    if (this.#prepared.isTaken(name)) messages.close(name);
    messages.parse(name, text);
    const statement = this.#prepared.add(name, text);
    this.#preparations.push({ statement, step });
    return statement;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#statement!.columns = fields.map(({ name, dataTypeID }): ResultColumn => {
      return { name, read: valueTypes.getTypeParser(dataTypeID) };
    });
  }

  handleDataRow(row: ReceivedRow): void {
    if (this.#answering !== this.#main) {
      this.#steps[this.#answering]!.take?.(row.fields);
      return;
    }
    const columns = this.#statement!.columns!;
    const read = row instanceof RowMessage ? this.#readBytes(row, columns) : this.#readTexts(row, columns);
    const made = this.#fromBytes ? this.#make(this.#fromBytes, read) : read;
    if (made !== undefined) this.#found.push(made as Row);
  }

  /** Once one has failed, the others are left out. */
  #make(fromBytes: FromBytes, read: object): unknown {
    if (this.#failure) return undefined;
    try {
      return fromBytes(read as never);
    } catch (error) {
      this.#failure = { error };
      return undefined;
    }
  }

  #readBytes(message: RowMessage, columns: readonly ResultColumn[]): object {
    const isOfBytes = this.#fromBytes !== undefined;
    const row: Record<string, unknown> = {};
    message.each(columns.length, (bytes, start, end, index) => {
      const { name, read } = columns[index]!;
      if (end < start) row[name] = null;
      else row[name] = isOfBytes ? bytes.subarray(start, end) : read(bytes.toString("utf8", start, end));
    });
    return row;
  }

  /** A row that `pg` has read. */
  #readTexts({ fields }: Exclude<ReceivedRow, RowMessage>, columns: readonly ResultColumn[]): object {
    const toValue = (text: string | null, read: ResultColumn["read"]) => {
      if (text === null) return null;
      return this.#fromBytes ? Buffer.from(text) : read(text);
    };
    return Object.fromEntries(columns.map(({ name, read }, at) => [name, toValue(fields[at]!, read)]));
  }

  handleCommandComplete(): void {
    this.#answering++;
  }

  handleEmptyQuery(): void {
    this.#answering++;
  }

  handleError(error: Error): void {
    // The step that failed may have failed when it was prepared, and the server has skipped those behind it.
    for (const { statement, step } of this.#preparations)
      if (step >= this.#answering) this.#prepared.drop(statement);
    this.#end.reject(error);
  }

  handleReadyForQuery(): void {
    this.#end.resolve();
  }
}

/** Makes one write of the statements that are sent until the event loop goes on: each write is a system call. */
function gather(stream: Duplex): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
