import { setMaxListeners } from "node:events";
import {
  type LiteApi,
  type LiteCall,
  LiteError,
  type MasterchainInfoExt,
} from "../../../shared/ton/lite/lite-api.js";
import { invokerOf, type LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { OtherNetwork, ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";
import { type BlockIdExt, sameBlock } from "../../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Timers } from "../../../shared/values/timers.js";
import type { Log } from "../../observe/log.js";
import { pause } from "../../os/pause.js";
import type { ClientEnvironment } from "../adnl/client.js";
import type { ConnectionError } from "../adnl/connection-error.js";
import { AnswerGuard, type BagParser } from "./answer-guard.js";
import { BagThread } from "./bag-thread.js";
import { failureKind } from "./failure-kind.js";
import { followHead } from "./follow-head.js";
import type { ListedServer } from "./global-config.js";
import { Health } from "./health.js";
import { isHeld, type ShardPoint } from "./network-slices.js";
import { findOldestBlock } from "./oldest-block.js";
import { remoteLiteApi } from "./remote-lite-api.js";
import { ServerConnection } from "./server-connection.js";
import { ServerStats, type ServerStatus } from "./server-stats.js";

type LiteserverOptions = ClientEnvironment & {
  /** Index in the configured list of servers. */
  index: number;
  address: ListedServer;
  zeroState: BlockIdExt;
  verify: (api: LiteApi) => LiteApi;
  bagParser?: BagParser;
  random(): number;
  log: Pick<Log, "info" | "warn">;
  /** Called when it becomes usable or unusable, or has a newer block. */
  onChange(server: Liteserver): void;
};

const probeMs = 3000;
const probeEveryMs = 10_000;
const oldestCheckMs = 6 * 3_600_000;
/** A timeout after less than this does not count as silence of the server. */
const minSilenceMs = 1000;

/** A liteserver: its connection, its history, its health and statistics. */
export class Liteserver {
  /** Its public key in base64. */
  readonly name: string;
  readonly index: number;
  readonly stats = new ServerStats();
  readonly #options: LiteserverOptions;
  readonly #timers: Timers;
  readonly #health: Health;
  readonly #plain: LiteApi;
  readonly #verified: LiteApi;
  /** One parser thread per server, so that big answers of one server do not delay those of others. */
  readonly #bagThread = new BagThread();
  #connection: ServerConnection;
  #isLost = false;
  /** Aborts the tasks of the current connection. */
  #session = new AbortController();
  #head: BlockIdExt | undefined;
  #headUtime: number | undefined;
  #oldest: number | undefined;
  #lastReceivedAt: number;
  #isClosed = false;
  #stopBan: () => void = () => {};
  #stopProbe: () => void = () => {};

  constructor(options: LiteserverOptions) {
    this.name = bytesToBase64(options.address.publicKey);
    this.index = options.index;
    this.#options = options;
    this.#timers = options.timers;
    this.#lastReceivedAt = this.#timers.now();
    this.#health = new Health(options.timers, options.random);
    const line = {
      query: (query: Uint8Array, deadline: number) => this.#connection.query(query, deadline),
      protocolError: (error: Error) => this.#connection.protocolError(error),
    };
    this.#plain = remoteLiteApi(line, options.timers, new AnswerGuard(options.bagParser ?? this.#bagThread));
    this.#verified = options.verify(this.#plain);
    this.#connection = this.#connect();
  }

  /** Its newest masterchain block; undefined until the first one is verified. */
  get head(): BlockIdExt | undefined {
    return this.#head;
  }

  /** Unix time in seconds at which `head` was made. */
  get headUtime(): number | undefined {
    return this.#headUtime;
  }

  /** Seqno of its oldest masterchain block; undefined until the search is done. */
  get oldest(): number | undefined {
    return this.#oldest;
  }

  /** Connected, and verified to be of the network. */
  get isConnected(): boolean {
    return this.#connection.isUp && this.#head !== undefined && !this.#health.isBanned;
  }

  /** Whether it belongs to another network; such servers are never used. */
  get isForeign(): boolean {
    return this.#health.isBannedForever;
  }

  /** Whether it is not connected, and the last attempt to connect has failed. */
  get isLost(): boolean {
    return this.#isLost || this.#health.isBanned;
  }

  /** Connected and answering. */
  get isUsable(): boolean {
    return this.isConnected && !this.#health.isSuspended;
  }

  /** Expected latency of one more request. */
  get expectedMs(): number {
    return this.stats.latencyMs * (1 + this.stats.inFlight);
  }

  /** Whether it holds all these parts of the network. */
  holds(points: readonly ShardPoint[]): boolean {
    const { slices } = this.#options.address;
    return slices === undefined || points.every((place) => isHeld(slices, place));
  }

  /** Reserves a slot, so that concurrent calls count the request before it is sent. Must be followed by `ask`. */
  reserve(): void {
    this.stats.started();
  }

  /** Sends a request in the reserved slot, frees the slot, and updates health and statistics. */
  async ask(method: LiteMethod, request: object, call: LiteCall): Promise<unknown> {
    const started = this.#timers.now();
    try {
      const ask = () => invokerOf(this.#verified)(method, request, call);
      const answer = await this.#measured(ask, call.signal);
      this.stats.served(this.#timers.now() - started);
      return answer;
    } finally {
      this.stats.ended();
    }
  }

  /** Disconnects it for hours: its answer contradicts its proof. */
  ban(lie: ProofError): void {
    this.#ban(lie.evidence.method ?? "proof", lie.message);
  }

  status(best: number | undefined): ServerStatus {
    const { host, port } = this.#options.address;
    const head = this.#head?.seqno;
    return {
      key: this.name,
      host,
      port,
      state: this.#state,
      head,
      lag: head === undefined || best === undefined ? undefined : Math.max(0, best - head),
      oldest: this.#oldest,
      bannedUntil: this.#health.isBanned && !this.isForeign ? this.#health.bannedUntil : undefined,
      ...this.stats.snapshot,
    };
  }

  get #state(): ServerStatus["state"] {
    if (this.isForeign) return "foreign";
    if (this.#health.isBanned) return "banned";
    if (!this.#connection.isUp) return "unreachable";
    if (this.#health.isSuspended) return "silent";
    return this.#head === undefined ? "checking" : "alive";
  }

  close(): void {
    this.#isClosed = true;
    this.#session.abort();
    this.#stopBan();
    this.#stopProbe();
    this.#connection.close();
    this.#bagThread.stop();
  }

  #connect(): ServerConnection {
    return new ServerConnection({
      ...this.#options,
      onUp: () => this.#up(),
      onDown: (error) => this.#down(error),
    });
  }

  #up(): void {
    this.#isLost = false;
    this.#session = new AbortController();
    const { signal } = this.#session;
    setMaxListeners(0, signal);
    void followHead({
      api: this.#verified,
      timers: this.#timers,
      signal,
      seqno: () => this.#head?.seqno,
      onInfo: (info) => this.#learnHead(info, signal),
      onError: (error, started) => {
        this.#learn(error, started);
        if (error instanceof ProofError) this.ban(error);
        return Math.max(probeMs, this.#health.pauseMs);
      },
    });
    if (this.#head) void this.#trackOldest(signal);
    this.#probeAfter(0, signal);
  }

  #down(error: ConnectionError): void {
    this.#isLost = true;
    this.#session.abort();
    this.stats.failed(error);
    if (error.trouble === "garbage") this.#ban("adnl", error.message);
    this.#options.onChange(this);
  }

  #learnHead({ last, init, lastUtime }: MasterchainInfoExt, signal: AbortSignal): boolean {
    const { zeroState } = this.#options;
    if (!sameBlock({ ...zeroState, ...init }, zeroState)) {
      this.#banForever();
      return false;
    }
    const isFirst = this.#head === undefined;
    const isNews = last.seqno > (this.#head?.seqno ?? -1);
    if (isNews) {
      this.#head = last;
      this.#headUtime = lastUtime;
    }
    if (isFirst) void this.#trackOldest(signal);
    this.#recovered();
    this.#options.onChange(this);
    return isNews;
  }

  /** Probes the server with getTime: measures latency, and ends a suspension when it answers again. */
  #probeAfter(ms: number, signal: AbortSignal): void {
    this.#stopProbe();
    this.#stopProbe = this.#timers.after(ms, async () => {
      const call = { signal, deadline: this.#timers.now() + probeMs };
      const wasSuspended = this.#health.isSuspended;
      try {
        await this.#measured(() => this.#plain.getTime({}, call), signal);
      } catch (error) {
        if (wasSuspended && isLost(error)) this.#health.failed();
      }
      const { isSuspended, pauseMs } = this.#health;
      if (!signal.aborted) this.#probeAfter(isSuspended ? pauseMs : probeEveryMs, signal);
    });
  }

  /** Searches its oldest block now and then: an archive may grow backwards, others are pruned. */
  async #trackOldest(signal: AbortSignal): Promise<void> {
    const call = () => ({ signal, deadline: this.#timers.now() + probeMs });
    while (!signal.aborted) {
      let pauseMs = oldestCheckMs;
      try {
        this.#oldest = await findOldestBlock(this.#plain, this.#head!.seqno, call);
        this.#options.onChange(this);
      } catch (error) {
        if (signal.aborted) return;
        this.stats.failed(error as Error);
        pauseMs = probeEveryMs;
      }
      await pause(pauseMs, signal, this.#timers);
    }
  }

  async #measured<T>(ask: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const started = this.#timers.now();
    try {
      const answer = await ask();
      this.stats.answered(this.#timers.now() - started);
      this.#recovered();
      return answer;
    } catch (error) {
      if (!signal?.aborted) this.#learn(error, started);
      throw error;
    }
  }

  /** Updates health from a failure. A server that answered other requests meanwhile is slow, not silent. */
  #learn(error: unknown, started: number): void {
    this.stats.failed(error as Error);
    const kind = failureKind(error);
    if ((error as Error).cause instanceof OtherNetwork) this.#banForever();
    else if (error instanceof LiteError && kind !== "lost") this.#recovered();
    else if (kind === "lost" && this.#isSilentSince(started)) this.#suspend();
  }

  #isSilentSince(started: number): boolean {
    const waited = this.#timers.now() - started >= minSilenceMs;
    return waited && this.#lastReceivedAt <= started && !this.#health.isSuspended;
  }

  #suspend(): void {
    this.#health.failed();
    this.#options.onChange(this);
    const { signal } = this.#session;
    if (!signal.aborted) this.#probeAfter(this.#health.pauseMs, signal);
  }

  /** Any answer ends a suspension. */
  #recovered(): void {
    this.#lastReceivedAt = this.#timers.now();
    const wasSuspended = this.#health.isSuspended;
    this.#health.answered();
    if (wasSuspended) this.#options.onChange(this);
  }

  #ban(method: string, reason: string): void {
    if (this.#health.isBanned || this.#isClosed) return;
    const banMs = this.#health.ban();
    const hours = banMs / 3_600_000;
    this.#options.log.warn({ key: this.name, method, reason, hours }, "liteserver is banned");
    this.#disconnect();
    this.#stopBan = this.#timers.after(banMs, () => {
      this.#connection = this.#connect();
    });
  }

  #banForever(): void {
    this.#health.banForever();
    this.#options.log.warn({ key: this.name }, "liteserver is of another network and is not used");
    this.#disconnect();
  }

  #disconnect(): void {
    this.#session.abort();
    this.#connection.close();
    this.#bagThread.stop();
    this.#options.onChange(this);
  }
}

function isLost(error: unknown): boolean {
  return failureKind(error) === "lost";
}
