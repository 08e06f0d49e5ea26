import type { Log } from "../../log.js";
import type { BlockIdExt } from "../block-id.js";
import { type LiteApi, type LiteCall, LiteError, liteErrorCode } from "../lite-api.js";
import type { ClientSurroundings } from "./adnl/client.js";
import { Attempts, unavailable } from "./attempts.js";
import { Change, type Patience } from "./change.js";
import { choose } from "./choose.js";
import type { ListedServer } from "./global-config.js";
import { HedgeBudget, hedged } from "./hedge.js";
import { type LiteMethod, liteApiFrom } from "./lite-methods.js";
import { type Need, seqnoNeeded } from "./need.js";
import { pause } from "./pause.js";
import { placesOf } from "./places.js";
import { PoolServer } from "./pool-server.js";
import { SendFailures } from "./send.js";
import type { ServerStatus } from "./server-numbers.js";
import type { Place } from "./slices.js";
import { liteMethods } from "./tl/lite-functions.js";

export type PoolOptions = ClientSurroundings & {
  servers: readonly ListedServer[];
  zeroState: BlockIdExt;
  /** Puts checks around what a server answers; they throw a LyingServerError. */
  verify?: (api: LiteApi) => LiteApi;
  /** 0 to 1. */
  random(): number;
  log: Pick<Log, "info" | "warn">;
};

/** What a call says beside its question. */
type Caller = Patience & Pick<LiteCall, "archival" | "asked">;
type Question = { method: LiteMethod; request: object; need: Need; caller: Caller };

const callMs = 10_000;
const attemptMs = 3000;
/** A second server is not asked sooner than this, and not later, whatever the first one is used to. */
const shortestHedgeMs = 25;
const longestHedgeMs = 1000;
const sendMs = 5000;
/** How many servers get a message at once. */
const sendWidth = 3;
const maxInFlight = 32;
const maxWaiting = 256;
/** How long a call waits for any server to be there at all. */
const absenceMs = 1000;
const maxAhead = 100;

/**
 * Many liteservers as one LiteApi: each question goes to a server that has what it is about, and to another one when
 * that fails, until the caller's deadline. Rejects with a ServiceError `unavailable` when there is no server to ask.
 */
export class LitePool {
  readonly api: LiteApi;
  readonly #options: PoolOptions;
  readonly #servers: readonly PoolServer[];
  /** A server has become usable or unusable, or is free for another question. */
  readonly #change: Change;
  readonly #newHead: Change;
  readonly #hedges = new HedgeBudget();
  readonly #listeners = new Set<(head: BlockIdExt) => void>();
  readonly #hasSlices: boolean;
  #head: BlockIdExt | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    const { servers, timers, verify = (api) => api } = options;
    this.#options = options;
    this.#hasSlices = servers.some(({ slices }) => slices !== undefined);
    this.#change = new Change(timers);
    this.#newHead = new Change(timers);
    this.api = liteApiFrom(liteMethods, (method, request, call) => this.#ask(method, request, call));
    const onChange = (server: PoolServer) => this.#changed(server);
    this.#servers = servers.map(
      (address, index) => new PoolServer({ ...options, index, address, verify, onChange }),
    );
  }

  /** The newest block of any server; it never falls. */
  get head(): BlockIdExt | undefined {
    return this.#head;
  }

  /** Calls back with every newer head; the answer ends that. */
  onHead(listener: (head: BlockIdExt) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether all servers are of another network, so that no one can ever be used. */
  get isForeign(): boolean {
    return this.#servers.every((server) => server.isForeign);
  }

  /** Whether a server has become usable within the time. */
  async ready(withinMs: number): Promise<boolean> {
    const deadline = this.#options.timers.now() + withinMs;
    try {
      while (!this.#hasUsable && !this.isForeign) await this.#change.wait({ deadline });
      return this.#hasUsable;
    } catch {
      return false;
    }
  }

  status(): ServerStatus[] {
    return this.#servers.map((server) => server.status(this.#head?.seqno));
  }

  close(): void {
    this.#closed = true;
    for (const server of this.#servers) server.close();
    this.#change.tellAll();
    this.#newHead.tellAll();
  }

  async #ask(method: LiteMethod, request: object, call: LiteCall): Promise<unknown> {
    const { timers } = this.#options;
    const now = timers.now();
    const { signal, archival, asked } = call;
    const timed = { signal, archival, asked, deadline: call.deadline ?? now + callMs };
    if (signal?.aborted) throw new LiteError(liteErrorCode.cancelled, "cancelled");
    if (timed.deadline <= now) throw new LiteError(liteErrorCode.timeout, "timeout");
    if (call.waitSeqno !== undefined) await this.#waitForHead(call.waitSeqno, timed);
    return method === "sendMessage" ? this.#send(request, timed) : this.#askInTurn(method, request, timed);
  }

  /** One server after the other, until one has an answer or the time is over. */
  async #askInTurn(method: LiteMethod, request: object, caller: Caller): Promise<unknown> {
    const { timers } = this.#options;
    const need = this.#needOf(method, request);
    const question = { method, request, need, caller };
    const isHopeless = need.seqno !== undefined && need.seqno > this.#best;
    const attempts = new Attempts({ archival: caller.archival, isHopeless });
    for (;;) {
      const server = await this.#freeServer(need, attempts, caller);
      if (server) {
        const answer = await this.#firstAnswer(server, question, attempts);
        if (answer !== undefined) return answer;
        if (timers.now() >= caller.deadline) throw attempts.problem;
        continue;
      }
      const pauseMs = attempts.nextRound();
      if (pauseMs === undefined || timers.now() + pauseMs >= caller.deadline) throw attempts.problem;
      await pause(timers, pauseMs, caller.signal);
      if (caller.signal?.aborted) throw new LiteError(liteErrorCode.cancelled, "cancelled");
    }
  }

  /** What the server answers, or another one that is asked as well when it takes unusually long; undefined when neither does. */
  #firstAnswer(server: PoolServer, question: Question, attempts: Attempts): Promise<unknown> {
    const attempt = async (each: PoolServer) => {
      try {
        return await this.#askServer(each, question);
      } catch (error) {
        if (question.caller.signal?.aborted) throw error;
        attempts.failed(each, error);
        return undefined;
      }
    };
    this.#hedges.earn();
    const first = attempt(server);
    const slowMs = server.numbers.slowMs ?? longestHedgeMs;
    return hedged(first, {
      timers: this.#options.timers,
      afterMs: Math.max(shortestHedgeMs, Math.min(longestHedgeMs, slowMs)),
      second: () => {
        const other = this.#otherServer(server, question.need, attempts);
        if (!other || !this.#hedges.spend()) return undefined;
        other.reserve();
        server.numbers.hedged();
        return attempt(other);
      },
    });
  }

  /** One that has all that is needed and is free; the one that is slow is not asked again either. */
  #otherServer(slow: PoolServer, need: Need, attempts: Attempts): PoolServer | undefined {
    attempts.tried.add(slow);
    return this.#choose(need, attempts).find((each) => isFree(each) && !this.#isAhead(need, each));
  }

  /** Whether a question is about a block that the server does not have yet, and others do. */
  #isAhead({ seqno }: Need, { head }: PoolServer): boolean {
    return seqno !== undefined && seqno > head!.seqno && seqno <= this.#best;
  }

  async #askServer(server: PoolServer, { method, request, need, caller }: Question): Promise<unknown> {
    const { deadline, signal, asked } = caller;
    asked?.add(server.index);
    const longest = this.#options.timers.now() + (method === "sendMessage" ? sendMs : attemptMs);
    const waitSeqno = this.#isAhead(need, server) ? need.seqno : undefined;
    try {
      return await server.ask(method, request, { signal, deadline: Math.min(deadline, longest), waitSeqno });
    } finally {
      this.#change.tellOne();
    }
  }

  async #send(request: object, caller: Caller): Promise<unknown> {
    const need = { seqno: undefined, places: this.#placesOf("sendMessage", request) };
    const question: Question = { method: "sendMessage", request, need, caller };
    const attempts = new Attempts();
    const failures = new SendFailures();
    for (;;) {
      const first = await this.#freeServer(need, attempts, caller);
      if (!first) throw failures.refusal ?? unavailable();
      attempts.tried.add(first);
      const others = this.#choose(need, attempts)
        .filter(isFree)
        .slice(0, sendWidth - 1);
      for (const server of others) {
        attempts.tried.add(server);
        server.reserve();
      }
      const sendings = [first, ...others].map((server) => this.#askServer(server, question));
      const answer = await failures.first(sendings);
      if (answer !== undefined) return answer;
      if (failures.isTaken) return { status: 1 };
      if (failures.refusal !== undefined) throw failures.refusal;
      if (this.#options.timers.now() >= caller.deadline)
        throw new LiteError(liteErrorCode.timeout, "timeout");
    }
  }

  /** A place at the best of the servers not tried yet that has one; undefined when all have been tried. */
  async #freeServer(need: Need, attempts: Attempts, patience: Patience): Promise<PoolServer | undefined> {
    const absentUntil = Math.min(patience.deadline, this.#options.timers.now() + absenceMs);
    for (;;) {
      if (this.#closed) throw unavailable();
      const usable = this.#choose(need, attempts);
      const free = usable.find(isFree);
      if (free) {
        free.reserve();
        return free;
      }
      if (usable.length === 0 && attempts.tried.size > 0) return undefined;
      if (this.#change.waiting >= maxWaiting) throw unavailable();
      const canUse = () => this.#choose(need, attempts).some(isFree);
      if (usable.length > 0) await this.#change.wait(patience, canUse);
      else await this.#waitForAny({ ...patience, deadline: absentUntil });
    }
  }

  /** Where all have fallen silent, one of them may still have been unlucky. */
  #choose(need: Need, { tried, deep }: Attempts): PoolServer[] {
    const able = this.#servers.filter((server) => (this.#hasUsable ? server.isUsable : server.isThere));
    const servers = able.filter((server) => !tried.has(server));
    return choose(servers, { need, best: this.#best, deep });
  }

  get #best(): number {
    return this.#head?.seqno ?? 0;
  }

  async #waitForAny(patience: Patience): Promise<void> {
    try {
      await this.#change.wait(patience);
    } catch (error) {
      if (patience.signal?.aborted) throw error;
      throw unavailable(error);
    }
  }

  /** The head as callers see it does not fall, so a server must have reached it to say which one it is. */
  #needOf(method: LiteMethod, request: object): Need {
    const isHead = method === "getMasterchainInfo" || method === "getMasterchainInfoExt";
    const seqno = isHead ? this.#head?.seqno : seqnoNeeded(method, request);
    return { seqno, places: this.#placesOf(method, request) };
  }

  /** Looked for only where somebody does not hold everything. */
  #placesOf(method: LiteMethod, request: object): readonly Place[] {
    return this.#hasSlices ? placesOf(method, request) : [];
  }

  async #waitForHead(seqno: number, { deadline, signal }: Patience): Promise<void> {
    const longest = this.#options.timers.now() + callMs;
    while ((this.#head?.seqno ?? -1) < seqno) {
      if (this.#closed) throw unavailable();
      if (this.#head && seqno > this.#head.seqno + maxAhead)
        throw new LiteError(liteErrorCode.notReady, "too big masterchain block seqno");
      await this.#newHead.wait({ deadline: Math.min(deadline, longest), signal });
    }
  }

  get #hasUsable(): boolean {
    return this.#servers.some((server) => server.isUsable);
  }

  #changed(server: PoolServer): void {
    const { head } = server;
    if (server.isUsable && head && head.seqno > (this.#head?.seqno ?? -1)) {
      this.#head = head;
      this.#newHead.tellAll();
      for (const listener of this.#listeners) listener(head);
    }
    this.#change.tellAll();
  }
}

function isFree(server: PoolServer): boolean {
  return server.numbers.inFlight < maxInFlight;
}
