import type { Duplex } from "node:stream";
import pg from "pg";
import { type Resolvers, withResolvers } from "../../../shared/values/with-resolvers.js";
import type { FromBytes } from "../database.js";
import type { PreparedStatement, PreparedStatements, ResultColumn } from "./prepared-statements.js";
import { type ReceivedRow, RowMessage } from "./row-messages.js";
import { valueTypes } from "./value-types.js";
import { WireMessages } from "./wire-messages.js";

/** A statement with the name that it is prepared by, if it has one. */
export type Step = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;
  /** Receives the texts of the row of a statement before or after the main one. Must not throw. */
  readonly take?: ((texts: readonly (string | null)[]) => void) | undefined;
};

export type RowQueryOptions = {
  readonly prepared: PreparedStatements;
  /** Run before it and after it, in one message to the server and back. */
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
  /** Makes the rows of the bytes of their texts. Must not throw. */
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
 * A statement, with others that belong to it, sent and answered at once. `pg` would describe the columns with every answer,
 * and make texts of all values.
 */
export class RowQuery<Row> extends Query implements pg.Submittable {
  readonly #steps: readonly Step[];
  readonly #main: number;
  readonly #fromBytes: FromBytes | undefined;
  readonly #prepared: PreparedStatements;
  readonly #preparations: Preparation[] = [];
  readonly #found: Row[] = [];
  #statement: PreparedStatement | undefined;
  /** The step that the server answers. */
  #answered = 0;
  readonly #end: Resolvers<Row[]> = withResolvers();

  constructor(main: Step, { prepared, before = [], after = [], fromBytes }: RowQueryOptions) {
    super(main.text);
    this.#steps = [...before, main, ...after];
    this.#main = before.length;
    this.#fromBytes = fromBytes;
    this.#prepared = prepared;
  }

  get answer(): Promise<Row[]> {
    return this.#end.promise;
  }

  submit({ stream }: pg.Connection): void {
    const messages = new WireMessages();
    for (const [at, { text, values, name = "" }] of this.#steps.entries()) {
      const statement = this.#prepared.get(name) ?? this.#prepare(messages, name, text, at);
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
    if (this.#prepared.isUncertain(name)) messages.close(name);
    messages.parse(name, text);
    const statement = this.#prepared.add(name);
    this.#preparations.push({ statement, step });
    return statement;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#statement!.columns = fields.map(({ name, dataTypeID }): ResultColumn => {
      return { name, read: valueTypes.getTypeParser(dataTypeID) };
    });
  }

  handleDataRow(row: ReceivedRow): void {
    if (this.#answered !== this.#main) {
      this.#steps[this.#answered]!.take?.(row.fields);
      return;
    }
    const columns = this.#statement!.columns!;
    const read = row instanceof RowMessage ? this.#readBytes(row, columns) : this.#readTexts(row, columns);
    const made = this.#fromBytes ? this.#fromBytes(read as never) : read;
    if (made !== undefined) this.#found.push(made as Row);
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
    this.#answered++;
  }

  handleEmptyQuery(): void {
    this.#answered++;
  }

  handleError(error: Error): void {
    // The step that failed may have failed when it was prepared, and the server has skipped those behind it.
    for (const { statement, step } of this.#preparations)
      if (step >= this.#answered) this.#prepared.drop(statement);
    this.#end.reject(error);
  }

  handleReadyForQuery(): void {
    this.#end.resolve(this.#found);
  }
}

/** Makes one write of the statements that are sent until the event loop goes on: each write is a system call. */
function gather(stream: Duplex): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
