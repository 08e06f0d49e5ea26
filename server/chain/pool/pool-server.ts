import { setMaxListeners } from "node:events";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Log } from "../../observe/log.js";
import { type BlockIdExt, sameBlock } from "../../tlb/block-id.js";
import type { ClientSurroundings } from "../adnl/client.js";
import type { ConnectionError } from "../adnl/connection-error.js";
import { type LiteApi, type LiteCall, LiteError, type MasterchainInfoExt } from "../lite-api.js";
import { askOf, type LiteMethod } from "../lite-methods.js";
import type { Timers } from "../timers.js";
import { LyingServerError, OtherNetwork } from "../verify/failed-proof.js";
import { followHead } from "./follow-head.js";
import type { ListedServer } from "./global-config.js";
import { Health } from "./health.js";
import { findOldestBlock } from "./oldest-block.js";
import { pause } from "./pause.js";
import { remoteLiteApi } from "./remote-lite-api.js";
import { ServerLine } from "./server-line.js";
import { ServerNumbers, type ServerStatus } from "./server-numbers.js";
import { isHeld, type ShardPoint } from "./slices.js";
import { verdictOf } from "./verdict.js";

export type PoolServerOptions = ClientSurroundings & {
  /** Its place in the list of servers. */
  index: number;
  address: ListedServer;
  zeroState: BlockIdExt;
  verify: (api: LiteApi) => LiteApi;
  random(): number;
  log: Pick<Log, "info" | "warn">;
  /** It has become usable or unusable, or has a newer block. */
  onChange(server: PoolServer): void;
};

const checkMs = 3000;
const checkEveryMs = 10_000;
const searchEveryMs = 6 * 3_600_000;
/** Whoever waited less for an answer cannot say that the server is silent. */
const patientMs = 1000;

/** A server of the pool: its connection, what it has, and how well it does. */
export class PoolServer {
  /** Its public key in base64. */
  readonly name: string;
  readonly index: number;
  readonly numbers = new ServerNumbers();
  readonly #options: PoolServerOptions;
  readonly #timers: Timers;
  readonly #health: Health;
  readonly #plain: LiteApi;
  readonly #verified: LiteApi;
  #line: ServerLine;
  /** Ends what goes on over the present connection. */
  #connection = new AbortController();
  #head: BlockIdExt | undefined;
  #oldest: number | undefined;
  #heardAt: number;
  #isClosed = false;
  #stopBan: () => void = () => {};
  #stopCheck: () => void = () => {};

  constructor(options: PoolServerOptions) {
    this.name = bytesToBase64(options.address.publicKey);
    this.index = options.index;
    this.#options = options;
    this.#timers = options.timers;
    this.#heardAt = this.#timers.now();
    this.#health = new Health(options.timers, options.random);
    const line = {
      query: (query: Uint8Array, deadline: number) => this.#line.query(query, deadline),
      garbage: (error: Error) => this.#line.garbage(error),
    };
    this.#plain = remoteLiteApi(line, options.timers);
    this.#verified = options.verify(this.#plain);
    this.#line = this.#connect();
  }

  /** Its newest masterchain block; none before the first one has been checked. */
  get head(): BlockIdExt | undefined {
    return this.#head;
  }

  /** Seqno of the first masterchain block it has; not known until it has been searched for. */
  get oldest(): number | undefined {
    return this.#oldest;
  }

  /** Connected, and known to be of the network. */
  get isThere(): boolean {
    return this.#line.isUp && this.#head !== undefined && !this.#health.isBanned;
  }

  /** Never to be used. */
  get isForeign(): boolean {
    return this.#health.isBannedForever;
  }

  /** There, and not fallen silent. */
  get isUsable(): boolean {
    return this.isThere && !this.#health.isSuspended;
  }

  /** What one more question would have to reckon with. */
  get expectedMs(): number {
    return this.numbers.latencyMs * (1 + this.numbers.inFlight);
  }

  /** Whether it keeps what a question is about. */
  holds(places: readonly ShardPoint[]): boolean {
    const { slices } = this.#options.address;
    return slices === undefined || places.every((place) => isHeld(slices, place));
  }

  /** Takes a place for a question, so that others see it before it is asked. */
  reserve(): void {
    this.numbers.started();
  }

  /** Asks in the place reserved, and learns from how it goes. */
  async ask(method: LiteMethod, request: object, call: LiteCall): Promise<unknown> {
    const started = this.#timers.now();
    try {
      const ask = () => askOf(this.#verified)(method, request, call);
      const answer = await this.#measured(ask, call.signal);
      this.numbers.served(this.#timers.now() - started);
      return answer;
    } finally {
      this.numbers.ended();
    }
  }

  /** Leaves it alone for hours, as it has lied. */
  ban(lie: LyingServerError): void {
    this.#ban(lie.method, lie.message);
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
      ...this.numbers.shown,
    };
  }

  get #state(): ServerStatus["state"] {
    if (this.isForeign) return "foreign";
    if (this.#health.isBanned) return "banned";
    if (!this.#line.isUp) return "unreachable";
    if (this.#health.isSuspended) return "silent";
    return this.#head === undefined ? "checking" : "alive";
  }

  close(): void {
    this.#isClosed = true;
    this.#connection.abort();
    this.#stopBan();
    this.#stopCheck();
    this.#line.close();
  }

  #connect(): ServerLine {
    return new ServerLine({
      ...this.#options,
      onUp: () => this.#up(),
      onDown: (error) => this.#down(error),
    });
  }

  #up(): void {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    setMaxListeners(0, signal);
    void followHead({
      api: this.#verified,
      timers: this.#timers,
      signal,
      seqno: () => this.#head?.seqno,
      onInfo: (info) => this.#learnHead(info, signal),
      onError: (error, started) => {
        this.#learn(error, started);
        if (error instanceof LyingServerError) this.ban(error);
        return Math.max(checkMs, this.#health.pauseMs);
      },
    });
    if (this.#head) void this.#search(signal);
    this.#checkAfter(0, signal);
  }

  #down(error: ConnectionError): void {
    this.#connection.abort();
    this.numbers.failed(error);
    if (error.trouble === "garbage") this.#ban("adnl", error.message);
    this.#options.onChange(this);
  }

  #learnHead({ last, init }: MasterchainInfoExt, signal: AbortSignal): boolean {
    const { zeroState } = this.#options;
    if (!sameBlock({ ...zeroState, ...init }, zeroState)) {
      this.#banForever();
      return false;
    }
    const isFirst = this.#head === undefined;
    const isNews = last.seqno > (this.#head?.seqno ?? -1);
    if (isNews) this.#head = last;
    if (isFirst) void this.#search(signal);
    this.#recovered();
    this.#options.onChange(this);
    return isNews;
  }

  /** Measures how fast it answers, and finds out when it does so again after it had fallen silent. */
  #checkAfter(ms: number, signal: AbortSignal): void {
    this.#stopCheck();
    this.#stopCheck = this.#timers.after(ms, async () => {
      const call = { signal, deadline: this.#timers.now() + checkMs };
      const wasSuspended = this.#health.isSuspended;
      try {
        await this.#measured(() => this.#plain.getTime({}, call), signal);
      } catch (error) {
        if (wasSuspended && isLost(error)) this.#health.failed();
      }
      const { isSuspended, pauseMs } = this.#health;
      if (!signal.aborted) this.#checkAfter(isSuspended ? pauseMs : checkEveryMs, signal);
    });
  }

  /** Its history may grow at the far end as well as be cut there. */
  async #search(signal: AbortSignal): Promise<void> {
    const call = () => ({ signal, deadline: this.#timers.now() + checkMs });
    while (!signal.aborted) {
      let pauseMs = searchEveryMs;
      try {
        this.#oldest = await findOldestBlock(this.#plain, this.#head!.seqno, call);
        this.#options.onChange(this);
      } catch (error) {
        if (signal.aborted) return;
        this.numbers.failed(error as Error);
        pauseMs = checkEveryMs;
      }
      await pause(this.#timers, pauseMs, signal);
    }
  }

  async #measured<T>(ask: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const started = this.#timers.now();
    try {
      const answer = await ask();
      this.numbers.answered(this.#timers.now() - started);
      this.#recovered();
      return answer;
    } catch (error) {
      if (!signal?.aborted) this.#learn(error, started);
      throw error;
    }
  }

  /** What a failure says about the server; one that answered others meanwhile is slow, not silent. */
  #learn(error: unknown, started: number): void {
    this.numbers.failed(error as Error);
    const verdict = verdictOf(error);
    if ((error as Error).cause instanceof OtherNetwork) this.#banForever();
    else if (error instanceof LiteError && verdict !== "lost") this.#recovered();
    else if (verdict === "lost" && this.#isSilentSince(started)) this.#suspend();
  }

  #isSilentSince(started: number): boolean {
    const waited = this.#timers.now() - started >= patientMs;
    return waited && this.#heardAt <= started && !this.#health.isSuspended;
  }

  #suspend(): void {
    this.#health.failed();
    this.#options.onChange(this);
    const { signal } = this.#connection;
    if (!signal.aborted) this.#checkAfter(this.#health.pauseMs, signal);
  }

  /** Any answer is a sign of life. */
  #recovered(): void {
    this.#heardAt = this.#timers.now();
    const wasSuspended = this.#health.isSuspended;
    this.#health.answered();
    if (wasSuspended) this.#options.onChange(this);
  }

  #ban(method: string, reason: string): void {
    if (this.#health.isBanned || this.#isClosed) return;
    const banMs = this.#health.lied();
    const hours = banMs / 3_600_000;
    this.#options.log.warn({ key: this.name, method, reason, hours }, "liteserver is banned");
    this.#disconnect();
    this.#stopBan = this.#timers.after(banMs, () => {
      this.#line = this.#connect();
    });
  }

  #banForever(): void {
    this.#health.banForever();
    this.#options.log.warn({ key: this.name }, "liteserver is of another network and is not used");
    this.#disconnect();
  }

  #disconnect(): void {
    this.#connection.abort();
    this.#line.close();
    this.#options.onChange(this);
  }
}

function isLost(error: unknown): boolean {
  return verdictOf(error) === "lost";
}
