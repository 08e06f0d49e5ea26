import type { Call } from "../call.js";
import { closedByCaller, isRpcError, notReached, RpcError } from "../errors.js";
import { backOff } from "../retry.js";
import { errorIn, type Json, notOurs, settle } from "./answer.js";
import { answerTooLarge } from "./read-body.js";
import { requestText } from "./request-text.js";
import type { Attempt, Queue, Transport, TransportContext, TransportFactory } from "./transport.js";

/** The part of the WebSocket interface used here; the browser's class and the package `ws` both have it. */
export type SocketLike = {
  /** How binary messages are delivered. */
  binaryType: string;
  // Method syntax is bivariant, so that sockets with wider parameter types fit.
  /** Sends a text message. */
  send(text: string): void;
  /** Closes the connection. */
  close(): void;
  /** Called when the connection is open. */
  onopen: ((event: never) => void) | null;
  /** Called for each message. */
  onmessage: ((event: never) => void) | null;
  /** Called when the connection fails. */
  onerror: ((event: never) => void) | null;
  /** Called when the connection is closed. */
  onclose: ((event: never) => void) | null;
};

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
  );
}

/** `webSocket` with a custom way to open connections. `refused` makes the error for a failed connection. */
export function webSocketVia(
  open: OpenSocket,
  url: string,
  options: WebSocketOptions,
  refused = notConnected,
): TransportFactory {
  return (context) => {
    return new WebSocketTransport(
      () => {
        const target = new URL(url, globalThis.location?.href);
        target.protocol = target.protocol.replace("http", "ws");
        return open(target, options.apiKey ?? context.apiKey, context.maxAnswerBytes);
      },
      options,
      context,
      (cause) => refused(cause, url),
    );
  };
}

class WebSocketTransport implements Transport {
  readonly #open: () => SocketLike;
  readonly #options: WebSocketOptions;
  readonly #context: TransportContext;
  readonly #refused: (cause: unknown) => RpcError;
  readonly #queue: Queue;
  /** Calls in flight by id. A plain object, not a Map: V8 collects entries deleted from a long-lived Map much later. */
  #pending: Record<string, Sent> = Object.create(null);
  #connection: Promise<SocketLike> | undefined;
  /** Ends the connection, or the attempt to open one. */
  #end: ((error: RpcError) => void) | undefined;
  /** Connections lost since the last answer. */
  #losses = 0;
  #timer: unknown;
  #lastReceived = 0;

  constructor(
    open: () => SocketLike,
    options: WebSocketOptions,
    context: TransportContext,
    refused: (cause: unknown) => RpcError,
  ) {
    this.#open = open;
    this.#options = options;
    this.#context = context;
    this.#refused = refused;
    this.#queue = context.queue({ post: this.#send.bind(this) });
  }

  request(call: Call): Promise<unknown> {
    return this.#queue.add(call);
  }

  close(): void {
    this.#queue.close();
    this.#end?.(closedByCaller());
  }

  async #send(attempts: readonly Attempt[], asArray: boolean): Promise<boolean> {
    try {
      this.#connection ??= this.#connect();
      const socket = await this.#connection;
      const message: readonly Sent[] = attempts.filter(({ call }) => !call.abandoned);
      for (const attempt of message) {
        attempt.message = message;
        this.#pending[attempt.id] = attempt;
        attempt.call.whenAbandoned(() => delete this.#pending[attempt.id]);
      }
      if (message.length > 0) socket.send(requestText(message, asArray));
    } catch (error) {
      for (const { reject } of attempts) reject(isRpcError(error) ? error : this.#refused(error));
    }
    return true;
  }

  #connect(): Promise<SocketLike> {
    const { clock, random } = this.#context;
    const { reconnect = defaultReconnect, silenceMs = defaultSilenceMs } = this.#options;
    return new Promise((opened, refused) => {
      let socket: SocketLike | undefined;
      const end = (error: RpcError) => {
        if (this.#end !== end) return;
        this.#end = undefined;
        this.#connection = undefined;
        this.#losses++;
        clock.clearTimeout(this.#timer);
        refused(error);
        for (const { reject } of Object.values(this.#pending)) reject(error);
        this.#pending = Object.create(null);
        socket?.close();
      };
      this.#end = end;
      const begin = () => {
        try {
          socket = this.#open();
        } catch (cause) {
          return end(this.#refused(cause));
        }
        this.#timer = clock.setTimeout(() => end(this.#refused("no answer")), silenceMs);
        this.#attach(socket, opened, end);
      };
      // The first connection is opened at once, so that the first call does not pay for a timer.
      if (this.#losses)
        this.#timer = clock.setTimeout(begin, random() * backOff(reconnect, this.#losses - 1));
      else begin();
    });
  }

  #attach(socket: SocketLike, opened: (socket: SocketLike) => void, end: (error: RpcError) => void): void {
    let open = false;
    let cause: unknown;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      open = true;
      this.#context.clock.clearTimeout(this.#timer);
      this.#lastReceived = this.#context.clock.now();
      this.#watch(socket);
      opened(socket);
    };
    socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => {
      if (this.#end === end) this.#receive(data);
    };
    socket.onerror = (event: { message?: string }) => {
      cause = event.message;
    };
    socket.onclose = ({ code, reason }: { code?: number; reason?: string }) => {
      end(open ? lost(`${code} ${reason}`) : this.#refused(cause));
    };
  }

  #receive(data: string | ArrayBuffer): void {
    this.#lastReceived = this.#context.clock.now();
    const { maxAnswerBytes } = this.#context;
    const text = typeof data === "string" ? data : new TextDecoder().decode(data);
    if (text.length > maxAnswerBytes) this.#end?.(answerTooLarge(maxAnswerBytes));
    else
      try {
        for (const answer of [JSON.parse(text)].flat()) this.#take(answer);
      } catch {
        // Not JSON, or JSON that throws on access, as `{"toString":1}` does when converted to a string.
        this.#end?.(new RpcError("bad-answer", notOurs, { body: text }));
      }
  }

  #take(answer: Json): void {
    // An answer without an id belongs to no known call: an error applies to all calls, a result to none.
    if (answer?.id == null && (answer?.error || answer?.ok === false)) this.#takeRefusal(answer);
    else this.#settle(this.#pending[answer?.id], answer);
  }

  #takeRefusal(answer: Json): void {
    const sent = Object.values(this.#pending);
    // The message that was too large is the longest one; each such message gets one refusal.
    const [longest = []] = sent.map(({ message }) => message!).sort((a, b) => b.length - a.length);
    if (longest.length > 1 && errorIn(answer, noReply)?.status === 413) {
      for (const each of longest) delete this.#pending[each.id];
      this.#queue.halve(longest);
    } else for (const each of sent) this.#settle(each, answer);
  }

  #settle(attempt: Attempt | undefined, answer: Json): void {
    if (!attempt) return;
    this.#losses = 0;
    const error = settle(attempt, answer, noReply);
    delete this.#pending[attempt.id];
    if (error?.code === "rate-limited") this.#queue.limiter.refused(null, error.retryAfterMs);
  }

  /** Pings after `silenceMs` of silence, and ends the connection after as long without an answer. */
  #watch(socket: SocketLike): void {
    const { clock, nextId } = this.#context;
    const { silenceMs = defaultSilenceMs } = this.#options;
    const silent = clock.now() - this.#lastReceived;
    const ping = silent >= silenceMs;
    if (silent >= 2 * silenceMs) this.#end?.(lost("no answer"));
    else {
      if (ping) socket.send(`{"jsonrpc":"2.0","id":${nextId()},"method":"rpc.ping"}`);
      this.#timer = clock.setTimeout(() => this.#watch(socket), ping ? silenceMs : silenceMs - silent);
    }
  }
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
