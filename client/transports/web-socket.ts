import type { Call } from "../call.js";
import { closedByCaller, RpcError } from "../errors.js";
import { type Json, parseJson, settle, statusError } from "./answer.js";
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
  /** After so much silence the service is asked whether it is there; after twice that it is not. */
  readonly silenceMs?: number | undefined;
};

export const defaultReconnect = { baseMs: 500, maxMs: 30_000 };
export const defaultSilenceMs = 20_000;

/** Opens a connection; only Node can send the key as a header. */
export type OpenSocket = (url: URL, apiKey: string | undefined, maxBytes: number) => SocketLike;

/** JSON-RPC over one WebSocket that is opened by the first call, and by the next one after it was lost. */
export function webSocket(url: string, options: WebSocketOptions = {}): TransportFactory {
  return webSocketVia(
    (target, apiKey) => {
      if (apiKey) target.searchParams.set("api_key", apiKey);
      const Socket = options.WebSocket ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket;
      if (!Socket) throw new Error("no WebSocket class here: give one as an option");
      return new Socket(target.href);
    },
    url,
    options,
  );
}

/** `webSocket` over another way to open connections. */
export function webSocketVia(open: OpenSocket, url: string, options: WebSocketOptions): TransportFactory {
  return (context) => new WebSocketTransport(open, url, options, context);
}

class WebSocketTransport implements Transport {
  readonly #open: () => SocketLike;
  readonly #options: WebSocketOptions;
  readonly #context: TransportContext;
  readonly #queue: Queue;
  readonly #pending = new Map<string, Attempt>();
  #connection: Promise<SocketLike> | undefined;
  /** Ends the connection or the attempt to have one. */
  #end: ((error: RpcError) => void) | undefined;
  /** Connections lost since the last answer. */
  #losses = 0;
  #timer: unknown;
  #lastHeard = 0;

  constructor(open: OpenSocket, url: string, options: WebSocketOptions, context: TransportContext) {
    this.#open = () => {
      const target = new URL(url, globalThis.location?.href);
      target.protocol = target.protocol.replace("http", "ws");
      return open(target, options.apiKey ?? context.apiKey, context.maxAnswerBytes);
    };
    this.#options = options;
    this.#context = context;
    this.#queue = context.queue({ post: (attempts, asArray) => this.#send(attempts, asArray) });
  }

  request(call: Call): Promise<unknown> {
    return this.#queue.add(call);
  }

  close(): void {
    this.#queue.close();
    this.#end?.(closedByCaller());
  }

  async #send(attempts: Attempt[], asArray: boolean): Promise<boolean> {
    try {
      this.#connection ??= this.#connect();
      const socket = await this.#connection;
      const wanted = attempts.filter(({ call }) => !call.abandoned);
      for (const attempt of wanted) {
        const id = String(attempt.id);
        this.#pending.set(id, attempt);
        attempt.call.whenAbandoned(() => this.#pending.delete(id));
      }
      if (wanted.length > 0) socket.send(requestText(wanted, asArray));
    } catch (error) {
      for (const { reject } of attempts) reject(error);
    }
    return true;
  }

  #connect(): Promise<SocketLike> {
    const { clock, random } = this.#context;
    const { baseMs, maxMs } = this.#options.reconnect ?? defaultReconnect;
    return new Promise((opened, refused) => {
      let socket: SocketLike | undefined;
      const end = (error: RpcError) => {
        if (this.#end !== end) return;
        this.#end = undefined;
        this.#connection = undefined;
        this.#losses++;
        clock.clearTimeout(this.#timer);
        refused(error);
        for (const { reject } of this.#pending.values()) reject(error);
        this.#pending.clear();
        socket?.close();
      };
      this.#end = end;
      const begin = () => {
        try {
          socket = this.#open();
        } catch (cause) {
          return end(notConnected(cause));
        }
        this.#attach(socket, opened, end);
      };
      // Without a wait at once, so that the first call does not pay for a timer.
      if (this.#losses === 0) begin();
      else
        this.#timer = clock.setTimeout(begin, random() * Math.min(maxMs, baseMs * 2 ** (this.#losses - 1)));
    });
  }

  #attach(socket: SocketLike, opened: (socket: SocketLike) => void, end: (error: RpcError) => void): void {
    let open = false;
    let trouble: unknown;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      open = true;
      this.#heard();
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
      end(open ? lost(`${code} ${reason}`) : notConnected(trouble));
    };
  }

  #receive(data: string | ArrayBuffer): void {
    this.#heard();
    const { maxAnswerBytes } = this.#context;
    const text = typeof data === "string" ? data : new TextDecoder().decode(data);
    const message = text.length > maxAnswerBytes ? undefined : parseJson(text);
    if (message) for (const answer of [message].flat()) this.#take(answer);
    else if (text.length > maxAnswerBytes) this.#end?.(answerTooLarge(maxAnswerBytes));
    else this.#end?.(new RpcError("bad-answer", "what came is no JSON", { body: text }));
  }

  #take(answer: Json): void {
    // Nobody can tell whose an answer without an id is: as a refusal it holds for all, as a result for none.
    const refusesAll = answer?.id == null && (answer?.error || answer?.ok === false);
    const concerned = refusesAll ? [...this.#pending.keys()] : [String(answer?.id)];
    for (const id of concerned) {
      const attempt = this.#pending.get(id);
      if (!attempt) continue;
      this.#pending.delete(id);
      this.#losses = 0;
      const error = settle(attempt, answer, noReply);
      if (error?.code === "rate-limited") this.#queue.refused(null, error.retryAfterMs);
    }
  }

  #heard(): void {
    this.#lastHeard = this.#context.clock.now();
  }

  /** Asks a service that has been silent for a while whether it is there, and gives it as long to answer. */
  #watch(socket: SocketLike): void {
    const { clock, nextId } = this.#context;
    const { silenceMs = defaultSilenceMs } = this.#options;
    const silent = clock.now() - this.#lastHeard;
    if (silent >= 2 * silenceMs) {
      this.#end?.(lost("no sign of life"));
      return;
    }
    const asks = silent >= silenceMs;
    if (asks) socket.send(`{"jsonrpc":"2.0","id":${nextId()},"method":"rpc.ping"}`);
    this.#timer = clock.setTimeout(() => this.#watch(socket), asks ? silenceMs : silenceMs - silent);
  }
}

/** Over a WebSocket nothing comes with an answer. */
const noReply = { status: 200 };

function lost(why: string): RpcError {
  return new RpcError("closed", `the connection was lost: ${why}`, { retryable: true });
}

function notConnected(cause: unknown): RpcError {
  const text = cause instanceof Error ? cause.message : (cause ?? "connection refused");
  const message = `the service was not reached: ${text}`;
  const details = { cause, unsent: true };
  // The package ws names the status that refused the upgrade; browsers keep it to themselves.
  const status = /server response: (\d+)/.exec(message);
  if (status) return statusError(Number(status[1]), message, details);
  return new RpcError("network", message, { ...details, retryable: true });
}
