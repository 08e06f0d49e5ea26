import type { Call } from "../call.js";
import { isRpcError, RpcError } from "../errors.js";
import { type Json, parseJson, settle } from "./answer.js";
import { readBody } from "./read-body.js";
import { requestText } from "./request-text.js";
import type { Attempt, Queue, Refusal, Transport, TransportContext, TransportFactory } from "./transport.js";

export type HttpOptions = {
  /** Another key than the client's for this endpoint; the empty text is none. */
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Asks for the answers of a batch one by one as they are ready (JSON lines). */
  readonly stream?: boolean | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
};

/** JSON-RPC by POST to exactly this URL; `/jsonRPC`, `/api/v2/jsonRPC` and `/` of a service all do. */
export function http(url: string, options: HttpOptions = {}): TransportFactory {
  return (context) => new HttpTransport(url, options, context);
}

class HttpTransport implements Transport {
  readonly #url: string;
  readonly #options: HttpOptions;
  readonly #context: TransportContext;
  readonly #queue: Queue;

  constructor(url: string, options: HttpOptions, context: TransportContext) {
    this.#url = url;
    this.#options = options;
    this.#context = context;
    this.#queue = context.queue({
      post: (attempts, asArray) => this.#post(attempts, asArray),
      rest: (attempt, path, request) => this.#rest(attempt, path, request),
    });
  }

  request(call: Call): Promise<unknown> {
    return this.#queue.add(call);
  }

  /** What is under way ends with the calls that are abandoned. */
  close(): void {
    this.#queue.close();
  }

  async #post(attempts: Attempt[], asArray: boolean): Promise<Refusal | boolean> {
    const request = { method: "POST", body: requestText(attempts, asArray) };
    let answered: Refusal | boolean = false;
    await this.#exchange(attempts, this.#url, request, async (response) => {
      const pending: Record<string, Attempt | undefined> = Object.create(null);
      for (const attempt of attempts) pending[attempt.id] = attempt;
      const settleOne = this.#settler(response);
      const take = (answer: Json) => {
        const attempt = pending[answer?.id];
        if (!attempt) return;
        pending[attempt.id] = undefined;
        settleOne(attempt, answer);
      };
      const lines = /jsonl|ndjson/.test(response.headers.get("content-type") ?? "");
      const onLine = (line: string) => take(parseJson(line));
      const text = await readBody(response, this.#context.maxAnswerBytes, lines ? onLine : undefined);
      const answer = parseJson(text) ?? text;
      answered = lines || Array.isArray(answer);
      // One object without an id answers the whole request.
      if (!answered && answer.id == null) {
        if (asArray) answered = { answer, status: response.status, settle: settleOne };
        else settleOne(attempts[0]!, answer);
        return;
      }
      for (const each of [answer].flat()) take(each);
      for (const { id, call, reject } of attempts)
        if (pending[id])
          reject(
            new RpcError("missing-answer", "no answer to this call", { method: call.method, body: answer }),
          );
    });
    return answered;
  }

  #rest(attempt: Attempt, path: string, request: RequestInit): void {
    const url = new URL(path, new URL(this.#url, globalThis.location?.href));
    this.#exchange([attempt], url.href, request, async (response) => {
      const text = await readBody(response, this.#context.maxAnswerBytes);
      const answer = parseJson(text);
      if (response.ok && answer !== undefined) attempt.resolve(answer);
      else this.#settler(response)(attempt, answer ?? text);
    });
  }

  /** Gives attempts their answers, and lets the queue learn from refusals. */
  #settler({ status, headers }: Response): Refusal["settle"] {
    const reply = {
      status,
      retryAfterMs: parseRetryAfter(headers.get("retry-after"), this.#context.clock.now()),
    };
    return (attempt, answer) => {
      const error = settle(attempt, answer, reply);
      if (error?.code === "rate-limited")
        this.#queue.refused(headers.get("ratelimit-policy"), error.retryAfterMs);
    };
  }

  /** One HTTP request; it is given up when none of its calls is wanted any more. */
  async #exchange(
    attempts: readonly Attempt[],
    url: string,
    init: RequestInit,
    receive: (response: Response) => Promise<void>,
  ): Promise<void> {
    const { apiKey = this.#context.apiKey, headers, stream, fetch: send = fetch } = this.#options;
    const controller = new AbortController();
    let wanted = attempts.length;
    const leave = () => --wanted || controller.abort();
    for (const { call } of attempts) call.whenAbandoned(leave);
    try {
      const response = await send(url, {
        ...init,
        headers: {
          ...(init.body && { "Content-Type": "application/json" }),
          ...(stream && { Accept: "application/jsonl, application/json;q=0.9" }),
          ...(apiKey && { "X-API-Key": apiKey }),
          ...headers,
        },
        signal: controller.signal,
      });
      await receive(response);
    } catch (error) {
      for (const { reject } of attempts) reject(isRpcError(error) ? error : networkError(error));
    }
  }
}

/** Connections that never came about: nothing was sent. Node says so, browsers do not. */
const neverConnected = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT/;

function networkError(cause: Json): RpcError {
  const why = cause?.cause?.code ?? cause?.message;
  return new RpcError("network", `the service was not reached: ${why}`, {
    cause,
    retryable: true,
    unsent: neverConnected.test(why),
  });
}

/** `Retry-After` is a number of seconds or a date. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (!text) return undefined;
  const ms = Number(text) * 1000 || Date.parse(text) - now;
  return ms >= 0 ? ms : undefined;
}
