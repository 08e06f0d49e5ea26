import { type Statement, type TransactionOptions, versionIn } from "../database.js";
import { beginMode, changeMode, localSetting, type PlanMode, planModeOf } from "./plan-mode.js";
import type { UnnamedStep } from "./row-query.js";

export type SnapshotOptions = Pick<TransactionOptions, "onVersion" | "versionSql"> & {
  /** Whether the index is divided among nodes. */
  isDivided: boolean;
  /** Timeout of its statements, if the session does not have one. */
  timeoutMs: number | undefined;
};

/** A column that the first message of a snapshot reads. */
type FirstColumn = { readonly sql: string; readonly take?: (text: string) => void };

const begin: UnnamedStep = { text: "begin isolation level repeatable read read only", values: [] };
/** The session and the time at which the snapshot began, which together name a run of statements for good. */
const runSql = "pg_backend_pid() || ' ' || extract(epoch from now())";
/** The version of an index of our layout, by a table of one row that is nearly always in memory. */
const ownVersion = "(select n || ' ' || seqno from index_version)";

/** A read-only transaction, which its first statement begins in the same message. */
export class Snapshot {
  readonly #options: SnapshotOptions;
  /** Absent until the first statement. */
  #planMode: PlanMode | undefined;
  #run: string | undefined;

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  /** Its session and time, where sessions are those of a pooler; absent until the first answer. */
  get run(): string | undefined {
    return this.#run;
  }

  /** What one of its statements needs before it: what begins the snapshot, another plan mode, or nothing. */
  stepsBefore(statement: Statement): UnnamedStep[] {
    // A plan for all values could not choose nodes.
    const mode = this.#options.isDivided ? "each" : planModeOf(statement);
    const before = this.#planMode;
    if (mode === before) return [];
    this.#planMode = mode;
    return before === undefined ? this.#firstSteps(mode) : [{ text: changeMode(mode), values: [] }];
  }

  #firstSteps(mode: PlanMode): UnnamedStep[] {
    const columns = this.#firstColumns();
    const text = [beginMode(mode), ...columns.map(({ sql }) => sql)].join(", ");
    const take = (texts: readonly (string | null)[]) => {
      const first = texts.length - columns.length;
      for (const [at, column] of columns.entries()) column.take?.(texts[first + at] ?? "");
    };
    return [begin, { text, values: [], take }];
  }

  #firstColumns(): FirstColumn[] {
    const { timeoutMs, onVersion, versionSql = ownVersion } = this.#options;
    const columns: FirstColumn[] = [];
    if (timeoutMs !== undefined)
      columns.push(
        { sql: localSetting("statement_timeout", String(timeoutMs)) },
        { sql: runSql, take: (text) => (this.#run = text) },
      );
    if (onVersion)
      columns.push({
        sql: versionSql,
        take: (text) => {
          const version = versionIn(text);
          if (version) onVersion(version);
        },
      });
    return columns;
  }
}
