import { JsonBytes } from "../../../shared/methods/json-text.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { type Api, ServiceError } from "../../errors.js";
import { cut, type Pieces, wholeBytes } from "../answers/answer-pieces.js";
import type { BoundMethod, Methods } from "../bind.js";
import { pointsOf } from "../call-points.js";
import type { CallContext, Dispatcher, Ending, Outcome } from "../dispatch.js";
import { parseJson } from "../json/parse-json.js";
import { type Batch, BatchRun } from "./batch.js";
import { FirstEntryLimit } from "./first-entry-limit.js";
import { batchTooLarge, type Entry, type Message, messageOf } from "./message.js";
import { MethodServer } from "./method-server.js";
import { RefusedBatch } from "./refused-batch.js";
import { strictAnswer } from "./strict-dialect.js";

type JsonRpcOptions = {
  methods: Methods;
  dispatcher: Dispatcher;
  maxBatch: number;
  /** Calls of one message that run concurrently. Default: 16. */
  batchParallel?: number | undefined;
};

const usualParallel = 16;

/** How many points of a message were granted, and when more are available. */
export type Grant = {
  readonly granted: number;
  /** Whether the caller had exceeded its limit before these points were charged. */
  readonly overdrawn?: boolean;
  readonly retryAfterSec?: number;
};

/** How the messages of a path are read. */
export type MessageForm = {
  /** Whether calls may have their parameters by position. */
  readonly byPosition: boolean;
};

/** Strict JSON-RPC 2.0 from request text to response text, for HTTP and WebSocket. */
export class JsonRpc {
  readonly #options: JsonRpcOptions;
  readonly #firstEntryLimit = new FirstEntryLimit();
  readonly #server: MethodServer;

  constructor(options: JsonRpcOptions) {
    this.#options = options;
    this.#server = new MethodServer(options.methods.keys());
  }

  /** Throws a ServiceError if the message as a whole is invalid; answer it with `strictError(null, error)`. */
  read(text: string, form: MessageForm): Message | RefusedBatch {
    const value = parseJson(text);
    const { maxBatch } = this.#options;
    return Array.isArray(value) && value.length > maxBatch
      ? new RefusedBatch(value, batchTooLarge(value, maxBatch))
      : this.messageOf(value, form);
  }

  /** Reads a parsed value. Throws a ServiceError also for a batch with too many calls. */
  messageOf(value: unknown, { byPosition }: MessageForm): Message {
    const message = messageOf(value, this.#options.maxBatch);
    const { entries } = message;
    if (!byPosition || !entries.some(hasPositions)) return message;
    return { ...message, entries: entries.map((entry) => this.#named(entry)) };
  }

  /** Points of the rate limit that the message costs. A refused batch costs one for each batch that it could have been. */
  points(message: Message | RefusedBatch): number {
    if (message instanceof RefusedBatch)
      return Math.max(1, Math.floor(message.count / this.#options.maxBatch));
    message.points ??= message.entries.reduce((sum, entry) => sum + this.#cost(entry), 0);
    return message.points;
  }

  /**
   * The response; `undefined` if the message contains only notifications. A batch is answered in pieces as soon as
   * `maxWholeBytes` of its responses wait to be written.
   */
  async answer(
    message: Message,
    grant: Grant,
    context: CallContext,
    maxWholeBytes = wholeBytes,
  ): Promise<string | Pieces | undefined> {
    if (!message.batch) {
      const answer = await this.answerSingle(message, grant, context);
      return answer instanceof JsonBytes ? piecesOf(answer) : answer;
    }
    const run = this.#runOf(message, "array", grant, context);
    await run.collect(maxWholeBytes);
    if (run.isDone && !run.hasText) return undefined;
    return run.wholeText() ?? run.pieces();
  }

  /** The response of a message that is no batch; `undefined` for a notification. `onOutcome` comes before it. */
  async answerSingle(
    message: Message,
    grant: Grant,
    context: CallContext,
    onOutcome?: (outcome: Outcome) => void,
  ): Promise<string | JsonBytes | undefined> {
    const entry = itemAt(message.entries, 0);
    const [refusal] = this.#refusals(message, grant);
    const outcome = await this.#begin(entry, refusal, context);
    onOutcome?.(outcome);
    return this.#finish(entry, outcome);
  }

  /** The responses of a batch as lines, as they are ready; `undefined` if it contains only notifications. */
  async lines(message: Message, grant: Grant, context: CallContext): Promise<Pieces | undefined> {
    const run = this.#runOf(message, "lines", grant, context);
    await run.collect(1);
    return run.hasText ? run.pieces() : undefined;
  }

  /** Runs a call. Cached results and refusals cost no promise. */
  call(name: string, params: unknown, context: CallContext): Ending {
    const method = this.#options.methods.get(name);
    const begun = method && beginWith(method, params, this.#options.dispatcher, context);
    return begun && typeof begun !== "function" ? begun : this.#run(name, begun, context);
  }

  async #run(name: string, work: (() => Ending) | undefined, context: CallContext): Promise<Outcome> {
    const ended = await this.#server.run(name, work);
    return ended instanceof ServiceError ? this.#refuse(name, ended, context) : ended;
  }

  /** The interface whose error texts and statuses the method uses. */
  api(method: string): Api {
    return this.#options.methods.get(method)?.api ?? "v2";
  }

  /** Whether a method of this name answers by running transactions. */
  runsTransactions(name: unknown): boolean {
    return this.#options.methods.get(name as string)?.definition.runsTransactions === true;
  }

  #runOf(message: Message, form: Batch["form"], grant: Grant, context: CallContext): BatchRun {
    const { entries } = message;
    const refusals = this.#refusals(message, grant);
    return new BatchRun({
      count: entries.length,
      parallel: this.#options.batchParallel ?? usualParallel,
      firstEntryLimit: this.#firstEntryLimit,
      form,
      run: (index) => this.#begin(itemAt(entries, index), refusals[index], context),
      refuse: (index, error) => this.#refuseEntry(itemAt(entries, index), refusals[index] ?? error, context),
      respond: (index, outcome) => this.#finish(itemAt(entries, index), outcome),
      allowance: () => context.allowance,
      hasGone: () => context.gone.isCancelled,
    });
  }

  #begin(entry: Entry, refusal: ServiceError | undefined, context: CallContext): Ending {
    if (entry.error || refusal) return this.#refuseEntry(entry, refusal, context);
    if (entry.paramsError) return this.#refuse(entry.method, entry.paramsError, context);
    return this.call(entry.method, entry.params, context);
  }

  /** From here on a call has its parameters by name only, so that no log has the value of a secret one. */
  #named(entry: Entry): Entry {
    const method = hasPositions(entry) && this.#options.methods.get(entry.method);
    if (!method) return entry;
    const named = method.positions.named(entry.params);
    return named instanceof ServiceError
      ? { ...entry, params: undefined, paramsError: named }
      : { ...entry, params: named };
  }

  #refuseEntry(entry: Entry, refusal: ServiceError | undefined, context: CallContext): Outcome {
    if (entry.error) return this.#refuse("", entry.error, context);
    return this.#refuse(entry.method, refusal!, context);
  }

  /** Notifications have no response, not even for errors. */
  #finish(entry: Entry, outcome: Outcome): string | JsonBytes | undefined {
    if (entry.id === undefined) return undefined;
    return strictAnswer(entry.id, outcome, entry.error ? "v2" : this.api(entry.method));
  }

  #refuse(method: string, error: ServiceError, context: CallContext): Outcome {
    const name = this.#options.methods.get(method)?.name ?? "unknown";
    return this.#options.dispatcher.refuse(name, error, context);
  }

  /** The rate-limit error of each entry that the granted points do not cover. */
  #refusals(message: Message, grant: Grant): readonly (ServiceError | undefined)[] {
    if (grant.granted >= this.points(message)) return [];
    return this.#covered(message, grant).map((isCovered) =>
      isCovered ? undefined : rateLimited(grant.retryAfterSec),
    );
  }

  /** Points that the entries of a message cost, without the refused ones, beyond those granted. */
  owed(message: Message, grant: Grant): number {
    if (grant.granted >= this.points(message)) return 0;
    let points = 0;
    for (const [index, isCovered] of this.#covered(message, grant).entries())
      if (isCovered) points += this.#cost(itemAt(message.entries, index));
    return Math.max(0, points - grant.granted);
  }

  /**
   * Whether the granted points cover each entry; they do not cover the last ones of the message. An entry that costs several
   * points is covered while one is left, or a plan with fewer points could never make such a call.
   */
  #covered(message: Message, { granted, overdrawn = false }: Grant): readonly boolean[] {
    let spent = 0;
    return message.entries.map((entry) => {
      const cost = this.#cost(entry);
      const isCovered = cost === 0 || spent + cost <= granted || (spent < granted && !overdrawn);
      spent += cost;
      return isCovered;
    });
  }

  #cost(entry: Entry): number {
    return entry.error ? 1 : this.callPoints(entry);
  }

  /** Points that a call costs. `call` is any JSON value; what is no call costs one point. */
  callPoints(call: unknown): number {
    const { method: name, params } = (call ?? {}) as Readonly<Record<string, unknown>>;
    const method = typeof name === "string" ? this.#options.methods.get(name) : undefined;
    if (!method) return 1;
    const object = typeof params === "object" && params !== null ? (params as Record<string, unknown>) : {};
    return pointsOf(method, { object });
  }
}

/** The refusal of a call that exceeds its rate limit, with the time to wait if it is known. */
export function rateLimited(retryAfterSec: number | undefined): ServiceError {
  return new ServiceError("rate-limited", undefined, {
    ...(retryAfterSec !== undefined && { data: { retry_after: retryAfterSec } }),
  });
}

async function* piecesOf({ bytes }: JsonBytes): Pieces {
  yield* cut(bytes);
}

function hasPositions(entry: Entry): entry is Entry & { readonly error?: never; readonly params: unknown[] } {
  return entry.error === undefined && Array.isArray(entry.params);
}

/** `null` and `[]` mean no parameters; other parameters by position have got their names, or are refused. */
function beginWith(method: BoundMethod, params: unknown, dispatcher: Dispatcher, context: CallContext) {
  const none = params === undefined || params === null || (Array.isArray(params) && params.length === 0);
  const object = none ? {} : params;
  if (typeof object === "object" && !Array.isArray(object)) {
    return dispatcher.begin(method, { object: object as Record<string, unknown> }, context);
  }
  const error = new ServiceError("invalid-params", "params must contain an object");
  return dispatcher.refuse(method.name, error, context);
}
