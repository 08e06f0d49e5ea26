/** The columns of a statement, and how a value of each is read from its text. */
export type ResultColumn = { readonly name: string; readonly read: (text: string) => unknown };

/** A statement as a connection knows it by its name. */
export type PreparedStatement = {
  readonly name: string;
  readonly text: string;
  /** Absent until it was described. */
  columns?: readonly ResultColumn[];
};

/** The statements that a connection has prepared or is preparing. */
export class PreparedStatements {
  readonly #known = new Map<string, PreparedStatement>();
  /** Names that the server may know: their preparation was sent together with a statement that failed. */
  readonly #uncertain = new Set<string>();

  get(name: string, text: string): PreparedStatement | undefined {
    const known = this.#known.get(name);
    return known?.text === text ? known : undefined;
  }

  /** Notes that a statement is sent to be prepared; without a name it is for one query. */
  add(name: string, text: string): PreparedStatement {
    const statement = { name, text };
    if (name !== "") this.#known.set(name, statement);
    this.#uncertain.delete(name);
    return statement;
  }

  /** Whether the name must be closed before a statement is prepared by it: the server may know one by it. */
  isTaken(name: string): boolean {
    return this.#uncertain.has(name) || this.#known.has(name);
  }

  /** Forgets a statement, as the server skips what follows an error. */
  drop(statement: PreparedStatement): void {
    if (this.#known.get(statement.name) !== statement) return;
    this.#known.delete(statement.name);
    this.#uncertain.add(statement.name);
  }
}
