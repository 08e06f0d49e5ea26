/** The columns of a statement, and how a value of each is read from its text. */
export type ResultColumn = { readonly name: string; readonly read: (text: string) => unknown };

/** A statement as a connection knows it by its name. */
export type PreparedStatement = {
  readonly name: string;
  /** Absent until it was described. */
  columns?: readonly ResultColumn[];
};

/** The statements that a connection has prepared, and those that it is preparing. */
export class PreparedStatements {
  readonly #known = new Map<string, PreparedStatement>();
  /** Sent, without an answer yet. */
  #sent: PreparedStatement[] = [];

  get(name: string): PreparedStatement | undefined {
    return this.#known.get(name);
  }

  /** Notes that a statement is sent to be prepared; without a name it is for one query. */
  add(name: string): PreparedStatement {
    const statement = { name };
    if (name !== "") this.#known.set(name, statement);
    this.#sent.push(statement);
    return statement;
  }

  /** The first one that was sent is prepared. */
  confirm(): void {
    this.#sent.shift();
  }

  /** Drops those of the given ones that were not prepared, as the server skips what follows an error. */
  drop(statements: readonly PreparedStatement[]): void {
    for (const statement of this.#sent) {
      if (statements.includes(statement) && this.#known.get(statement.name) === statement)
        this.#known.delete(statement.name);
    }
    this.#sent = this.#sent.filter((statement) => !statements.includes(statement));
  }
}
