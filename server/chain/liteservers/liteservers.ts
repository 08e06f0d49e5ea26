import { type LiteApi, type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { type LiteMethod, liteApiFrom } from "../../../shared/ton/lite/lite-methods.js";
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";
import { liteMethods } from "../../../shared/ton/tl/lite-functions.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Log } from "../../observe/log.js";
import { HedgeBudget, hedged } from "../../os/hedge.js";
import { pause } from "../../os/pause.js";
import type { ClientEnvironment } from "../adnl/client.js";
import { NoAnswerError } from "../no-answer-error.js";
import type { BagParser } from "./answer-guard.js";
import { Attempts } from "./attempts.js";
import type { ListedServer } from "./global-config.js";
import { Liteserver } from "./liteserver.js";
import { NetworkHead } from "./network-head.js";
import type { ShardPoint } from "./network-slices.js";
import { type Requirement, requiredSeqno } from "./requirement.js";
import { SendFailures } from "./send-failures.js";
import { ServerScheduler } from "./server-scheduler.js";
import type { ServerStatus } from "./server-stats.js";
import { shardPointsOf } from "./shard-routing.js";
import type { WaitLimit } from "./wait-queue.js";

/** The servers of one network, and how their answers are checked. */
export type LiteserversOptions = ClientEnvironment & {
  servers: readonly ListedServer[];
  zeroState: BlockIdExt;
  /** Wraps each server's LiteApi in checks of proofs, which reject with a ProofError. */
  verify?: (api: LiteApi) => LiteApi;
  /** Parses big answers; by default a worker thread for each server. */
  bagParser?: BagParser;
  /** 0 to 1. */
  random(): number;
  log: Pick<Log, "info" | "warn">;
};

/** The options of a call, with its deadline. */
type Caller = WaitLimit & Pick<LiteCall, "archival" | "asked">;
type Question = { method: LiteMethod; request: object; requirement: Requirement; caller: Caller };

const callMs = 10_000;
const attemptMs = 3000;
/** Bounds of the delay before a request is hedged. */
const minHedgeMs = 25;
const maxHedgeMs = 1000;
const sendMs = 5000;
/** Number of servers that a message is sent to in parallel. */
const sendFanOut = 3;

/**
 * Many liteservers as one LiteApi. Each call goes to the fastest server that has the data, is hedged when that is slow,
 * and retried at others when it fails, until the caller's deadline (default: 10 s). Rejects with an
 * UnavailableError if no server is usable. The owner must `close` it.
 */
export class Liteservers {
  readonly api: LiteApi;
  readonly #options: LiteserversOptions;
  readonly #servers: readonly Liteserver[];
  readonly #head: NetworkHead;
  readonly #scheduler: ServerScheduler;
  readonly #hedges = new HedgeBudget();
  readonly #hasSlices: boolean;

  constructor(options: LiteserversOptions) {
    const { servers, timers, verify = (api) => api } = options;
    this.#options = options;
    this.#hasSlices = servers.some(({ slices }) => slices !== undefined);
    this.#head = new NetworkHead(timers);
    this.api = liteApiFrom(liteMethods, (method, request, call) => this.#ask(method, request, call));
    const onChange = (server: Liteserver) => this.#changed(server);
    this.#servers = servers.map(
      (address, index) => new Liteserver({ ...options, index, address, verify, onChange }),
    );
    this.#scheduler = new ServerScheduler({ servers: this.#servers, head: this.#head, timers });
  }

  /** The newest block of any server; its seqno never decreases. */
  get head(): BlockIdExt | undefined {
    return this.#head.last;
  }

  /** Unix time in seconds at which `head` was made. */
  get headUtime(): number | undefined {
    return this.#head.utime;
  }

  /** Calls back with every newer head; returns the unsubscribe function. */
  onHead(listener: (head: BlockIdExt) => void): () => void {
    return this.#head.news.add(listener);
  }

  /** Whether any server is usable now. */
  get isUsable(): boolean {
    return this.#scheduler.hasUsable;
  }

  /** Whether all servers are of another network, so that none can ever be used. */
  get isForeign(): boolean {
    return this.#servers.every((server) => server.isForeign);
  }

  /** Whether no server is usable, and the last attempt to reach each one has failed. */
  get isDown(): boolean {
    return !this.isUsable && this.#servers.every((server) => server.isLost);
  }

  /** Resolves when a server is usable, or none can be reached. Rejects at the deadline. */
  async looked(deadline: number): Promise<void> {
    while (!this.isUsable && !this.isDown) await this.#scheduler.changed(deadline);
  }

  /** Resolves to whether a server became usable within the time. */
  async ready(withinMs: number): Promise<boolean> {
    const deadline = this.#options.timers.now() + withinMs;
    try {
      while (!this.#scheduler.hasUsable && !this.isForeign) await this.#scheduler.changed(deadline);
      return this.#scheduler.hasUsable;
    } catch (error) {
      // The deadline has passed.
      if (error instanceof NoAnswerError) return false;
      throw error;
    }
  }

  status(): ServerStatus[] {
    return this.#servers.map((server) => server.status(this.#head.last?.seqno));
  }

  close(): void {
    for (const server of this.#servers) server.close();
    this.#scheduler.close();
    this.#head.close();
  }

  async #ask(method: LiteMethod, request: object, call: LiteCall): Promise<unknown> {
    const { timers } = this.#options;
    const now = timers.now();
    const { signal, archival, asked } = call;
    const timed = { signal, archival, asked, deadline: call.deadline ?? now + callMs };
    if (signal?.aborted) throw new LiteError(liteErrorCode.cancelled, "cancelled");
    if (timed.deadline <= now) throw new NoAnswerError();
    if (call.waitSeqno !== undefined) await this.#head.reaches(call.waitSeqno, timed);
    return method === "sendMessage" ? this.#send(request, timed) : this.#askInTurn(method, request, timed);
  }

  /** Tries one server after the other until one answers or the deadline passes. */
  async #askInTurn(method: LiteMethod, request: object, caller: Caller): Promise<unknown> {
    const { timers } = this.#options;
    const requirement = this.#requirementOf(method, request);
    const question = { method, request, requirement, caller };
    const isFuture = requirement.seqno !== undefined && requirement.seqno > this.#head.seqno;
    const attempts = new Attempts({ archival: caller.archival, isFuture });
    for (;;) {
      const server = await this.#scheduler.reserve(requirement, attempts, caller);
      if (server) {
        const answer = await this.#firstAnswer(server, question, attempts);
        if (answer !== undefined) {
          attempts.answered();
          return answer;
        }
        if (timers.now() >= caller.deadline) throw this.#giveUp(attempts);
        continue;
      }
      const pauseMs = attempts.nextRound();
      if (pauseMs === undefined || timers.now() + pauseMs >= caller.deadline) throw this.#giveUp(attempts);
      if (pauseMs > 0) await pause(pauseMs, caller.signal, timers);
      if (caller.signal?.aborted) throw new LiteError(liteErrorCode.cancelled, "cancelled");
    }
  }

  /** Logs the servers whose proofs failed without being confirmed as lies; returns the caller's error. */
  #giveUp({ unconfirmedLies, problem }: Attempts): unknown {
    for (const { server, error } of unconfirmedLies)
      this.#options.log.warn(
        { key: server.name, method: error.evidence.method, reason: error.message },
        "proof of a liteserver failed, and no other server answered",
      );
    return problem;
  }

  /** The answer of the server or of its hedges; undefined if all of them failed. */
  #firstAnswer(server: Liteserver, question: Question, attempts: Attempts): Promise<unknown> {
    const attempt = async (each: Liteserver) => {
      const isLagging = this.#isLagging(question.requirement, each);
      try {
        return await this.#askServer(each, question, attempts.isFinalRound ? callMs : attemptMs);
      } catch (error) {
        if (question.caller.signal?.aborted) throw error;
        attempts.failed(each, error, isLagging);
        return undefined;
      }
    };
    this.#hedges.earn();
    const first = attempt(server);
    const slowMs = server.stats.slowMs ?? maxHedgeMs;
    return hedged(first, {
      timers: this.#options.timers,
      afterMs: Math.max(minHedgeMs, Math.min(maxHedgeMs, slowMs)),
      second: () => {
        const other = this.#otherServer(server, question.requirement, attempts);
        if (!other || !this.#hedges.spend()) return undefined;
        other.reserve();
        server.stats.hedged();
        return attempt(other);
      },
    });
  }

  /** A free server for a hedge, which has the data already. Marks the slow one as tried. */
  #otherServer(slow: Liteserver, requirement: Requirement, attempts: Attempts): Liteserver | undefined {
    attempts.tried.add(slow);
    return this.#scheduler.free(requirement, attempts).find((each) => !this.#lacksBlock(requirement, each));
  }

  /** Whether the request needs a block that this server does not have yet, and others do. */
  #lacksBlock({ seqno }: Requirement, { head }: Liteserver): boolean {
    return seqno !== undefined && head !== undefined && seqno > head.seqno && seqno <= this.#head.seqno;
  }

  /** Whether the request may need the newest data, and this server does not have the newest block. */
  #isLagging({ seqno }: Requirement, { head }: Liteserver): boolean {
    return seqno === undefined && head !== undefined && head.seqno < this.#head.seqno;
  }

  /** Waits for an answer for `maxMs`, and no longer than until the caller's deadline. */
  async #askServer(server: Liteserver, question: Question, maxMs: number): Promise<unknown> {
    const { method, request, requirement, caller } = question;
    const { deadline, signal, asked } = caller;
    asked?.add(server.index);
    const longest = this.#options.timers.now() + maxMs;
    const waitSeqno = this.#lacksBlock(requirement, server) ? requirement.seqno : undefined;
    try {
      return await server.ask(method, request, { signal, deadline: Math.min(deadline, longest), waitSeqno });
    } finally {
      this.#scheduler.slotFreed();
    }
  }

  async #send(request: object, caller: Caller): Promise<unknown> {
    const requirement = { seqno: undefined, points: this.#shardPointsOf("sendMessage", request) };
    const question: Question = { method: "sendMessage", request, requirement, caller };
    const attempts = new Attempts();
    const failures = new SendFailures();
    for (;;) {
      const first = await this.#scheduler.reserve(requirement, attempts, caller);
      if (!first) throw failures.problem;
      attempts.tried.add(first);
      const others = this.#scheduler.free(requirement, attempts).slice(0, sendFanOut - 1);
      for (const server of others) {
        attempts.tried.add(server);
        server.reserve();
      }
      const sendings = [first, ...others].map((server) => this.#sendTo(server, question));
      const answer = await failures.first(sendings);
      if (answer !== undefined) return answer;
      if (failures.isAccepted) return { status: 1 };
      if (failures.refusal !== undefined) throw failures.refusal;
      if (this.#options.timers.now() >= caller.deadline) throw new NoAnswerError();
    }
  }

  /** No message makes an honest server give an invalid answer, so the ban needs no confirmation by another server. */
  #sendTo(server: Liteserver, question: Question): Promise<unknown> {
    return this.#askServer(server, question, sendMs).catch((error) => {
      if (error instanceof ProofError) server.ban(error);
      throw error;
    });
  }

  /** The head that callers see must not decrease, so only servers that have reached it may report it. */
  #requirementOf(method: LiteMethod, request: object): Requirement {
    const isHead = method === "getMasterchainInfo" || method === "getMasterchainInfoExt";
    const seqno = isHead ? this.#head.last?.seqno : requiredSeqno(method, request);
    return { seqno, points: this.#shardPointsOf(method, request) };
  }

  /** Skipped if every server holds everything. */
  #shardPointsOf(method: LiteMethod, request: object): readonly ShardPoint[] {
    return this.#hasSlices ? shardPointsOf(method, request) : [];
  }

  #changed(server: Liteserver): void {
    if (server.isUsable && server.head) this.#head.learn(server.head, server.headUtime);
    this.#scheduler.serverChanged();
  }
}
