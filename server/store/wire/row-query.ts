import pg from "pg";
import { type Resolvers, withResolvers } from "../../../shared/values/with-resolvers.js";
import type { FromBytes } from "../database.js";
import type { PreparedStatement, PreparedStatements, ResultColumn } from "./prepared-statements.js";
import type { RowMessage } from "./row-messages.js";
import { valueTypes } from "./value-types.js";
import { WireMessages } from "./wire-messages.js";

/** A statement with the name that it is prepared by, if it has one. */
export type Step = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;
};

export type RowQueryOptions = {
  readonly prepared: PreparedStatements;
  /** Run before it and after it, in one message to the server and back. */
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
  /** Makes the rows of the bytes of their texts. Must not throw. */
  readonly fromBytes?: FromBytes | undefined;
};

/** The members of a connection of `pg` that a query uses. */
type Wire = { readonly stream: { readonly writable: boolean; write(bytes: Uint8Array): void } };

type RowDescription = {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
};

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
  /** Statements that this query has prepared. */
  readonly #own: PreparedStatement[] = [];
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

  submit(connection: pg.Connection): void {
    const { stream } = connection as unknown as Wire;
    const messages = new WireMessages();
    for (const [at, { text, values, name = "" }] of this.#steps.entries()) {
      const statement = this.#prepared.get(name) ?? this.#prepare(messages, name, text);
      messages.bind(name, values);
      if (at === this.#main) {
        this.#statement = statement;
        if (!statement.columns) messages.describe();
      }
      messages.execute();
    }
    if (stream.writable) stream.write(messages.sync().take());
  }

  #prepare(messages: WireMessages, name: string, text: string): PreparedStatement {
    messages.parse(name, text);
    const statement = this.#prepared.add(name);
    this.#own.push(statement);
    return statement;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#statement!.columns = fields.map(({ name, dataTypeID }): ResultColumn => {
      return { name, read: valueTypes.getTypeParser(dataTypeID) };
    });
  }

  handleDataRow(message: RowMessage): void {
    if (this.#answered !== this.#main) return;
    const columns = this.#statement!.columns!;
    const makes = this.#fromBytes;
    const row: Record<string, unknown> = {};
    message.each((bytes, start, end, index) => {
      const { name, read } = columns[index]!;
      if (end < start) row[name] = null;
      else row[name] = makes ? bytes.subarray(start, end) : read(bytes.toString("utf8", start, end));
    });
    const made = makes ? makes(row as never) : row;
    if (made !== undefined) this.#found.push(made as Row);
  }

  handleCommandComplete(): void {
    this.#answered++;
  }

  handleEmptyQuery(): void {
    this.#answered++;
  }

  handleError(error: Error): void {
    this.#prepared.drop(this.#own);
    this.#end.reject(error);
  }

  handleReadyForQuery(): void {
    this.#end.resolve(this.#found);
  }
}
