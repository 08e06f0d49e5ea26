import SQL from "sql-template-tag";
import { isSetupError, SetupError } from "../../errors.js";
import { pause } from "../../os/pause.js";
import { readSeenVersion } from "../cluster/seen-version.js";
import type {
  IndexVersion,
  LeastVersion,
  ReadServer,
  Sql,
  Transaction,
  TransactionOptions,
} from "../database.js";
import { BehindError, isConflict, isUnanswered } from "../database-errors.js";
import { schemaLack } from "../migrate/migrate.js";
import { readMeta } from "../queries/upkeep/index-meta.js";
import { readIndexVersion } from "../queries/upkeep/index-version.js";
import { oneRow } from "../sql/one-row.js";
import type { IndexVersions } from "./index-versions.js";
import { OpenReads, silent } from "./open-reads.js";

export type ReplicaOptions = {
  versions: IndexVersions;
  maxLagMs: number;
  /** How long an answer may take to begin before the standby is doubted, ms. */
  hedgeMs: number;
  statementTimeoutMs: number;
  /** Answers that are read at once. */
  atOnce: number;
  /** The id of the index. */
  readId: () => Promise<string>;
  onState?: (replica: Pick<Replica, "name" | "state" | "refusal">) => void;
};

/** `used`, or why a standby is not: too far behind, not reached, or another database. */
type ReplicaState = "used" | "behind" | "unreachable" | "refused";

/** The other servers: whether any of them answers now. The signal aborts looks when all of them are closed. */
type Elsewhere = { answers(): Promise<boolean>; signal: AbortSignal };

/** How often a standby is asked for its version while that is not the newest, and otherwise. */
const lookMs = 500;
const levelLookMs = 5000;
/** A look, and with it the wait for a standby that hangs, takes no longer. */
const lookTimeoutMs = 5000;
/** Answers in a row that began sooner elsewhere, after which nothing is asked until it answers a look. */
const maxLost = 2;

/** A standby that answers are read from, or a node of a cluster, with the version that it was last seen to have. */
export class Replica {
  readonly #server: ReadServer;
  readonly #options: ReplicaOptions;
  readonly #reads: OpenReads;
  readonly #looks: Sql;
  #version: IndexVersion | undefined;
  #isReached = false;
  /** Whether it was compared with the database since it was reached. */
  #isConfirmed = false;
  /** A standby of a node of a cluster reads from the other nodes, too, whose moment it must have reached. */
  #mustBeNewest = false;
  #lastId: string | undefined;
  #refusal: Error | undefined;
  #looking: Promise<void> | undefined;
  #isDoubted = false;
  #lost = 0;
  #hedges = 0;

  constructor(server: ReadServer, options: ReplicaOptions) {
    const { statementTimeoutMs, atOnce } = options;
    this.#server = server;
    this.#options = options;
    this.#reads = new OpenReads(server.sql({ statementTimeoutMs, atOnce }));
    this.#looks = server.sql({ statementTimeoutMs: lookTimeoutMs, atOnce: 1 });
  }

  get name(): string {
    return this.#server.name;
  }

  /** Answers that are being read. */
  get running(): number {
    return this.#reads.running;
  }

  /** Why it is no standby of the database. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  get lagMs(): number {
    return this.#version ? this.#options.versions.lagMs(this.#version.n) : 0;
  }

  get state(): ReplicaState {
    if (this.#refusal) return "refused";
    if (!this.#isThere) return "unreachable";
    return this.lagMs > this.#options.maxLagMs ? "behind" : "used";
  }

  get #isThere(): boolean {
    return this.#isReached && this.#isConfirmed;
  }

  get connections(): number {
    return this.#server.connections().open;
  }

  /** Whether it was seen to have what is asked for, and what it needs to answer at all. */
  reaches(least?: LeastVersion): boolean {
    const wanted = this.#mustBeNewest ? "newest" : least;
    if (wanted === undefined) return true;
    if (!this.#version) return false;
    if (wanted !== "newest") return this.#version.seqno >= wanted;
    return this.#version.n >= (this.#options.versions.newest?.n ?? 0);
  }

  /** Answers that another server was asked for as well, because this one was slow. */
  get hedges(): number {
    return this.#hedges;
  }

  transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { onVersion, ...options }: TransactionOptions,
  ): Promise<T> {
    return this.#reads.run(work, {
      ...options,
      onVersion: (version) => {
        this.#saw(version);
        onVersion?.(version);
      },
    });
  }

  /** Leaves it out until it is reached again, unless it has only cancelled an answer that replay was waiting for, or is behind. */
  failed(error: unknown): void {
    if (isConflict(error) || error instanceof BehindError) return;
    this.#isReached = false;
    this.#isConfirmed = false;
  }

  /** An answer is slow, and another server is asked for it, too. */
  hedged(): void {
    this.#hedges++;
  }

  /** It was the first to answer. */
  led(): void {
    this.#lost = 0;
  }

  /** Another server answered first. */
  lost(elsewhere: Elsewhere): void {
    this.#lost++;
    if (this.#lost < maxLost) return;
    this.#isReached = false;
    this.doubt(elsewhere);
  }

  /**
   * Looks whether it still answers. If not, and another server does, answers that are being read are given up, which others
   * then read. While no server answers, it is as good as any.
   */
  doubt({ answers, signal }: Elsewhere): void {
    if (this.#isDoubted) return;
    this.#isDoubted = true;
    const over = new AbortController();
    const own = this.look(signal).then(() => this.#isReached);
    const late = pause(this.#options.hedgeMs, over.signal).then(
      async () => over.signal.aborted || !(await answers()),
    );
    void Promise.race([own, late]).then((isThere) => {
      over.abort();
      this.#isDoubted = false;
      if (!isThere) this.#giveUp();
    });
  }

  #giveUp(): void {
    const error = silent(`the standby ${this.name}`);
    this.failed(error);
    this.#reads.giveUp(error);
  }

  /** Asks for its version now. Callers share one statement. */
  look(signal: AbortSignal): Promise<void> {
    this.#looking ??= this.#look(signal).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Looks time and again. */
  async watch(signal: AbortSignal): Promise<void> {
    let before: ReplicaState = "used";
    while (!signal.aborted) {
      await this.look(signal);
      const { state } = this;
      if (state !== before && !signal.aborted) this.#options.onState?.(this);
      before = state;
      await this.#untilLook(signal);
    }
  }

  async #untilLook(signal: AbortSignal): Promise<void> {
    const ms = Math.min(lookMs, this.#options.maxLagMs / 4);
    for (let waited = 0; waited < levelLookMs && !signal.aborted; waited += ms) {
      await pause(ms, signal);
      if (!this.#refusal && !(this.#isThere && this.reaches("newest"))) return;
    }
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #saw(version: IndexVersion): void {
    if (version.n > (this.#version?.n ?? -1)) this.#version = version;
  }

  async #look(signal: AbortSignal): Promise<void> {
    try {
      if (!this.#isConfirmed) await this.#confirm(signal);
      this.#version = await readSeenVersion(this.#looks);
      this.#isReached = true;
      this.#lost = 0;
    } catch (error) {
      this.#isReached = false;
      this.#isConfirmed = false;
      if (isSetupError(error) && !signal.aborted) this.#refusal = error;
    }
  }

  async #confirm(signal: AbortSignal): Promise<void> {
    await this.#server.confirm(signal);
    const lack = await schemaLack(this.#looks);
    const { is_standby: isStandby } = await oneRow<{ is_standby: boolean }>(
      this.#looks,
      SQL`select pg_is_in_recovery() as is_standby`,
    );
    // A standby that is new, or behind a migration, will have it.
    if (lack !== undefined && isStandby) return;
    if (lack !== undefined) throw new SetupError(`${this.#refusing}: ${lack}`);
    const { id } = await readIndexVersion(this.#looks);
    if (id !== (await this.#readId())) {
      const [network] = await readMeta(this.#looks, ["network"]);
      throw new SetupError(
        `${this.#refusing}: it has another index${network ? `, of ${network.value}` : ""}`,
      );
    }
    this.#mustBeNewest = isStandby && (await this.#looks.isDivided());
    this.#isConfirmed = true;
    this.#refusal = undefined;
  }

  /** The id of the index, as last read while the database does not answer: its standbys answer without it. */
  async #readId(): Promise<string> {
    try {
      this.#lastId = await this.#options.readId();
    } catch (error) {
      if (this.#lastId === undefined || !isUnanswered(error)) throw error;
    }
    return this.#lastId;
  }

  get #refusing(): string {
    return `--database-read-urls: ${this.name} is no standby of --database-url`;
  }
}
