import type { Log } from "../../observe/log.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { ClientEnvironment } from "../adnl/client.js";
import { type LiteApi, type LiteCall, LiteError, liteErrorCode } from "../lite-api.js";
import { type LiteMethod, liteApiFrom } from "../lite-methods.js";
import { liteMethods } from "../tl/lite-functions.js";
import { LyingServerError } from "../verify/failed-proof.js";
import { Attempts } from "./attempts.js";
import type { ListedServer } from "./global-config.js";
import { HedgeBudget, hedged } from "./hedge.js";
import { pause } from "./pause.js";
import { PoolHead } from "./pool-head.js";
import { PoolServer } from "./pool-server.js";
import { type Requirement, requiredSeqno } from "./requirement.js";
import { SendFailures } from "./send.js";
import { ServerScheduler } from "./server-scheduler.js";
import type { ServerStatus } from "./server-stats.js";
import { shardPointsOf } from "./shard-routing.js";
import type { ShardPoint } from "./slices.js";
import type { WaitLimit } from "./wait-queue.js";

export type PoolOptions = ClientEnvironment & {
  servers: readonly ListedServer[];
  zeroState: BlockIdExt;
  /** Puts checks around what a server answers; they throw a LyingServerError. */
  verify?: (api: LiteApi) => LiteApi;
  /** 0 to 1. */
  random(): number;
  log: Pick<Log, "info" | "warn">;
};

/** What a call says beside its question. */
type Caller = WaitLimit & Pick<LiteCall, "archival" | "asked">;
type Question = { method: LiteMethod; request: object; need: Requirement; caller: Caller };

const callMs = 10_000;
const attemptMs = 3000;
/** A second server is not asked sooner than this, and not later, whatever the first one is used to. */
const minHedgeMs = 25;
const maxHedgeMs = 1000;
const sendMs = 5000;
/** How many servers get a message at once. */
const sendFanOut = 3;

/**
 * Many liteservers as one LiteApi: each question goes to a server that has what it is about, and to another one when
 * that fails, until the caller's deadline. Rejects with a ServiceError `unavailable` when there is no server to ask.
 */
export class LitePool {
  readonly api: LiteApi;
  readonly #options: PoolOptions;
  readonly #servers: readonly PoolServer[];
  readonly #head: PoolHead;
  readonly #scheduler: ServerScheduler;
  readonly #hedges = new HedgeBudget();
  readonly #hasSlices: boolean;

  constructor(options: PoolOptions) {
    const { servers, timers, verify = (api) => api } = options;
    this.#options = options;
    this.#hasSlices = servers.some(({ slices }) => slices !== undefined);
    this.#head = new PoolHead(timers);
    this.api = liteApiFrom(liteMethods, (method, request, call) => this.#ask(method, request, call));
    const onChange = (server: PoolServer) => this.#changed(server);
    this.#servers = servers.map(
      (address, index) => new PoolServer({ ...options, index, address, verify, onChange }),
    );
    this.#scheduler = new ServerScheduler({ servers: this.#servers, head: this.#head, timers });
  }

  /** The newest block of any server; it never falls. */
  get head(): BlockIdExt | undefined {
    return this.#head.last;
  }

  /** Calls back with every newer head; the answer ends that. */
  onHead(listener: (head: BlockIdExt) => void): () => void {
    return this.#head.onChange(listener);
  }

  /** Whether there is a server to ask at this moment. */
  get isUsable(): boolean {
    return this.#scheduler.hasUsable;
  }

  /** Whether all servers are of another network, so that no one can ever be used. */
  get isForeign(): boolean {
    return this.#servers.every((server) => server.isForeign);
  }

  /** Whether a server has become usable within the time. */
  async ready(withinMs: number): Promise<boolean> {
    const deadline = this.#options.timers.now() + withinMs;
    try {
      while (!this.#scheduler.hasUsable && !this.isForeign) await this.#scheduler.changed(deadline);
      return this.#scheduler.hasUsable;
    } catch {
      return false;
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
    if (timed.deadline <= now) throw new LiteError(liteErrorCode.timeout, "timeout");
    if (call.waitSeqno !== undefined) await this.#head.reaches(call.waitSeqno, timed);
    return method === "sendMessage" ? this.#send(request, timed) : this.#askInTurn(method, request, timed);
  }

  /** One server after the other, until one has an answer or the time is over. */
  async #askInTurn(method: LiteMethod, request: object, caller: Caller): Promise<unknown> {
    const { timers } = this.#options;
    const need = this.#requirementOf(method, request);
    const question = { method, request, need, caller };
    const isFuture = need.seqno !== undefined && need.seqno > this.#head.seqno;
    const attempts = new Attempts({ archival: caller.archival, isFuture });
    for (;;) {
      const server = await this.#scheduler.reserve(need, attempts, caller);
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
      await pause(timers, pauseMs, caller.signal);
      if (caller.signal?.aborted) throw new LiteError(liteErrorCode.cancelled, "cancelled");
    }
  }

  /** What the caller is told. Whoever's answer did not hold is named, though not banned. */
  #giveUp({ unconfirmedLies, problem }: Attempts): unknown {
    for (const { server, error } of unconfirmedLies)
      this.#options.log.warn(
        { key: server.name, method: error.method, reason: error.message },
        "a liteserver's answer does not hold, and no other one has an answer",
      );
    return problem;
  }

  /** What the server answers, or another one that is asked as well when it takes unusually long; undefined when neither does. */
  #firstAnswer(server: PoolServer, question: Question, attempts: Attempts): Promise<unknown> {
    const attempt = async (each: PoolServer) => {
      const isLagging = this.#isLagging(question.need, each);
      try {
        return await this.#askServer(each, question);
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
        const other = this.#otherServer(server, question.need, attempts);
        if (!other || !this.#hedges.spend()) return undefined;
        other.reserve();
        server.stats.hedged();
        return attempt(other);
      },
    });
  }

  /** One that has all that is needed and is free; the one that is slow is not asked again either. */
  #otherServer(slow: PoolServer, need: Requirement, attempts: Attempts): PoolServer | undefined {
    attempts.tried.add(slow);
    return this.#scheduler.free(need, attempts).find((each) => !this.#lacksBlock(need, each));
  }

  /** Whether a question is about a block that the server does not have yet, and others do. */
  #lacksBlock({ seqno }: Requirement, { head }: PoolServer): boolean {
    return seqno !== undefined && seqno > head!.seqno && seqno <= this.#head.seqno;
  }

  /** Whether a question that may be about the newest data goes to a server that does not have the newest block. */
  #isLagging({ seqno }: Requirement, { head }: PoolServer): boolean {
    return seqno === undefined && head!.seqno < this.#head.seqno;
  }

  async #askServer(server: PoolServer, { method, request, need, caller }: Question): Promise<unknown> {
    const { deadline, signal, asked } = caller;
    asked?.add(server.index);
    const longest = this.#options.timers.now() + (method === "sendMessage" ? sendMs : attemptMs);
    const waitSeqno = this.#lacksBlock(need, server) ? need.seqno : undefined;
    try {
      return await server.ask(method, request, { signal, deadline: Math.min(deadline, longest), waitSeqno });
    } finally {
      this.#scheduler.slotFreed();
    }
  }

  async #send(request: object, caller: Caller): Promise<unknown> {
    const need = { seqno: undefined, points: this.#shardPointsOf("sendMessage", request) };
    const question: Question = { method: "sendMessage", request, need, caller };
    const attempts = new Attempts();
    const failures = new SendFailures();
    for (;;) {
      const first = await this.#scheduler.reserve(need, attempts, caller);
      if (!first) throw failures.problem;
      attempts.tried.add(first);
      const others = this.#scheduler.free(need, attempts).slice(0, sendFanOut - 1);
      for (const server of others) {
        attempts.tried.add(server);
        server.reserve();
      }
      const sendings = [first, ...others].map((server) => this.#sendTo(server, question));
      const answer = await failures.first(sendings);
      if (answer !== undefined) return answer;
      if (failures.isAccepted) return { status: 1 };
      if (failures.refusal !== undefined) throw failures.refusal;
      if (this.#options.timers.now() >= caller.deadline)
        throw new LiteError(liteErrorCode.timeout, "timeout");
    }
  }

  /** Nothing a caller sends makes an honest server answer what no server answers. */
  #sendTo(server: PoolServer, question: Question): Promise<unknown> {
    return this.#askServer(server, question).catch((error) => {
      if (error instanceof LyingServerError) server.ban(error);
      throw error;
    });
  }

  /** The head as callers see it does not fall, so a server must have reached it to say which one it is. */
  #requirementOf(method: LiteMethod, request: object): Requirement {
    const isHead = method === "getMasterchainInfo" || method === "getMasterchainInfoExt";
    const seqno = isHead ? this.#head.last?.seqno : requiredSeqno(method, request);
    return { seqno, points: this.#shardPointsOf(method, request) };
  }

  /** Looked for only where somebody does not hold everything. */
  #shardPointsOf(method: LiteMethod, request: object): readonly ShardPoint[] {
    return this.#hasSlices ? shardPointsOf(method, request) : [];
  }

  #changed(server: PoolServer): void {
    if (server.isUsable && server.head) this.#head.learn(server.head);
    this.#scheduler.serverChanged();
  }
}
