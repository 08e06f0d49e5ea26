import { type CallOptions, isForOwner } from "../../shared/methods/define.js";
import {
  type Json,
  JsonText,
  type SharedJson,
  SingleUseJson,
  sharedJson,
} from "../../shared/methods/json-text.js";
import type { Subscriber } from "../../shared/methods/subscriber.js";
import { cacheKey } from "../../shared/rpc/cache-key.js";
import type { ErrorCode } from "../../shared/rpc/errors.js";
import { InFlight } from "../../shared/values/in-flight.js";
import { type Api, ServiceError } from "../errors.js";
import type { CallDetails, CallReport } from "../observe/log.js";
import { type Allowance, longBytes } from "./answers/answer-budget.js";
import { type BoundMethod, freshnessOf, type PlainFreshness } from "./bind.js";
import type { AnswerCache, Slot } from "./cache.js";
import { pointsOf, pointsOfLength } from "./call-points.js";
import type { Cancellation } from "./cancellation.js";
import type { Fault } from "./fault-injection.js";
import type { RawParams, ReadParams } from "./params/params.js";
import type { CallTrail } from "./read-trail.js";
import { type IndexVersion, SharedRun } from "./shared-run.js";

/** Everything about a call except its method and parameters. */
export interface CallContext {
  /** Id of the key, or the address prefix, for the log. */
  readonly callerId: string | undefined;
  /** Plan of the caller and id of its key, for metrics. */
  readonly plan?: string | undefined;
  readonly keyId?: string | undefined;
  /**
   * Id of the caller's key. Callers who may change the devnet without a key have the id of the devnet's built-in key.
   */
  readonly owner?: string | undefined;
  /** Whether the caller's plan has no rate limit. */
  readonly unlimited?: boolean;
  /** The caller's connection; absent if it is no WebSocket. */
  readonly subscriber?: Subscriber | undefined;
  readonly options: CallOptions;
  /** The id by which a proxy knows the request. Read lazily, like `options`. */
  readonly requestId?: string | undefined;
  /** The newest masterchain block that the caller has seen in the index. Read lazily, like `options`. */
  readonly seenIndex?: number | undefined;
  /** Receives the last masterchain block of the index that a call was answered from. */
  sawIndex?(seqno: number): void;
  /** Whether parameters are refused that the method does not have. */
  readonly refusesUnknownParams?: boolean;
  /** Cancelled when the caller disconnects. Created lazily: read only if a handler has to be awaited. */
  readonly gone: Cancellation;
  /** Why the caller may not change the devnet; `undefined` if it may. Computed lazily, like `gone`. */
  readonly devnetRefusal: string | undefined;
  /** Whether the caller is on the devnet's machine, or has the devnet's own key. */
  readonly isLocal?: (() => Promise<boolean>) | undefined;
  /** Memory that the answer may take. Created lazily: read only for long results. */
  readonly allowance: Allowance;
  /** Charges the points that a call cost beyond the points charged before it. */
  settle?(points: number): void;
  /** As `permit` of the caller. */
  readonly permit?: ((method: string, points: number) => void) | undefined;
}

/** The options of calls that give none. Compared by identity: their results have shorter cache keys. */
export const noOptions: CallOptions = {};

/** The result of a call as JSON text, or its error. */
export type Outcome = ({ readonly json: Json } | { readonly error: ServiceError }) & {
  /** Absent if the call was refused before it began. */
  readonly call?: CallInProgress;
  readonly durationMs: number;
  /** Bytes of a long result. The allowance holds them, unless the result was refused for its length. */
  readonly longBytes?: number;
};

/** HTTP status of a single call. */
export function statusOf(outcome: Outcome, api: Api): number {
  return "error" in outcome ? outcome.error.statusIn(api) : 200;
}

/** The cursor that a list gives beside its result; `undefined` for other results. */
export function nextCursorOf(outcome: Outcome): string | null | undefined {
  return "error" in outcome ? undefined : outcome.call?.source?.nextCursor;
}

/** The same as a member of an envelope, with a leading comma. */
export function cursorMember(outcome: Outcome): string {
  const cursor = nextCursorOf(outcome);
  return cursor === undefined ? "" : `,"cursor":${JSON.stringify(cursor)}`;
}

/** Whether a later call with the same parameters has the same result. */
export function isLasting({ call }: Outcome): boolean {
  return call?.freshness?.kind === "immutable" && call.source?.provisional !== true;
}

/** The outcome of a call that is refused before it begins. */
export function refused(error: ServiceError): Outcome {
  return { error, durationMs: 0 };
}

/** An outcome; a promise of it if a handler has to be awaited. */
export type Ending = Outcome | Promise<Outcome>;

type DispatcherOptions = {
  cache: AnswerCache;
  callTimeoutMs: number;
  /** Wall clock, ms. */
  now: () => number;
  newRequestId: () => string;
  report: (report: CallReport) => void;
  cacheRead: (outcome: "hit" | "miss" | "shared") => void;
  /**
   * Runs before a call that begins now, except calls that control the service; the call fails with the
   * `ServiceError` it rejects with.
   */
  faults?: (() => Fault | undefined) | undefined;
  /** Names what only this key's calls read; undefined if they have the answers of all callers. */
  viewOf?: ((owner: string) => string | undefined) | undefined;
  /** Receives each finished call with what it was sent, keys and secrets excluded. */
  record?: ((call: FinishedCall) => void) | undefined;
};

export type FinishedCall = {
  /** As in its context. */
  owner: string | undefined;
  method: string;
  params: Readonly<Record<string, unknown>>;
  durationMs: number;
  code?: ErrorCode;
  /** Why a contract refused the message that was sent. */
  exitMeaning?: string;
};

type Running = { readonly run: SharedRun; readonly json: Promise<Json> };
type Params = Readonly<Record<string, unknown>>;
/** Shared by equal calls: the key of their run, and the cache slot, absent if the result is never cached. */
type CacheTarget = { readonly key: string; readonly slot: Slot | undefined };

/** A call in flight. */
type CallInProgress = {
  readonly method: BoundMethod;
  readonly raw: RawParams;
  readonly context: CallContext;
  readonly startedAt: number;
  /** Known once its parameters were read. */
  freshness?: PlainFreshness;
  /** Indices of the liteservers that received it. */
  asked?: ReadonlySet<number>;
  cached?: true;
  /** The source of its result. */
  source?: {
    readonly indexVersion?: IndexVersion | undefined;
    readonly nextCursor?: string | null;
    readonly provisional?: boolean;
    readonly trail?: CallTrail;
  };
  /** The id of a call that failed by a fault of this service. */
  requestId?: string;
};

/**
 * Runs every call of every transport, in these steps. The definition of the method decides them unless another place is
 * named.
 * 1. A devnet delays or fails it on purpose (`Faults`).
 * 2. It is refused if it is for the devnet's owner or for a key, and its caller is another, if the caller's key is not for
 *    the method, or if its quota is used up.
 * 3. Its parameters are read (`ParamReader`).
 * 4. The cache answers (`AnswerCache`), or an equal call in flight does (`SharedRun`).
 * 5. Its group refuses it, it begins behind a cursor, its handler answers, its group explains an error (`runOf` in
 *    bind.ts, with the rules given to `implement`). A run ends at its deadline, or with its last caller.
 * 6. The result is serialized, and cached.
 * 7. Long results cost points and need room (`Allowance`).
 * 8. The call is reported, and recorded on a devnet.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #running = new InFlight<string, Running>();

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Runs a call. Never rejects; returns no promise unless a handler has to be awaited. */
  call(method: BoundMethod, raw: RawParams, context: CallContext): Ending {
    const begun = this.begin(method, raw, context);
    return typeof begun === "function" ? begun() : begun;
  }

  /** The outcome of a cached or invalid call; for any other call a function that runs it once and never rejects. */
  begin(method: BoundMethod, raw: RawParams, context: CallContext): Outcome | (() => Ending) {
    const call: CallInProgress = { method, raw, context, startedAt: this.#options.now() };
    const fault = this.#options.faults?.();
    if (fault && !controlsService(method)) return () => this.#faulted(call, fault);
    return this.#begin(call);
  }

  async #faulted(call: CallInProgress, fault: Fault): Promise<Outcome> {
    try {
      await fault();
    } catch (error) {
      return this.#fail(call, error);
    }
    const begun = this.#begin(call);
    return typeof begun === "function" ? begun() : begun;
  }

  #begin(call: CallInProgress): Outcome | (() => Ending) {
    const { method, raw, context } = call;
    try {
      checkDevnetCaller(method, context);
      checkOwner(method, context);
      context.permit?.(method.name, pointsOf(method, raw));
      const params = method.params.read(raw, context.refusesUnknownParams);
      const target = this.#targetOf(call, params);
      const json = readSlot(call, target?.slot);
      if (json === undefined) return () => this.#finish(call, params.values, target);
      this.#options.cacheRead("hit");
      call.cached = true;
      return this.#succeed(call, json);
    } catch (error) {
      return this.#fail(call, error);
    }
  }

  /** Refuses a call before it is read, and reports it like any other. */
  refuse(method: string, error: ServiceError, context: CallContext): Outcome {
    const { callerId: caller, plan, keyId } = context;
    this.#options.report({ method, durationMs: 0, caller, plan, keyId, code: error.code });
    return refused(error);
  }

  /** Calls with an effect, or about what a key has, have none: each is run. */
  #targetOf(call: CallInProgress, params: ReadParams): CacheTarget | undefined {
    const { name, definition } = call.method;
    const freshness = freshnessOf(call.method, params.values);
    call.freshness = freshness;
    if (freshness.kind === "effect" || definition.needsKey) return undefined;
    const options = optionsOf(call);
    params.key ??= cacheKey(name, params.values);
    const common = options === noOptions ? params.key : `${params.key} ${JSON.stringify(options)}`;
    const { owner } = call.context;
    const view = owner === undefined ? undefined : this.#options.viewOf?.(owner);
    const key = view === undefined ? common : `${common} for ${view}`;
    return { key, slot: this.#options.cache.slot(freshness, key, params.values) };
  }

  #finish(call: CallInProgress, params: Params, target: CacheTarget | undefined): Ending {
    try {
      const found = this.#find(call, params, target);
      if (!(found instanceof Promise)) return this.#succeed(call, found);
      return found.then(
        (late) => this.#succeed(call, late),
        (error) => this.#fail(call, error),
      );
    } catch (error) {
      return this.#fail(call, error);
    }
  }

  #find(call: CallInProgress, params: Params, target: CacheTarget | undefined): Json | Promise<Json> {
    if (!target) return this.#run(call, params, undefined, undefined);
    const { key, slot } = target;
    if (slot) this.#options.cacheRead("miss");
    const seen = seenIndexOf(call);
    const runKey = (slot?.runKey ?? key) + (seen === undefined ? "" : ` @${seen}`);
    const running = this.#running.get(runKey);
    if (!running || running.run.aborted) return this.#run(call, params, runKey, slot);
    this.#options.cacheRead("shared");
    return wait(running, call);
  }

  /** Without a key the run is not shared, and continues if its caller disconnects. */
  #run(
    call: CallInProgress,
    params: Params,
    key: string | undefined,
    slot: Slot | undefined,
  ): Json | Promise<Json> {
    const run = new SharedRun(optionsOf(call), key === undefined, call.context, leastIndexOf(call, params));
    call.source = run;
    const result = call.method.run(params, run);
    if (!(result instanceof Promise)) {
      const json = serialize(result);
      if (!run.provisional) slot?.write(json, run.indexVersion);
      return json;
    }
    const timeoutMs = Math.max(this.#options.callTimeoutMs, call.method.definition.timeoutMs ?? 0);
    const running = { run, json: run.finish(result.then(serialize), timeoutMs) };
    if (key !== undefined) this.#share(key, running, slot);
    return wait(running, call);
  }

  #share(key: string, running: Running, slot: Slot | undefined): void {
    this.#running.set(key, running);
    const forget = () => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    running.json.then((json) => {
      if (!running.run.provisional) slot?.write(json, running.run.indexVersion);
      forget();
    }, forget);
  }

  #succeed(call: CallInProgress, json: Json): Outcome {
    if (call.method.definition.paysForLength) {
      const points = pointsOfLength(json.length);
      if (points > 0) call.context.settle?.(points);
    }
    return json.length < longBytes
      ? { json, call, durationMs: this.#report(call) }
      : this.#succeedLong(call, json);
  }

  #succeedLong(call: CallInProgress, json: Json): Outcome {
    const { allowance } = call.context;
    const longBytes = typeof json === "string" ? Buffer.byteLength(json) : json.length;
    // The caller of an effect must learn that it happened.
    if (call.freshness?.kind === "effect") allowance.add(longBytes);
    else {
      const error = allowance.take(longBytes);
      if (error) return { ...this.#fail(call, error), longBytes };
    }
    return { json, call, durationMs: this.#report(call), longBytes };
  }

  #fail(call: CallInProgress, thrown: unknown): Outcome {
    const error = this.#explain(call, thrown);
    return { error, call, durationMs: this.#report(call, error) };
  }

  /** Any error but a ServiceError is a defect: the caller gets a request id, the log the cause. */
  #explain({ context }: CallInProgress, thrown: unknown): ServiceError {
    if (thrown instanceof ServiceError && thrown.code !== "internal") return thrown;
    if (context.gone.isCancelled)
      return new ServiceError("unavailable", "the caller has gone", { cause: thrown });
    const data = { request_id: this.#idOf(context) };
    return new ServiceError("internal", undefined, { data, cause: thrown });
  }

  #idOf({ requestId }: CallContext): string {
    return requestId ?? this.#options.newRequestId();
  }

  #report(call: CallInProgress, error?: ServiceError): number {
    const { method, raw, context, startedAt, source } = call;
    if (source?.indexVersion) context.sawIndex?.(source.indexVersion.seqno);
    const durationMs = this.#options.now() - startedAt;
    const { callerId: caller, plan, keyId } = context;
    // One literal: V8 keeps a function that is added to an object later, and with it the call, until the next full collection.
    const details = () => detailsOf(call);
    const report: CallReport = { method: method.name, durationMs, caller, plan, keyId, details };
    if (error) report.code = error.code;
    if (error?.code === "internal") {
      call.requestId = String(error.data["request_id"]);
      report.cause = error.cause;
    } else if (error && failures.has(error.code)) call.requestId = this.#idOf(context);
    if (call.requestId !== undefined) report.requestId = call.requestId;
    this.#options.report(report);
    this.#options.record?.({
      owner: context.owner,
      method: method.name,
      params: withoutSecrets(method.params.sent(raw), method),
      durationMs,
      ...(error && { code: error.code, ...exitMeaningOf(error) }),
    });
    return durationMs;
  }
}

/** Codes of calls that failed although nothing was wrong with them. */
const failures: ReadonlySet<ErrorCode> = new Set(["internal", "unavailable", "timeout"]);

/** What the log says of a slow or failed call, beside its report. */
function detailsOf({ method, raw, context, freshness, asked, source }: CallInProgress): CallDetails {
  const { definition } = method;
  const { requestId } = context;
  const { door, slowest } = source?.trail ?? {};
  const doors = [
    ...(door === undefined ? [] : [door]),
    ...[...(asked ?? [])].map((index) => `liteserver ${index}`),
  ];
  return {
    ...(requestId !== undefined && { requestId }),
    params: method.params.sent(raw),
    // What is sent is worth as much as a key to whom reads it first.
    hidden: freshness?.kind === "effect" ? "all" : (definition.secrets ?? []),
    ...(doors.length > 0 && { door: doors.join(", ") }),
    ...(slowest && { statement: slowest.name, statementMs: Math.round(slowest.ms) }),
  };
}

/** Throws `forbidden` if the method is for the owner of the devnet and the caller may not be the owner. */
function checkDevnetCaller({ name, definition }: BoundMethod, context: CallContext): void {
  if (!isForOwner(definition) || context.devnetRefusal === undefined) return;
  throw new ServiceError("forbidden", `${name} needs an API key for this request: ${context.devnetRefusal}`);
}

/** Throws `forbidden` if the call is about what a key has and comes without one. */
function checkOwner({ name, definition }: BoundMethod, context: CallContext): void {
  if (definition.needsKey && context.owner === undefined)
    throw new ServiceError("forbidden", `${name} needs an API key`);
}

/** Whether a method controls the service: it must work while other calls are delayed or failed on purpose. */
function controlsService({ name, definition }: BoundMethod): boolean {
  return definition.network === "devnet" || name.startsWith("rpc.");
}

/** Why a contract refused a message, in words. */
function exitMeaningOf({ data: { exit_meaning: exitMeaning } }: ServiceError): { exitMeaning?: string } {
  return typeof exitMeaning === "string" ? { exitMeaning } : {};
}

function withoutSecrets(params: Params, { definition: { secrets = [] } }: BoundMethod): Params {
  return secrets.length === 0
    ? params
    : Object.fromEntries(Object.entries(params).filter(([name]) => !secrets.includes(name)));
}

function wait({ run, json }: Running, call: CallInProgress): Promise<Json> {
  call.asked = run.asked;
  call.source = run;
  return run.join(json, call.context.gone, sharedJson);
}

/** A stored result, unless the caller has seen a later block in the index than it was read from. */
function readSlot(call: CallInProgress, slot: Slot | undefined): SharedJson | undefined {
  const json = slot?.read();
  if (json === undefined) return undefined;
  const { indexVersion } = slot!;
  if (indexVersion) {
    if (indexVersion.seqno < (seenIndexOf(call) ?? 0)) return undefined;
    call.source = { indexVersion };
  }
  return json;
}

function seenIndexOf({ method, context }: CallInProgress): number | undefined {
  return method.api === "v3" ? context.seenIndex : undefined;
}

/** The masterchain block that the index must have for a call: one that the caller has seen, or asks for. */
function leastIndexOf(call: CallInProgress, { mc_seqno, seqno, workchain }: Params): number | undefined {
  if (call.method.api !== "v3") return undefined;
  // Beside a workchain it is the number of a block of that one.
  const asked = mc_seqno ?? (workchain === undefined || workchain === -1 ? seqno : undefined);
  const least = Math.max(Number(asked ?? 0), seenIndexOf(call) ?? 0);
  return least > 0 ? least : undefined;
}

/** The only place where results are serialized. */
function serialize(result: unknown): Json {
  if (result instanceof JsonText) return result.json;
  const json = JSON.stringify(result);
  if (json === undefined) throw new TypeError("a handler returned nothing");
  return json;
}

/** The text of a result, which is part of one answer and nothing else. */
export function takeText(json: Json): string {
  return json instanceof SingleUseJson ? json.takeText() : String(json);
}

/** Options affect v3 methods only; for v2 methods they are not read. */
function optionsOf({ method, context }: CallInProgress): CallOptions {
  return method.api === "v3" ? context.options : noOptions;
}
