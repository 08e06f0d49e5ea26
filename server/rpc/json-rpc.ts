import { createJSONRPCErrorResponse, JSONRPCErrorCode, JSONRPCServer } from "json-rpc-2.0";
import { type Api, ServiceError } from "../errors.js";
import { runBounded } from "./batch.js";
import type { BoundMethod, Methods } from "./bind.js";
import type { CallContext, Dispatcher, Outcome } from "./dispatch.js";
import { type Entry, type Message, type RpcId, readMessage } from "./message.js";
import { strictAnswer, strictError } from "./strict.js";

export type JsonRpcOptions = {
  methods: Methods;
  dispatcher: Dispatcher;
  maxBatch: number;
  /** How many calls of one message run at once. */
  batchParallel: number;
};

/** How many points of a message's were granted, and when there are more. */
export type Grant = { readonly granted: number; readonly retryAfterSec?: number };

/** Strict JSON-RPC 2.0, text in and text out; HTTP and WebSocket put their transports around it. */
export class JsonRpc {
  readonly #options: JsonRpcOptions;
  readonly #library: JSONRPCServer<CallContext>;

  constructor(options: JsonRpcOptions) {
    this.#options = options;
    this.#library = createLibrary(options);
  }

  get maxBatch(): number {
    return this.#options.maxBatch;
  }

  /** Throws what makes the whole message unanswerable; `strictError(null, error)` is then the answer. */
  read(text: string): Message {
    return readMessage(text, this.#options.maxBatch);
  }

  /** What the message costs. */
  points({ entries }: Message): number {
    return entries.reduce((sum, entry) => sum + this.#cost(entry), 0);
  }

  /** The answer to a message; `undefined` when it holds nothing but notifications. */
  async answer(message: Message, grant: Grant, context: CallContext): Promise<string | undefined> {
    const { entries, batch } = message;
    if (!batch) return this.#answerEntry(entries[0]!, this.#refused(message, grant)[0]!, grant, context);
    const answers = new Array<string | undefined>(entries.length);
    await this.#each(message, grant, context, async (answer, index) => {
      answers[index] = answer;
    });
    const given = answers.filter((answer) => answer !== undefined);
    return given.length === 0 ? undefined : `[${given.join()}]`;
  }

  /** Hands over each answer of a batch as it is there; the next call waits until `write` is done. */
  async stream(
    message: Message,
    grant: Grant,
    context: CallContext,
    write: (answer: string) => Promise<void>,
  ): Promise<void> {
    await this.#each(message, grant, context, async (answer) => {
      if (answer !== undefined) await write(answer);
    });
  }

  /** Runs one call through json-rpc-2.0, and takes the outcome out of its response again. */
  async run(method: string, params: unknown, context: CallContext): Promise<Outcome> {
    const response = await this.#library.receive({ jsonrpc: "2.0", id: 0, method, params }, context);
    if (response?.result !== undefined) return response.result as Outcome;
    const known = response?.error?.code !== JSONRPCErrorCode.MethodNotFound;
    return this.#options.dispatcher.refuse(
      "unknown",
      new ServiceError(known ? "internal" : "unknown-method"),
      context,
    );
  }

  /** Which words and codes the failures of a method have. */
  api(method: string): Api {
    return this.#options.methods.get(method)?.api ?? "v2";
  }

  #cost(entry: Entry): 0 | 1 {
    return !entry.error && this.#options.methods.get(entry.method)?.definition.free ? 0 : 1;
  }

  /** Per entry, whether its point was not granted: the last ones are the ones to go without. */
  #refused({ entries }: Message, { granted }: Grant): boolean[] {
    let spent = 0;
    return entries.map((entry) => {
      const cost = this.#cost(entry);
      spent += cost;
      return cost > 0 && spent > granted;
    });
  }

  async #each(
    message: Message,
    grant: Grant,
    context: CallContext,
    done: (answer: string | undefined, index: number) => Promise<void>,
  ): Promise<void> {
    const { entries } = message;
    const refused = this.#refused(message, grant);
    await runBounded(entries.length, this.#options.batchParallel, context.gone, async (index) => {
      await done(await this.#answerEntry(entries[index]!, refused[index]!, grant, context), index);
    });
  }

  async #answerEntry(
    entry: Entry,
    refused: boolean,
    { retryAfterSec }: Grant,
    context: CallContext,
  ): Promise<string | undefined> {
    if (entry.error) return strictError(entry.id, entry.error);
    const { id, method, params } = entry;
    const outcome = refused
      ? this.#options.dispatcher.refuse(method, rateLimited(retryAfterSec), context)
      : await this.run(method, params, context);
    return id === undefined ? undefined : strictAnswer(id, outcome, this.api(method));
  }
}

export function rateLimited(retryAfterSec: number | undefined): ServiceError {
  return new ServiceError("rate-limited", undefined, {
    ...(retryAfterSec !== undefined && { data: { retry_after: retryAfterSec } }),
  });
}

/**
 * The library finds the method, sequences middleware and pairs ids. Outcomes, errors included, travel through it
 * as results, so the only errors it makes itself are unknown methods and defects.
 */
function createLibrary({ methods, dispatcher }: JsonRpcOptions): JSONRPCServer<CallContext> {
  const library = new JSONRPCServer<CallContext>({ errorListener: () => {} });
  library.mapErrorToJSONRPCErrorResponse = (id: RpcId) =>
    createJSONRPCErrorResponse(id, JSONRPCErrorCode.InternalError, "Internal error");
  for (const [name, method] of methods) {
    library.addMethod(name, (params: unknown, context) => callWith(method, params, dispatcher, context));
  }
  return library;
}

/** `null` and `[]` are no parameters; positional ones are not taken. */
function callWith(method: BoundMethod, params: unknown, dispatcher: Dispatcher, context: CallContext) {
  if (params === undefined || params === null || (Array.isArray(params) && params.length === 0)) {
    return dispatcher.call(method, { object: {} }, context);
  }
  if (typeof params === "object" && !Array.isArray(params)) {
    return dispatcher.call(method, { object: params as Record<string, unknown> }, context);
  }
  const error = new ServiceError("invalid-params", "params must contain an object");
  return dispatcher.refuse(method.name, error, context);
}
