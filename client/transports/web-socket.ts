import { closedByCaller, isRpcError, type RpcError } from "../errors.js";
import { backOff } from "../retry.js";
import { errorIn, type Json } from "./answer.js";
import { refusalOf } from "./refusal.js";
import { requestText } from "./request-text.js";
import { notConnected, type OpenSocket, type Refused, SocketConnection } from "./socket-connection.js";
import type { Attempt, Endpoint, SocketLike, TransportFactory } from "./transport.js";

/** The browser's `WebSocket` class, or a compatible one. */
export type SocketConstructor = new (url: string) => SocketLike;

/** Options of `webSocket`. */
export type WebSocketOptions = {
  /** API key for this endpoint instead of the client's; an empty string sends none. */
  readonly apiKey?: string | undefined;
  /** Used instead of the global `WebSocket`. */
  readonly WebSocket?: SocketConstructor | undefined;
  /** Reconnect backoff with full jitter: `random * min(maxMs, baseMs * 2^n)`. */
  readonly reconnect?: { readonly baseMs: number; readonly maxMs: number } | undefined;
  /**
   * After this much silence a ping is sent; after twice as much the connection counts as lost. Also the timeout for
   * opening a connection.
   */
  readonly silenceMs?: number | undefined;
};

/** Reconnect backoff unless `reconnect` overrides it. */
export const defaultReconnect = { baseMs: 500, maxMs: 30_000 };
/** Silence before a ping unless `silenceMs` overrides it. */
export const defaultSilenceMs = 20_000;

/** JSON-RPC over one WebSocket, opened by the first call and reopened by the first call after it was lost. */
export function webSocket(url: string, options: WebSocketOptions = {}): TransportFactory {
  return webSocketVia(
    (target, { apiKey }) => {
      if (apiKey) target.searchParams.set("api_key", apiKey);
      const Socket = options.WebSocket ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket;
      if (!Socket) throw new Error("no WebSocket class");
      return new Socket(target.href);
    },
    url,
    options,
    (_, target) => refusalOf(target.href, url),
  );
}

/** A call in flight, and the other calls of the same message. */
type Sent = Attempt & { message?: readonly Attempt[] };

/** Answers over a WebSocket carry no HTTP metadata. */
const noReply = { status: 200 };

/** `webSocket` with a custom way to open connections. */
export function webSocketVia(
  open: OpenSocket,
  url: string,
  options: WebSocketOptions,
  refused: Refused,
): TransportFactory {
  return (context) => {
    const { apiKey = context.apiKey, reconnect = defaultReconnect, silenceMs = defaultSilenceMs } = options;
    /** Calls in flight by id. A plain object, not a Map: V8 collects entries deleted from a long-lived Map much later. */
    const pending: Record<string, Sent> = Object.create(null);
    let connection: SocketConnection | undefined;
    /** Connections lost since the last answer. */
    let losses = 0;

    const post: Endpoint["post"] = async (attempts, asArray) => {
      try {
        connection ??= new SocketConnection(
          { ...context, url, apiKey, silenceMs, open, refused, take, closed },
          losses ? context.random() * backOff(reconnect, losses - 1) : undefined,
        );
        // Waiting for what is open already would cost each message a turn of the microtask queue.
        const socket = connection.live ?? (await connection.opened);
        const message: readonly Sent[] = attempts.filter(({ call }) => !call.abandoned);
        for (const attempt of message) {
          attempt.message = message;
          pending[attempt.id] = attempt;
          attempt.call.whenAbandoned(() => delete pending[attempt.id]);
        }
        if (message[0]) socket.send(requestText(message, asArray));
      } catch (error) {
        for (const { reject } of attempts) reject(isRpcError(error) ? error : notConnected(error, url));
      }
      return true;
    };
    const queue = context.queue({ post });

    const closed = (error: RpcError) => {
      connection = undefined;
      losses++;
      for (const { id, reject } of Object.values(pending)) {
        delete pending[id];
        reject(error);
      }
    };

    const take = (answer: Json) => {
      const { id, error, ok } = answer ?? {};
      const attempt = pending[id];
      const message = attempt?.message;
      // An answer without an id belongs to no known call: an error applies to all calls, a result to none.
      if (id == null && (error || ok === false)) takeRefusal(answer);
      else if (message?.[1] && error?.data?.limit === "batch") halve(message);
      else settleOne(attempt, answer);
    };

    const halve = (message: readonly Attempt[]) => {
      for (const { id } of message) delete pending[id];
      // Each call of the message is refused immediately, and keeps its id when it is sent again.
      queueMicrotask(() => queue.halve(message));
    };

    const takeRefusal = (answer: Json) => {
      const sent = Object.values(pending);
      // The message that was too large is the longest one; each such message gets one refusal.
      const [longest = []] = sent.map(({ message }) => message!).sort((a, b) => b.length - a.length);
      if (longest[1] && errorIn(answer, noReply)?.status === 413) halve(longest);
      else for (const each of sent) settleOne(each, answer);
    };

    const settleOne = (attempt: Attempt | undefined, answer: Json) => {
      if (!attempt) return;
      losses = 0;
      queue.settle(attempt, answer, noReply);
      delete pending[attempt.id];
    };

    return {
      request: (call) => queue.add(call),
      close() {
        queue.close();
        connection?.close(closedByCaller());
      },
    };
  };
}
