import { closedByCaller, isRpcError, notReached, RpcError } from "../errors.js";
import { backOff } from "../retry.js";
import { errorIn, type Json, notOurs } from "./answer.js";
import { answerTooLarge } from "./read-body.js";
import { refusalOf } from "./refusal.js";
import { requestText } from "./request-text.js";
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

/** A call in flight, and the other calls of the same message. */
type Sent = Attempt & { message?: readonly Attempt[] };

/** Opens a connection. Only Node can send the key as a header. */
export type OpenSocket = (url: URL, apiKey: string | undefined, maxBytes: number) => SocketLike;

/** JSON-RPC over one WebSocket, opened by the first call and reopened by the first call after it was lost. */
export function webSocket(url: string, options: WebSocketOptions = {}): TransportFactory {
  return webSocketVia(
    (target, apiKey) => {
      if (apiKey) target.searchParams.set("api_key", apiKey);
      const Socket = options.WebSocket ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket;
      if (!Socket) throw new Error("no WebSocket class");
      return new Socket(target.href);
    },
    url,
    options,
    async (cause, endpoint, target) =>
      (await refusalOf(target.href, endpoint)) ?? notConnected(cause, endpoint),
  );
}

/** Makes the error for a connection that a service refused. */
export type Refused = (cause: unknown, endpoint: string, target: URL) => RpcError | Promise<RpcError>;

/** `webSocket` with a custom way to open connections. */
export function webSocketVia(
  open: OpenSocket,
  url: string,
  { apiKey, reconnect = defaultReconnect, silenceMs = defaultSilenceMs }: WebSocketOptions,
  refused: Refused,
): TransportFactory {
  return (context) => {
    const { clock, heard, maxAnswerBytes, nextId } = context;
    /** Calls in flight by id. A plain object, not a Map: V8 collects entries deleted from a long-lived Map much later. */
    let pending: Record<string, Sent> = Object.create(null);
    let connection: Promise<SocketLike> | undefined;
    /** The open one. */
    let live: SocketLike | undefined;
    /** Ends the connection, or the attempt to open one. */
    let end: ((error: RpcError) => void) | undefined;
    /** Connections lost since the last answer. */
    let losses = 0;
    let timer: unknown;
    let lastReceived = 0;

    const post: Endpoint["post"] = async (attempts, asArray) => {
      try {
        connection ??= connect();
        // Waiting for what is open already would cost each message a turn of the microtask queue.
        const socket = live ?? (await connection);
        const message: readonly Sent[] = attempts.filter(({ call }) => !call.abandoned);
        for (const attempt of message) {
          attempt.message = message;
          pending[attempt.id] = attempt;
          attempt.call.whenAbandoned(() => delete pending[attempt.id]);
        }
        if (message.length > 0) socket.send(requestText(message, asArray));
      } catch (error) {
        for (const { reject } of attempts) reject(isRpcError(error) ? error : notConnected(error, url));
      }
      return true;
    };
    const queue = context.queue({ post });

    const connect = () =>
      new Promise<SocketLike>((opened, failed) => {
        let socket: SocketLike | undefined;
        const endThis = (error: RpcError) => {
          if (end !== endThis) return;
          end = connection = live = undefined;
          losses++;
          clock.clearTimeout(timer);
          failed(error);
          for (const { reject } of Object.values(pending)) reject(error);
          pending = Object.create(null);
          if (!socket) return;
          heard?.(socket);
          socket.close();
        };
        end = endThis;
        const begin = () => {
          let target: URL;
          try {
            target = new URL(url, globalThis.location?.href);
            target.protocol = target.protocol.replace("http", "ws");
            socket = open(target, apiKey ?? context.apiKey, maxAnswerBytes);
          } catch (cause) {
            return endThis(notConnected(cause, url));
          }
          timer = clock.setTimeout(() => endThis(notConnected("no answer", url)), silenceMs);
          attach(socket, target, opened, endThis);
        };
        // The first connection is opened at once, so that the first call does not pay for a timer.
        if (losses) timer = clock.setTimeout(begin, context.random() * backOff(reconnect, losses - 1));
        else begin();
      });

    const attach = (
      socket: SocketLike,
      target: URL,
      opened: (socket: SocketLike) => void,
      endThis: (error: RpcError) => void,
    ) => {
      let cause: unknown;
      socket.binaryType = "arraybuffer";
      socket.onopen = () => {
        if (end !== endThis) return;
        live = socket;
        clock.clearTimeout(timer);
        lastReceived = clock.now();
        watch(socket);
        opened(socket);
      };
      socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => {
        if (end === endThis) receive(data, socket, endThis);
      };
      socket.onerror = (event: { message?: string }) => {
        cause = event.message;
      };
      socket.onclose = ({ code, reason }: { code?: number; reason?: string }) => {
        if (live) endThis(lost(`${code} ${reason}`));
        else void Promise.resolve(refused(cause, url, target)).then(endThis);
      };
    };

    const receive = (data: string | ArrayBuffer, socket: SocketLike, endThis: (error: RpcError) => void) => {
      lastReceived = clock.now();
      const text = typeof data === "string" ? data : new TextDecoder().decode(data);
      if (text.length > maxAnswerBytes) endThis(answerTooLarge(maxAnswerBytes));
      else
        try {
          const parsed = JSON.parse(text);
          for (const answer of Array.isArray(parsed) ? parsed : [parsed]) {
            heard?.(socket, answer, text.length);
            take(answer);
          }
        } catch {
          // Not JSON, or JSON that throws on access, as `{"toString":1}` does when converted to a string.
          endThis(new RpcError("bad-answer", notOurs, { body: text }));
        }
    };

    const take = (answer: Json) => {
      const attempt = pending[answer?.id];
      const message = attempt?.message;
      // An answer without an id belongs to no known call: an error applies to all calls, a result to none.
      if (answer?.id == null && (answer?.error || answer?.ok === false)) takeRefusal(answer);
      else if (message?.[1] && answer.error?.data?.limit === "batch") halve(message);
      else settleOne(attempt, answer);
    };

    const halve = (message: readonly Attempt[]) => {
      for (const { id } of message) delete pending[id];
      // Each call of the message is refused at once, and has the same id when it is sent again.
      queueMicrotask(() => queue.halve(message));
    };

    const takeRefusal = (answer: Json) => {
      const sent = Object.values(pending);
      // The message that was too large is the longest one; each such message gets one refusal.
      const [longest = []] = sent.map(({ message }) => message!).sort((a, b) => b.length - a.length);
      if (longest.length > 1 && errorIn(answer, noReply)?.status === 413) halve(longest);
      else for (const each of sent) settleOne(each, answer);
    };

    const settleOne = (attempt: Attempt | undefined, answer: Json) => {
      if (!attempt) return;
      losses = 0;
      queue.settle(attempt, answer, noReply);
      delete pending[attempt.id];
    };

    /** Pings after `silenceMs` of silence, and ends the connection after as long without an answer. */
    const watch = (socket: SocketLike) => {
      const silent = clock.now() - lastReceived;
      const ping = silent >= silenceMs;
      if (silent >= 2 * silenceMs) end?.(lost("no answer"));
      else {
        if (ping) socket.send(`{"jsonrpc":"2.0","id":${nextId()},"method":"rpc.ping"}`);
        timer = clock.setTimeout(() => watch(socket), ping ? silenceMs : silenceMs - silent);
      }
    };

    return {
      request: (call) => queue.add(call),
      close() {
        queue.close();
        end?.(closedByCaller());
      },
    };
  };
}

/** Answers over a WebSocket carry no HTTP metadata. */
const noReply = { status: 200 };

function lost(why: string): RpcError {
  return new RpcError("closed", `the connection was lost: ${why}`, { retryable: true });
}

/** The error of a connection that could not be opened: nothing was sent, so the call can be retried. */
export function notConnected(cause: unknown, endpoint: string): RpcError {
  const why = (cause as Error | undefined)?.message ?? cause ?? "refused";
  return notReached(endpoint, why, { cause, unsent: true });
}
