import type { Call } from "../call.js";
import type { RestRequest } from "./rest.js";

/** Carries calls to a service and brings their answers back; it never repeats a call by itself. */
export interface Transport {
  /** Rejects with an `RpcError`. May stay unsettled once the call is abandoned. */
  request(call: Call): Promise<unknown>;
  /** Called once all calls are abandoned; ends connections and timers. */
  close(): void;
}

/** What `http`, `webSocket` and `fallback` give: made into a transport by each client for itself. */
export type TransportFactory = (context: TransportContext) => Transport;

export type TransportContext = {
  readonly apiKey: string | undefined;
  readonly maxAnswerBytes: number;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  /** Ids of calls, never the same twice. */
  readonly nextId: () => number;
  /** What collects the calls to one endpoint and sends them in portions. */
  readonly queue: (endpoint: Endpoint) => Queue;
};

/** One try of a call. */
export type Attempt = {
  readonly call: Call;
  readonly id: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Where requests go. */
export interface Endpoint {
  /**
   * Sends one request and settles its calls, except those of a batch that was refused as a whole: the queue knows
   * what then. Otherwise says whether the answer was an array. With `rest` the one call goes by REST.
   */
  post(attempts: readonly Attempt[], asArray: boolean, rest?: RestRequest): Promise<Refusal | boolean>;
}

/** A batch that got one object for an answer. */
export type Refusal = {
  readonly answer: unknown;
  readonly status: number;
  /** Gives a call such an answer. */
  readonly settle: (attempt: Attempt, answer: unknown) => void;
};

export interface Queue {
  add(call: Call): Promise<unknown>;
  /** Wants to be told of calls refused because there were too many; `policy` is the header `RateLimit-Policy`. */
  readonly limiter: { refused(policy: string | null, retryAfterMs: number | undefined): void };
  /** Sends a batch that was too large again, in two. */
  halve(attempts: readonly Attempt[]): void;
  close(): void;
}

export type BatchOptions = {
  /** Most calls of one request; 1 switches batching off. */
  readonly maxCalls: number;
  /** Longest request text. */
  readonly maxBytes: number;
  /** How long a call waits for company; 0 until the program has no more to do right now. */
  readonly waitMs: number;
};

/** At most `burst` calls at once and `rps` per second in the long run. */
export type RateLimit = { readonly rps: number; readonly burst?: number | undefined };

/** Time, for tests to replace. */
export type Clock = {
  /** Wall clock, ms. */
  now(): number;
  /** 0 ms: in the next macrotask, and then it need not be possible to clear it. */
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
};
