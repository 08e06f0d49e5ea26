import { InFlight } from "../../../shared/values/in-flight.js";
import { type ErrorClasses, errorOf, type Failure, failureOf } from "./failure.js";

/**
 * The methods and events that one end takes, by name. `signal`: aborts when that of the caller does; a call without one has
 * none.
 */
export type Handlers = { readonly [name: string]: (argument: never, signal?: AbortSignal) => unknown };

/** An argument or a result whose buffers are moved to the other thread instead of copied. */
export class Moved<T> {
  readonly value: T;
  readonly buffers: ArrayBuffer[];

  constructor(value: T, buffers: ArrayBuffer[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

/** Calls and their answers have a number, events have none. */
export type ChannelMessage =
  | { type: "ask"; id: number | undefined; name: string; argument: unknown; hasSignal: boolean }
  | { type: "abort"; id: number }
  | { type: "answer"; id: number; value: unknown }
  | { type: "failure"; id: number; failure: Failure };

/** How an end sends, and what it takes. */
export type ChannelOptions = {
  /** Sends messages to the other end, which takes them in order. */
  send(messages: ChannelMessage[], moved?: ArrayBuffer[]): unknown;
  /** Changes messages before they are cloned. */
  prepare?(messages: ChannelMessage[]): ChannelMessage[];
  /** What this end takes. Default: nothing. */
  handlers?: Handlers;
  /** Classes of errors that calls reject with. */
  errors?: ErrorClasses;
  /** Called when the first of the calls under way begins, and when the last one ends. */
  onBusy?(isBusy: boolean): void;
};

type Pending = { resolve(value: unknown): void; reject(error: Error): void };

type Argument<Remote extends Handlers, Name extends keyof Remote> = Parameters<Remote[Name]>[0];
/** What a call of a method resolves with. */
export type Answer<Remote extends Handlers, Name extends keyof Remote> =
  Awaited<ReturnType<Remote[Name]>> extends infer Result
    ? Result extends Moved<infer T>
      ? T
      : Result
    : never;

/**
 * One end of the connection to another thread or process. `Remote`: the methods and events that the other end takes, which
 * come there in the order of their calls. The ends trust each other, so arguments are not checked. A call is answered when
 * its work is done: a caller that waits for answers cannot outrun the other end.
 */
export class Channel<Remote extends Handlers> {
  readonly #options: ChannelOptions;
  readonly #pending = new InFlight<number, Pending>();
  /** Calls of the other end that it may abort. */
  readonly #running = new Map<number | undefined, AbortController>();
  /** Messages that go with the next one. */
  #held: ChannelMessage[] = [];
  #lastId = 0;
  #count = 0;
  #ended: Error | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
  }

  /** Whether no call waits for its answer. */
  get isIdle(): boolean {
    return this.#count === 0;
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /**
   * Calls a method of the other end. Rejects with its error, or as the owner of this end chose once the other one has
   * ended. `signal`: aborts the call there, whose outcome is still the answer.
   */
  ask<Name extends keyof Remote & string>(
    name: Name,
    argument: Argument<Remote, Name> | Moved<Argument<Remote, Name>>,
    signal?: AbortSignal,
  ): Promise<Answer<Remote, Name>> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      // Throws for an argument that cannot be cloned.
      const hasSignal = signal !== undefined;
      this.#post({ type: "ask", id, name, argument: plain(argument), hasSignal }, buffersOf(argument));
      this.#pending.set(id, { resolve, reject });
      if (++this.#count === 1) this.#options.onBusy?.(true);
    }) as Promise<Answer<Remote, Name>>;
    if (!signal) return answer;
    const abort = () => this.#post({ type: "abort", id });
    signal.addEventListener("abort", abort);
    return answer.finally(() => signal.removeEventListener("abort", abort));
  }

  /** Sends an event, which has no answer: a failure of its handler is a defect that ends the other end. */
  tell<Name extends keyof Remote & string>(
    name: Name,
    argument: Argument<Remote, Name> | Moved<Argument<Remote, Name>>,
  ): void {
    this.#post(eventOf(name, plain(argument)), buffersOf(argument));
  }

  /**
   * Sends an event together with the other messages of this turn of the event loop: waking a thread costs more than an
   * event.
   */
  tellAlong<Name extends keyof Remote & string>(name: Name, argument: Argument<Remote, Name>): void {
    if (this.#held.push(eventOf(name, argument)) === 1) setImmediate(() => this.#flush());
  }

  /** Takes messages of the other end. */
  take(messages: readonly ChannelMessage[]): void {
    for (const message of messages) this.#takeOne(message);
  }

  /** The other end has ended, or must not be waited for: calls reject with the error, and its own ones are aborted. */
  end(error: Error): void {
    if (this.#ended) return;
    this.#ended = error;
    for (const controller of this.#running.values()) controller.abort();
    if (!this.isIdle) this.#options.onBusy?.(false);
    this.#count = 0;
    for (const { reject } of this.#pending.takeAll()) reject(error);
  }

  #takeOne(message: ChannelMessage): void {
    switch (message.type) {
      case "ask":
        void this.#run(message);
        return;
      case "abort":
        this.#running.get(message.id)?.abort();
        return;
      case "answer":
        this.#endOf(message.id)?.resolve(message.value);
        return;
      case "failure":
        this.#endOf(message.id)?.reject(errorOf(message.failure, this.#options.errors));
    }
  }

  /** The end of a call; `undefined` if this end of the channel was ended before. */
  #endOf(id: number): Pending | undefined {
    const pending = this.#pending.take(id);
    if (pending && --this.#count === 0) this.#options.onBusy?.(false);
    return pending;
  }

  async #run({ id, name, argument, hasSignal }: ChannelMessage & { type: "ask" }): Promise<void> {
    const controller = hasSignal ? new AbortController() : undefined;
    if (controller) this.#running.set(id, controller);
    try {
      const result = await this.#options.handlers![name]!(argument as never, controller?.signal);
      if (id !== undefined) this.#post({ type: "answer", id, value: plain(result) }, buffersOf(result));
    } catch (error) {
      if (id === undefined) throw error;
      this.#post({ type: "failure", id, failure: failureOf(error, this.#options.errors) });
    } finally {
      this.#running.delete(id);
    }
  }

  #post(message: ChannelMessage, moved?: ArrayBuffer[]): void {
    if (this.#ended) return;
    const held = this.#held;
    this.#held = [];
    try {
      this.#send([...held, message], moved);
    } catch (error) {
      // The message cannot be cloned, the others can.
      if (held.length > 0) this.#send(held);
      throw error;
    }
  }

  #flush(): void {
    const held = this.#held;
    this.#held = [];
    if (held.length > 0 && !this.#ended) this.#send(held);
  }

  #send(messages: ChannelMessage[], moved?: ArrayBuffer[]): void {
    const { send, prepare } = this.#options;
    send(prepare ? prepare(messages) : messages, moved);
  }
}

function eventOf(name: string, argument: unknown): ChannelMessage {
  return { type: "ask", id: undefined, name, argument, hasSignal: false };
}

function plain(content: unknown): unknown {
  return content instanceof Moved ? content.value : content;
}

function buffersOf(content: unknown): ArrayBuffer[] | undefined {
  return content instanceof Moved ? content.buffers : undefined;
}
