import type pg from "pg";
import { itemAt } from "../../../shared/values/lookups.js";
import type { CopyRows, Statement, Transaction } from "../database.js";
import { isDeadlock, isUnavailable, queryTimeout, toServiceError } from "../database-errors.js";
import { AwaitedAnswers, oneByOne, pipelined, type SendOrder } from "./awaited-answers.js";
import { CopyOutQuery } from "./copy-out-query.js";
import { CopyQuery } from "./copy-query.js";
import { RowQuery, type UnnamedStep } from "./row-query.js";
import { Snapshot, type SnapshotOptions } from "./snapshot.js";
import type { StatementNames } from "./statement-names.js";
import type { WireClient } from "./wire-client.js";

export type ConnectionOptions = {
  /**
   * A session that the connection keeps knows statements by names. Behind a pooler that gives each transaction another one,
   * statements are prepared each time, and each snapshot sets their timeout.
   */
  session: { readonly names: StatementNames } | { readonly snapshotTimeoutMs: number | undefined };
  /** Timeout for a connection and for an answer. */
  waitMs: number | undefined;
  /** Whether connections accept a statement before they have answered the last one. */
  pipelined: boolean;
  /** Whether the index of a connection's database is divided among nodes; absent where it cannot be. */
  isDivided?(client: pg.PoolClient): Promise<boolean>;
  /** Cancels the running statement of a connection, if the database can. `run` is the session and the time of its snapshot. */
  cancel(client: pg.PoolClient, run: string | undefined): void;
};

/**
 * - `plain`: statements run by themselves, or in a transaction that a script begins and ends.
 * - `due`: the next statement begins the snapshot.
 * - `reading`: statements read the snapshot, until one is the last.
 * - `read`: the last statement was sent, with the commit.
 * - `broken`: the session is in an unknown state, so that nobody may use it again.
 * - `returned`: the caller is done, and another one may have the session by now.
 */
type State =
  | { readonly name: "plain" | "returned" }
  | { readonly name: "due" | "reading" | "read"; readonly snapshot: Snapshot }
  | { readonly name: "broken"; readonly reason: Error };

const commit = { text: "commit", values: [] };

/** A connection checked out by one caller. */
export class Connection implements Transaction {
  readonly #client: pg.PoolClient;
  readonly #options: ConnectionOptions;
  readonly #inOrder: SendOrder;
  readonly #answers: AwaitedAnswers;
  #state: State = { name: "plain" };

  constructor(client: pg.PoolClient, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#inOrder = options.pipelined ? pipelined : oneByOne();
    this.#answers = new AwaitedAnswers({ ms: options.waitMs, onLate: () => this.giveUp() });
  }

  /** Why the connection must not be used again. */
  get broken(): Error | undefined {
    return this.#state.name === "broken" ? this.#state.reason : undefined;
  }

  async isDivided(): Promise<boolean> {
    return (await this.#options.isDivided?.(this.#client)) ?? false;
  }

  query<Row>(statement: Statement): Promise<Row[]> {
    const before = this.#advance(statement);
    const { text, values, fromBytes } = statement;
    const after = this.#state.name === "read" ? [commit] : [];
    return this.#ask<Row>([...before, { text, values }, ...after], before.length, fromBytes);
  }

  /** Moves a snapshot on by a statement. Returns what has to be sent before it. */
  #advance(statement: Statement): UnnamedStep[] {
    const { name } = this.#state;
    // Late parallel statement: the connection may belong to another caller.
    if (name === "returned") throw new TypeError("a statement follows its transaction");
    if (name === "read") throw new TypeError("a statement follows the last one of a snapshot");
    const snapshot = this.#snapshot;
    if (!snapshot) return [];
    this.#become({ name: statement.isLast ? "read" : "reading", snapshot });
    return snapshot.stepsBefore(statement);
  }

  /** Begins a snapshot, in which statements are planned as they say. The first one is sent with what begins it. */
  beginSnapshot(options: Omit<SnapshotOptions, "timeoutMs">): void {
    const { session } = this.#options;
    const timeoutMs = "names" in session ? undefined : session.snapshotTimeoutMs;
    this.#become({ name: "due", snapshot: new Snapshot({ ...options, timeoutMs }) });
  }

  /** Ends a snapshot; without waiting if it can, as statements of the next caller queue behind the commit. */
  async endSnapshot(): Promise<void> {
    if (this.#state.name !== "reading") return;
    // If it fails, the connection is broken, which the next statement reports.
    if (this.#options.pipelined) this.#client.query(commit.text).catch(() => {});
    else await this.script(commit.text);
  }

  async script(text: string): Promise<void> {
    await this.#send(() => this.#client.query(text));
  }

  copyOut(source: string): Promise<Uint8Array> {
    return this.#send(() => this.#client.query(new CopyOutQuery(source)).data);
  }

  async write(steps: readonly (CopyRows | Statement)[]): Promise<number> {
    let rows = 0;
    for (let from = 0, to = 0; from < steps.length; from = to) {
      const isCopy = "target" in itemAt(steps, from);
      while (to < steps.length && "target" in itemAt(steps, to) === isCopy) to++;
      const alike = steps.slice(from, to);
      // Sent and answered at once.
      if (isCopy) rows += await this.#send(() => this.#client.query(new CopyQuery(alike as CopyRows[])).done);
      else await this.#ask(alike as Statement[], alike.length - 1);
    }
    return rows;
  }

  /** Rolls back a failed transaction. Never rejects, so that the caller gets the first error. */
  async rollback(): Promise<void> {
    if (this.broken || this.#state.name === "due") return;
    await this.script("rollback").catch((error: Error) => void this.markBroken(error));
  }

  /** Abandons the running statement, and with it the connection: the caller has aborted, or the time is over. */
  giveUp(): void {
    const run = this.#snapshot?.run;
    const reason = queryTimeout();
    if (!this.markBroken(reason)) return;
    this.#options.cancel(this.#client, run);
    this.#answers.abandon(reason);
  }

  /** Returns whether it was not before. */
  markBroken(reason: Error): boolean {
    return this.#become({ name: "broken", reason });
  }

  /** The caller is done with it. Returns why nobody else may have it, if so. */
  end(): Error | undefined {
    const { broken } = this;
    this.#become({ name: "returned" });
    this.#answers.end();
    return broken;
  }

  get #snapshot(): Snapshot | undefined {
    return "snapshot" in this.#state ? this.#state.snapshot : undefined;
  }

  /**
   * The one place where the state changes. A broken connection can only be returned, and nothing follows that. Returns
   * whether it has changed.
   */
  #become(next: State): boolean {
    const { name } = this.#state;
    if (name === "returned" || (name === "broken" && next.name !== "returned")) return false;
    this.#state = next;
    return true;
  }

  /** Sends statements in one message. Results are the rows of the one at `main`. */
  async #ask<Row>(
    statements: readonly UnnamedStep[],
    main: number,
    fromBytes?: Statement["fromBytes"],
  ): Promise<Row[]> {
    const { session } = this.#options;
    const names = "names" in session ? session.names : undefined;
    const steps = statements.map(({ text, values, take }) => ({ text, values, take, name: names?.of(text) }));
    const { prepared } = this.#client as unknown as WireClient;
    const query = new RowQuery<Row>(steps, { main, prepared, fromBytes });
    await this.#send(() => this.#client.query(query).answered);
    return query.found();
  }

  /**
   * Rejects with the error for callers. If the server cannot be reached, the connection is broken. A deadlock ends the
   * transaction alone, which `Commits.steadily` repeats on this connection.
   */
  #send<T>(statement: () => Promise<T>): Promise<T> {
    const unlessBroken = (): Promise<T> => (this.broken ? Promise.reject(this.broken) : statement());
    // A broken connection may never answer the statement before.
    const answer = this.broken ? unlessBroken() : this.#inOrder(unlessBroken);
    return this.#answers.of(answer).catch((error: unknown) => {
      const told = toServiceError(error);
      if (isUnavailable(told) && !isDeadlock(told)) this.markBroken(told as Error);
      throw told;
    });
  }
}
