import type { Call } from "../call.js";
import type { RestRequest } from "./rest.js";

/** Sends calls to a service and returns their answers. Never retries by itself. */
export interface Transport {
  /** Rejects with an `RpcError`. May never settle once the call is abandoned. */
  request(call: Call): Promise<unknown>;
  /** Releases connections and timers. Called after all calls are abandoned. */
  close(): void;
}

/** Returned by `http`, `webSocket` and `fallback`; each client creates its own transport from it. */
export type TransportFactory = (context: TransportContext) => Transport;

/** The part of the WebSocket interface that the client uses; the browser's class and the package `ws` both have it. */
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

/** Called for each received message of a WebSocket with the length of its text, and at its loss without a message. */
export type Heard = (socket: SocketLike, message?: unknown, length?: number) => void;

/** Options that a client passes to its transport. */
export type TransportContext = {
  /** Key of the client. */
  readonly apiKey: string | undefined;
  /** Longer answers are rejected. */
  readonly maxAnswerBytes: number;
  /** Clock of the client. */
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  /** Unique request ids. */
  readonly nextId: () => number;
  /** Called before a message of a WebSocket settles calls. */
  readonly heard?: Heard | undefined;
  /** Creates the queue that batches the calls to one endpoint. */
  readonly queue: (endpoint: Endpoint) => Queue;
};

/** One attempt of a call, with the id of its request. */
export type Attempt = {
  /** The call. */
  readonly call: Call;
  /** Id of the request. */
  readonly id: number;
  /** Settles the call with its result. */
  readonly resolve: (result: unknown) => void;
  /** Settles the call with an error. */
  readonly reject: (error: unknown) => void;
};

/** HTTP metadata of an answer. */
export type Reply = {
  /** HTTP status. */
  readonly status: number;
  /** From `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  /** URL that the request was sent to. */
  readonly endpoint?: string | undefined;
};

/** Target of requests. */
export interface Endpoint {
  /**
   * Sends one request and settles its calls. Returns whether the answer was an array. A batch refused as a whole is
   * returned as a `Refusal` with its calls unsettled, for the queue to handle. `rest` sends a single call by REST.
   */
  post(attempts: readonly Attempt[], asArray: boolean, rest?: RestRequest): Promise<Refusal | boolean>;
}

/** A batch that was answered by a single object. */
export type Refusal = {
  /** The object, parsed, or text that is not JSON. */
  readonly answer: unknown;
  /** HTTP status. */
  readonly status: number;
  /** Settles one call with such an answer. */
  readonly settle: (attempt: Attempt, answer: unknown) => void;
};

/** Collects the calls to one endpoint and sends them. */
export interface Queue {
  /** Sends a call with the next batch. */
  add(call: Call): Promise<unknown>;
  /** Settles a call with its answer. A refusal, with its headers if there are any, teaches the rate limit. */
  settle(attempt: Attempt, answer: unknown, reply: Reply, headers?: Headers): void;
  /** Resends a batch that was too large as two halves. */
  halve(attempts: readonly Attempt[]): void;
  /** Releases timers. */
  close(): void;
}

/** How calls are combined into batches. */
export type BatchOptions = {
  /** Maximum calls per request; 1 disables batching. */
  readonly maxCalls: number;
  /** Maximum length of a request. */
  readonly maxBytes: number;
  /** How long a call waits for others to share its batch; 0 until the end of the current macrotask. */
  readonly waitMs: number;
};

/** At most `burst` concurrent calls, and `rps` per second in the long run. */
export type RateLimit = {
  /** Calls per second in the long run. */
  readonly rps: number;
  /** Concurrent calls; default: `rps`, rounded up. */
  readonly burst?: number | undefined;
};

/** Replaceable in tests. */
export type Clock = {
  /** Wall clock, ms. */
  now(): number;
  /** With 0 ms runs in the next macrotask; such a timer need not be clearable. */
  setTimeout(run: () => void, ms: number): unknown;
  /** Cancels a timer that `setTimeout` returned. */
  clearTimeout(timer: unknown): void;
};
