import type { Call } from "../call.js";
import { closedByCaller, RpcError } from "../errors.js";
import { backOff } from "../retry.js";
import { errorIn, type Json, settle } from "./answer.js";
import { answerTooLarge } from "./read-body.js";
import { requestText } from "./request-text.js";
import type { Attempt, Queue, Transport, TransportContext, TransportFactory } from "./transport.js";

/** What is used of a WebSocket; the browser's class has it, and the one of the package `ws`. */
export type SocketLike = {
  binaryType: string;
  // Methods, so that sockets whose listeners take more than these events fit.
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
};

export type SocketConstructor = new (url: string) => SocketLike;

export type WebSocketOptions = {
  /** Another key than the client's; the empty text is none. */
  readonly apiKey?: string | undefined;
  /** Used instead of the platform's own class. */
  readonly WebSocket?: SocketConstructor | undefined;
  /** The n-th try to connect again waits a random part of `baseMs` doubled n times, at most of `maxMs`. */
  readonly reconnect?: { readonly baseMs: number; readonly maxMs: number } | undefined;
  /**
   * After so much silence the service is asked whether it is there; after twice that it is not. Nor is one that has
   * not taken the connection by then.
   */
  readonly silenceMs?: number | undefined;
};

export const defaultReconnect = { baseMs: 500, maxMs: 30_000 };
export const defaultSilenceMs = 20_000;

/** A call that is under way, and those in one message with it. */
type Sent = Attempt & { message?: readonly Attempt[] };

/** Opens a connection; only Node can send the key as a header. */
export type OpenSocket = (url: URL, apiKey: string | undefined, maxBytes: number) => SocketLike;

/** JSON-RPC over one WebSocket that is opened by the first call, and by the next one after it was lost. */
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

/** `webSocket` over another way to open connections, which may know more about why there is none. */
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
      refused,
    );
  };
}

class WebSocketTransport implements Transport {
  readonly #open: () => SocketLike;
  readonly #options: WebSocketOptions;
  readonly #context: TransportContext;
  readonly #refused: typeof notConnected;
  readonly #queue: Queue;
  /** By id. No Map: what has been in one that lives long is collected much later than it could be. */
  #pending: Record<string, Sent> = Object.create(null);
  #connection: Promise<SocketLike> | undefined;
  /** Ends the connection or the attempt to have one. */
  #end: ((error: RpcError) => void) | undefined;
  /** Connections lost since the last answer. */
  #losses = 0;
  #timer: unknown;
  #lastHeard = 0;

  constructor(
    open: () => SocketLike,
    options: WebSocketOptions,
    context: TransportContext,
    refused: typeof notConnected,
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
      for (const { reject } of attempts) reject(error);
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
      // Without a wait at once, so that the first call does not pay for a timer.
      if (this.#losses)
        this.#timer = clock.setTimeout(begin, random() * backOff(reconnect, this.#losses - 1));
      else begin();
    });
  }

  #attach(socket: SocketLike, opened: (socket: SocketLike) => void, end: (error: RpcError) => void): void {
    let open = false;
    let trouble: unknown;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      open = true;
      this.#context.clock.clearTimeout(this.#timer);
      this.#lastHeard = this.#context.clock.now();
      this.#watch(socket);
      opened(socket);
    };
    socket.onmessage = ({ data }: { data: string | ArrayBuffer }) => {
      if (this.#end === end) this.#receive(data);
    };
    socket.onerror = (event: { message?: string }) => {
      trouble = event.message;
    };
    socket.onclose = ({ code, reason }: { code?: number; reason?: string }) => {
      end(open ? lost(`${code} ${reason}`) : this.#refused(trouble));
    };
  }

  #receive(data: string | ArrayBuffer): void {
    this.#lastHeard = this.#context.clock.now();
    const { maxAnswerBytes } = this.#context;
    const text = typeof data === "string" ? data : new TextDecoder().decode(data);
    if (text.length > maxAnswerBytes) this.#end?.(answerTooLarge(maxAnswerBytes));
    else
      try {
        for (const answer of [JSON.parse(text)].flat()) this.#take(answer);
      } catch {
        // No JSON, or JSON that throws when it is looked at, as `{"toString":1}` does where a text is wanted.
        this.#end?.(new RpcError("bad-answer", "this is no answer", { body: text }));
      }
  }

  #take(answer: Json): void {
    // Nobody can tell whose an answer without an id is: as a refusal it holds for all, as a result for none.
    if (answer?.id == null && (answer?.error || answer?.ok === false)) this.#takeRefusal(answer);
    else this.#settle(this.#pending[answer?.id], answer);
  }

  #takeRefusal(answer: Json): void {
    const sent = Object.values(this.#pending);
    // A message that was too large is among the longest, and each such is refused once.
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

  /** Asks a service that has been silent for a while whether it is there, and gives it as long to answer. */
  #watch(socket: SocketLike): void {
    const { clock, nextId } = this.#context;
    const { silenceMs = defaultSilenceMs } = this.#options;
    const silent = clock.now() - this.#lastHeard;
    const asks = silent >= silenceMs;
    if (silent >= 2 * silenceMs) this.#end?.(lost("no answer"));
    else {
      if (asks) socket.send(`{"jsonrpc":"2.0","id":${nextId()},"method":"rpc.ping"}`);
      this.#timer = clock.setTimeout(() => this.#watch(socket), asks ? silenceMs : silenceMs - silent);
    }
  }
}

/** Over a WebSocket nothing comes with an answer. */
const noReply = { status: 200 };

function lost(why: string): RpcError {
  return new RpcError("closed", `the connection was lost: ${why}`, { retryable: true });
}

export function notConnected(cause: unknown): RpcError {
  const why = (cause as Error | undefined)?.message ?? cause ?? "refused";
  return new RpcError("network", `the service was not reached: ${why}`, {
    cause,
    retryable: true,
    unsent: true,
  });
}
