import { ifJson } from "../../shared/values/json.js";
import { isRpcError, notReached, RpcError } from "../errors.js";
import type { Json } from "./answer.js";
import { readBody } from "./read-body.js";
import { requestText } from "./request-text.js";
import type { RestRequest } from "./rest.js";
import type { Attempt, Endpoint, Refusal, TransportFactory } from "./transport.js";

/** Options of `http`. */
export type HttpOptions = {
  /** API key for this endpoint instead of the client's; an empty string sends none. */
  readonly apiKey?: string | undefined;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Requests batch answers as JSON lines, each delivered as soon as it is ready. */
  readonly stream?: boolean | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
};

/**
 * JSON-RPC by POST to exactly this URL. tonwire accepts it at `/jsonRPC`, `/api/v2/jsonRPC` and `/`. TON Center's
 * services are detected by their answers: they get single calls, and v3 methods over REST.
 */
export function http(url: string, options: HttpOptions = {}): TransportFactory {
  return (context) => {
    const { apiKey = context.apiKey, headers, stream } = options;
    /** The newest block of the service's index that an answer was read from: later answers are not older. */
    let seen = "";

    /** Sends one HTTP request; aborts it once all of its calls are abandoned. */
    const post: Endpoint["post"] = async (attempts, asArray, rest) => {
      const [path, request] = rest ?? ["", { method: "POST", body: requestText(attempts, asArray) }];
      const controller = new AbortController();
      let wanted = attempts.length;
      const leave = () => --wanted || controller.abort();
      const send = options.fetch ?? fetch;
      for (const { call } of attempts) call.whenAbandoned(leave);
      try {
        const response = await send(path ? new URL(path, new Request(url).url) : url, {
          ...request,
          headers: {
            ...(request.body && { "Content-Type": "application/json" }),
            ...(stream && { Accept: "application/jsonl, application/json;q=0.9" }),
            ...(apiKey && { "X-API-Key": apiKey }),
            ...(seen && { "X-Index-Seqno": seen }),
            ...headers,
          },
          signal: controller.signal,
        });
        return await receive(response, attempts, asArray, rest);
      } catch (cause) {
        const why = (cause as Json)?.cause?.code ?? (cause as Json)?.message;
        const unsent = neverConnected.test(why);
        for (const { call, reject } of attempts)
          reject(isRpcError(cause) ? cause : notReached(url, why, { cause, method: call.method, unsent }));
        return false;
      }
    };
    const receive = async (
      response: Response,
      attempts: readonly Attempt[],
      asArray: boolean,
      rest: RestRequest | undefined,
    ): Promise<Refusal | boolean> => {
      const { status, headers } = response;
      const index = headers.get("X-Index-Seqno")!;
      if (Number(index) > Number(seen)) seen = index;
      const retryAfterMs = parseRetryAfter(headers.get("retry-after") ?? "", context.clock.now());
      const reply = { status, retryAfterMs, endpoint: url };
      const settleOne = (attempt: Attempt, answer: Json) => queue.settle(attempt, answer, reply, headers);
      const pending = new Map(attempts.map((attempt) => [attempt.id, attempt]));
      const take = (answer: Json) => {
        const id = Number(answer?.id);
        const attempt = pending.get(id);
        if (attempt) settleOne(attempt, answer);
        pending.delete(id);
      };
      const lines = /jsonl|ndjson/.test(headers.get("content-type")!);
      const onLine = (line: string) => take(ifJson(line));
      const text = await readBody(response, context.maxAnswerBytes, lines ? onLine : undefined);
      const parsed: Json = ifJson(text);
      const answer = parsed ?? text;
      const many = lines || Array.isArray(answer);
      const [first] = attempts as readonly [Attempt];
      if (rest && response.ok && parsed !== undefined) first.resolve(parsed);
      else if (rest || (!many && answer.id == null)) {
        // One object without an id answers the whole request.
        if (asArray) return { answer, status, settle: settleOne };
        settleOne(first, answer);
      } else {
        for (const each of [answer].flat()) take(each);
        for (const { call, reject } of pending.values())
          reject(new RpcError("missing-answer", "no answer", { method: call.method, body: answer }));
      }
      return many;
    };
    const queue = context.queue({ post });
    return { request: (call) => queue.add(call), close: () => queue.close() };
  };
}

/** Parts of the codes of errors before the connection was established: nothing was sent. Browsers do not report them. */
const neverConnected = /REFUSED|NOTF|AGAIN|CONNECT_T/;

/** Parses `Retry-After`, a number of seconds or a date, into ms from now. */
function parseRetryAfter(text: string, now: number): number | undefined {
  const ms = Number(text) * 1000 || Date.parse(text) - now;
  return ms >= 0 ? ms : undefined;
}
