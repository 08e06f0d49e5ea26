import type { PGlite } from "@electric-sql/pglite";
import { itemAt } from "../../../shared/values/lookups.js";

/** Bytes of statements and rows after which the length of the log is asked for. */
const lookEvery = 128 << 10;
const readyForQuery = "Z".charCodeAt(0);
const idle = "I".charCodeAt(0);
const readyLength = 6;

/**
 * Makes checkpoints of a PGlite, which drop the write-ahead log before them. A PostgreSQL server has a process for it; in
 * the engine the log would grow for as long as it runs.
 */
export class Checkpoints {
  readonly #database: Pick<PGlite, "query" | "exec">;
  readonly #logBytes: number;
  #received = 0;
  #checkpointAt: number | undefined;
  #isIdle = false;

  /** `logBytes`: length of the log after which a checkpoint is due. */
  constructor(database: Pick<PGlite, "query" | "exec">, logBytes: number) {
    this.#database = database;
    this.#logBytes = logBytes;
  }

  /** Whether no transaction is open. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Takes a piece of an answer to the session. Its last message says whether a transaction is open. */
  answered(bytes: Uint8Array): void {
    this.#isIdle = bytes.at(-readyLength) === readyForQuery && bytes.at(-1) === idle;
  }

  /** Call when so many bytes of the session have been answered. */
  async received(bytes: number): Promise<void> {
    this.#received += bytes;
    if (this.#received < lookEvery || !this.#isIdle) return;
    this.#received = 0;
    const written = await this.#written();
    this.#checkpointAt ??= written;
    if (written - this.#checkpointAt < this.#logBytes) return;
    await this.#database.exec("checkpoint");
    this.#checkpointAt = written;
  }

  /** Bytes of log that were ever written. */
  async #written(): Promise<number> {
    const { rows } = await this.#database.query<{ bytes: string }>(
      "select (pg_current_wal_insert_lsn() - '0/0')::text as bytes",
    );
    return Number(itemAt(rows, 0).bytes);
  }
}
