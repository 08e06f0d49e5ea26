import type { CallOptions } from "../../shared/methods/define.js";
import { JsonText } from "../../shared/methods/json-text.js";
import { type Api, ServiceError } from "../errors.js";
import type { CallReport } from "../observe/log.js";
import type { BoundMethod } from "./bind.js";
import type { AnswerCache, Slot } from "./cache.js";
import { cacheKey } from "./cache-key.js";
import { Flight } from "./flight.js";
import type { Given } from "./params.js";

/** What a call brings besides method and parameters. */
export interface CallContext {
  /** Key id or address bucket, for the log. */
  readonly callerId: string | undefined;
  readonly options: CallOptions;
  /** Fires when the caller has gone. Asked for only when a handler has to be waited for. */
  readonly gone: AbortSignal;
}

export const noOptions: CallOptions = {};

/** How a call ended: with a result as JSON text, or with an error. */
export type Outcome = ({ readonly json: string } | { readonly error: ServiceError }) & {
  /** Absent when the call was refused before it began. */
  readonly passage?: CallInProgress;
  readonly durationMs: number;
};

/** HTTP status of a single call. */
export function statusOf(outcome: Outcome, api: Api): number {
  return "error" in outcome ? outcome.error.statusIn(api) : 200;
}

/** How a call ends that was refused before it began. */
export function refused(error: ServiceError): Outcome {
  return { error, durationMs: 0 };
}

export type Ending = Outcome | Promise<Outcome>;

export type DispatcherOptions = {
  cache: AnswerCache;
  callTimeoutMs: number;
  /** Wall clock, ms. */
  now: () => number;
  newRequestId: () => string;
  report: (report: CallReport) => void;
  cacheRead: (outcome: "hit" | "miss" | "shared") => void;
};

type Running = { readonly flight: Flight; readonly json: Promise<string> };
type Params = Readonly<Record<string, unknown>>;
/** What equal calls share: the name of their run, and where their answer is kept if it is. */
type CacheTarget = { readonly key: string; readonly slot: Slot | undefined };

/** A call on its way. */
export type CallInProgress = {
  readonly method: BoundMethod;
  readonly context: CallContext;
  readonly startedAt: number;
  /** Liteservers asked on its behalf. */
  asked?: ReadonlySet<number>;
  cached?: true;
};

/** The one path of every call, whatever brought it: parameters, cache, handler, errors. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Never rejects. Answers at once where nothing has to be waited for. */
  call(method: BoundMethod, given: Given, context: CallContext): Ending {
    const begun = this.begin(method, given, context);
    return typeof begun === "function" ? begun() : begun;
  }

  /** The end of a call where nothing has to be run for it; otherwise what runs it, once, and never rejects. */
  begin(method: BoundMethod, given: Given, context: CallContext): Outcome | (() => Ending) {
    const passage: CallInProgress = { method, context, startedAt: this.#options.now() };
    try {
      const params = method.params.read(given);
      const place = this.#placeOf(passage, params);
      const json = place?.slot?.read();
      if (json === undefined) return () => this.#finish(passage, params, place);
      this.#options.cacheRead("hit");
      passage.cached = true;
      return this.#succeed(passage, json);
    } catch (error) {
      return this.#fail(passage, error);
    }
  }

  /** A call refused before it could be looked at; counted like any other. */
  refuse(method: string, error: ServiceError, { callerId }: CallContext): Outcome {
    this.#options.report({ method, durationMs: 0, code: error.code, ...(callerId && { caller: callerId }) });
    return refused(error);
  }

  /** Effects have no place: each is run for itself. */
  #placeOf(passage: CallInProgress, params: Params): CacheTarget | undefined {
    const { name, definition } = passage.method;
    if (definition.freshness.kind === "effect") return undefined;
    const options = optionsOf(passage);
    const key = cacheKey(name, params) + (options === noOptions ? "" : ` ${JSON.stringify(options)}`);
    return { key, slot: this.#options.cache.slot(definition.freshness, key, params) };
  }

  #finish(passage: CallInProgress, params: Params, place: CacheTarget | undefined): Ending {
    try {
      const found = this.#find(passage, params, place);
      if (!(found instanceof Promise)) return this.#succeed(passage, found);
      return found.then(
        (late) => this.#succeed(passage, late),
        (error) => this.#fail(passage, error),
      );
    } catch (error) {
      return this.#fail(passage, error);
    }
  }

  #find(passage: CallInProgress, params: Params, place: CacheTarget | undefined): string | Promise<string> {
    if (!place) return this.#run(passage, params, undefined, undefined);
    const { key, slot } = place;
    if (slot) this.#options.cacheRead("miss");
    const flightKey = slot?.flightKey ?? key;
    const running = this.#running.get(flightKey);
    if (!running || running.flight.aborted) return this.#run(passage, params, flightKey, slot);
    this.#options.cacheRead("shared");
    return wait(running, passage);
  }

  /** Without a key the run is nobody else's and goes on when its caller leaves. */
  #run(
    passage: CallInProgress,
    params: Params,
    key: string | undefined,
    slot: Slot | undefined,
  ): string | Promise<string> {
    const flight = new Flight(optionsOf(passage), key === undefined);
    const result = passage.method.run(params, flight);
    if (!(result instanceof Promise)) {
      const json = serialize(result);
      if (!flight.passing) slot?.write(json);
      return json;
    }
    const timeoutMs = Math.max(this.#options.callTimeoutMs, passage.method.definition.timeoutMs ?? 0);
    const running = { flight, json: flight.finish(result.then(serialize), timeoutMs) };
    if (key !== undefined) this.#share(key, running, slot);
    return wait(running, passage);
  }

  #share(key: string, running: Running, slot: Slot | undefined): void {
    this.#running.set(key, running);
    const land = () => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    running.json.then((json) => {
      if (!running.flight.passing) slot?.write(json);
      land();
    }, land);
  }

  #succeed(passage: CallInProgress, json: string): Outcome {
    return { json, passage, durationMs: this.#report(passage) };
  }

  #fail(passage: CallInProgress, thrown: unknown): Outcome {
    const error = this.#explain(passage, thrown);
    return { error, passage, durationMs: this.#report(passage, error) };
  }

  /** What was not thrown on purpose is a defect of ours: callers get a request id, the log the rest. */
  #explain({ context }: CallInProgress, thrown: unknown): ServiceError {
    if (thrown instanceof ServiceError && thrown.code !== "internal") return thrown;
    if (context.gone.aborted)
      return new ServiceError("unavailable", "the caller has gone", { cause: thrown });
    const data = { request_id: this.#options.newRequestId() };
    return new ServiceError("internal", undefined, { data, cause: thrown });
  }

  #report({ method, context, startedAt }: CallInProgress, error?: ServiceError): number {
    const durationMs = this.#options.now() - startedAt;
    const report: CallReport = { method: method.name, durationMs };
    if (context.callerId !== undefined) report.caller = context.callerId;
    if (error) report.code = error.code;
    if (error?.code === "internal") {
      report.requestId = String(error.data["request_id"]);
      report.cause = error.cause;
    }
    this.#options.report(report);
    return durationMs;
  }
}

function wait({ flight, json }: Running, passage: CallInProgress): Promise<string> {
  passage.asked = flight.asked;
  return flight.join(json, passage.context.gone);
}

/** The one place where results become text. */
function serialize(result: unknown): string {
  if (result instanceof JsonText) return result.text;
  const json = JSON.stringify(result);
  if (json === undefined) throw new TypeError("a handler returned nothing");
  return json;
}

/** Options change answers of v3 methods only; for the others they are not even looked for. */
function optionsOf({ method, context }: CallInProgress): CallOptions {
  return method.api === "v3" ? context.options : noOptions;
}
