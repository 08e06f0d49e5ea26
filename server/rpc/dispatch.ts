import { type CallOptions, isForOwner } from "../../shared/methods/define.js";
import { type Json, JsonText } from "../../shared/methods/json-text.js";
import type { Subscriber } from "../../shared/methods/subscriber.js";
import type { ErrorCode } from "../../shared/rpc/errors.js";
import { InFlight } from "../../shared/values/in-flight.js";
import { type Api, ServiceError } from "../errors.js";
import type { CallReport } from "../observe/log.js";
import { type Allowance, longBytes } from "./answer-budget.js";
import type { BoundMethod } from "./bind.js";
import type { AnswerCache, Slot } from "./cache.js";
import { cacheKey } from "./cache-key.js";
import type { Cancellation } from "./cancellation.js";
import { Flight } from "./flight.js";
import type { RawParams, ReadParams } from "./params.js";

/** Everything about a call besides its method and parameters. */
export interface CallContext {
  /** Id of the key, or the address prefix, for the log. */
  readonly callerId: string | undefined;
  /** Plan of the caller and id of its key, for metrics. */
  readonly plan?: string | undefined;
  readonly keyId?: string | undefined;
  /** Id of the caller's key; that of the devnet's own key for callers who may change the devnet without one. */
  readonly owner?: string | undefined;
  /** Whether the caller's plan has no rate limit. */
  readonly unlimited?: boolean;
  /** The caller's connection; absent if it is no WebSocket. */
  readonly subscriber?: Subscriber | undefined;
  readonly options: CallOptions;
  /** Whether parameters are refused that the method does not have. */
  readonly refusesUnknownParams?: boolean;
  /** Cancelled when the caller disconnects. Created lazily: read only if a handler has to be awaited. */
  readonly gone: Cancellation;
  /** Why the caller may not change the devnet; `undefined` if it may. Computed lazily, like `gone`. */
  readonly devnetRefusal: string | undefined;
  /** What the answer may hold of memory. Created lazily: read only for long results. */
  readonly allowance: Allowance;
  /** Charges points of the rate limit that a call turned out to cost beyond those that were charged before. */
  settle?(points: number): void;
}

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

/** The outcome of a call that is refused before it begins. */
export function refused(error: ServiceError): Outcome {
  return { error, durationMs: 0 };
}

/** An outcome; a promise of it if a handler has to be awaited. */
export type Ending = Outcome | Promise<Outcome>;

export type DispatcherOptions = {
  cache: AnswerCache;
  callTimeoutMs: number;
  /** Wall clock, ms. */
  now: () => number;
  newRequestId: () => string;
  report: (report: CallReport) => void;
  cacheRead: (outcome: "hit" | "miss" | "shared") => void;
  /** Runs before each call but those that control the service; the call fails with the `ServiceError` it rejects with. */
  disturb?: (() => Promise<void>) | undefined;
  /** Receives each finished call with what it was sent, keys and secrets excluded. */
  record?: ((call: FinishedCall) => void) | undefined;
};

export type FinishedCall = {
  method: string;
  params: Readonly<Record<string, unknown>>;
  durationMs: number;
  code?: ErrorCode;
  /** Why a contract refused the message that was sent. */
  exitMeaning?: string;
};

type Running = { readonly flight: Flight; readonly json: Promise<Json> };
type Params = Readonly<Record<string, unknown>>;
/** What equal calls share: the key of their run, and the cache slot, absent if the result is never cached. */
type CacheTarget = { readonly key: string; readonly slot: Slot | undefined };

/** A call in flight. */
export type CallInProgress = {
  readonly method: BoundMethod;
  readonly raw: RawParams;
  readonly context: CallContext;
  readonly startedAt: number;
  /** Indices of the liteservers that were asked for it. */
  asked?: ReadonlySet<number>;
  cached?: true;
};

/** Runs every call of every transport: reads parameters, asks the cache, runs the handler, maps errors. */
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
    const { disturb } = this.#options;
    if (disturb && !controlsService(method)) return () => this.#disturbed(call, disturb);
    return this.#begin(call);
  }

  async #disturbed(call: CallInProgress, disturb: () => Promise<void>): Promise<Outcome> {
    try {
      await disturb();
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
      const params = method.params.read(raw, context.refusesUnknownParams);
      const target = this.#targetOf(call, params);
      const json = target?.slot?.read();
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
    this.#options.report({ method, durationMs: 0, ...callerOf(context), code: error.code });
    return refused(error);
  }

  /** Calls with an effect, or about what a key has, have none: each is run. */
  #targetOf(call: CallInProgress, params: ReadParams): CacheTarget | undefined {
    const { name, definition } = call.method;
    if (definition.freshness.kind === "effect" || definition.needsKey) return undefined;
    const options = optionsOf(call);
    params.key ??= cacheKey(name, params.values);
    const key = options === noOptions ? params.key : `${params.key} ${JSON.stringify(options)}`;
    return { key, slot: this.#options.cache.slot(definition.freshness, key, params.values) };
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
    const flightKey = slot?.flightKey ?? key;
    const running = this.#running.get(flightKey);
    if (!running || running.flight.aborted) return this.#run(call, params, flightKey, slot);
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
    const flight = new Flight(optionsOf(call), key === undefined, call.context);
    const result = call.method.run(params, flight);
    if (!(result instanceof Promise)) {
      const json = serialize(result);
      if (!flight.provisional) slot?.write(json);
      return json;
    }
    const timeoutMs = Math.max(this.#options.callTimeoutMs, call.method.definition.timeoutMs ?? 0);
    const running = { flight, json: flight.finish(result.then(serialize), timeoutMs) };
    if (key !== undefined) this.#share(key, running, slot);
    return wait(running, call);
  }

  #share(key: string, running: Running, slot: Slot | undefined): void {
    this.#running.set(key, running);
    const land = () => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    running.json.then((json) => {
      const { flight } = running;
      if (!flight.provisional) slot?.write(json);
      if (flight.isShared && typeof json !== "string") json.keep();
      land();
    }, land);
  }

  #succeed(call: CallInProgress, json: Json): Outcome {
    return json.length < longBytes
      ? { json, call, durationMs: this.#report(call) }
      : this.#succeedLong(call, json);
  }

  #succeedLong(call: CallInProgress, json: Json): Outcome {
    const { allowance } = call.context;
    const longBytes = typeof json === "string" ? Buffer.byteLength(json) : json.length;
    // The caller of an effect must learn that it happened.
    if (call.method.definition.freshness.kind === "effect") allowance.add(longBytes);
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
    const data = { request_id: this.#options.newRequestId() };
    return new ServiceError("internal", undefined, { data, cause: thrown });
  }

  #report({ method, raw, context, startedAt }: CallInProgress, error?: ServiceError): number {
    const durationMs = this.#options.now() - startedAt;
    const report: CallReport = { method: method.name, durationMs, ...callerOf(context) };
    if (error) report.code = error.code;
    if (error?.code === "internal") {
      report.requestId = String(error.data["request_id"]);
      report.cause = error.cause;
    }
    this.#options.report(report);
    this.#options.record?.({
      method: method.name,
      params: withoutSecrets(method.params.sent(raw), method),
      durationMs,
      ...(error && { code: error.code, ...exitMeaningOf(error) }),
    });
    return durationMs;
  }
}

function callerOf({
  callerId: caller,
  plan,
  keyId,
}: CallContext): Pick<CallReport, "caller" | "plan" | "keyId"> {
  return { caller, plan, keyId };
}

/** Throws `forbidden` if the call is for the owner of the devnet and its caller may be somebody else. */
function checkDevnetCaller({ name, definition }: BoundMethod, context: CallContext): void {
  if (!isForOwner(definition) || context.devnetRefusal === undefined) return;
  throw new ServiceError("forbidden", `${name} needs an API key for this request: ${context.devnetRefusal}`);
}

/** Throws `forbidden` if the call is about what a key has and comes without one. */
function checkOwner({ name, definition }: BoundMethod, context: CallContext): void {
  if (definition.needsKey && context.owner === undefined)
    throw new ServiceError("forbidden", `${name} needs an API key`);
}

/** Whether a method is for those who look after the service: they need it while other calls are disturbed. */
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

function wait({ flight, json }: Running, call: CallInProgress): Promise<Json> {
  call.asked = flight.asked;
  return flight.join(json, call.context.gone);
}

/** Every result is serialized here, once. */
function serialize(result: unknown): Json {
  if (result instanceof JsonText) return result.json;
  const json = JSON.stringify(result);
  if (json === undefined) throw new TypeError("a handler returned nothing");
  return json;
}

/** The text of a result, which is part of one answer and nothing else. */
export function takeText(json: Json): string {
  const text = String(json);
  if (typeof json !== "string") json.release();
  return text;
}

/** Options affect v3 methods only; for v2 methods they are not read. */
function optionsOf({ method, context }: CallInProgress): CallOptions {
  return method.api === "v3" ? context.options : noOptions;
}
