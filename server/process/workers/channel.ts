import { InFlight } from "../../../shared/values/in-flight.js";

/** The questions and notices that another process takes, by name. */
export type Handlers = { readonly [name: string]: (argument: never) => unknown };

/** Messages between two processes: a question with a number is answered, one without is not. A worker opens the channel. */
export type ChannelMessage =
  | { type: "open" }
  | { type: "ask"; id: number | undefined; name: string; argument: unknown }
  | { type: "answer"; id: number; value: unknown }
  | { type: "failure"; id: number; message: string };

type Pending = { resolve(value: unknown): void; reject(error: Error): void };

type Argument<Remote extends Handlers, Name extends keyof Remote> = Parameters<Remote[Name]>[0];
type Value<Remote extends Handlers, Name extends keyof Remote> = Awaited<ReturnType<Remote[Name]>>;

/**
 * One end of the connection between two processes, whose messages arrive in order. `Remote`: what the other end can be
 * asked. The processes trust each other, so arguments are not checked.
 */
export class Channel<Remote extends Handlers> {
  readonly #send: (message: ChannelMessage) => unknown;
  readonly #handlers: Handlers;
  readonly #pending = new InFlight<number, Pending>();
  #lastId = 0;
  #hasEnded = false;

  constructor(send: (message: ChannelMessage) => unknown, handlers: Handlers) {
    this.#send = send;
    this.#handlers = handlers;
  }

  /** Asks the other process; rejects if it fails or ends. */
  ask<Name extends keyof Remote & string>(
    name: Name,
    argument: Argument<Remote, Name>,
  ): Promise<Value<Remote, Name>> {
    if (this.#hasEnded) return Promise.reject(ended());
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#send({ type: "ask", id, name, argument });
    return answer as Promise<Value<Remote, Name>>;
  }

  /** Tells the other process, without an answer: a failure there is a defect that ends it. */
  tell<Name extends keyof Remote & string>(name: Name, argument: Argument<Remote, Name>): void {
    if (!this.#hasEnded) this.#send({ type: "ask", id: undefined, name, argument });
  }

  /** Takes a message of the other process. */
  take(message: ChannelMessage): void {
    switch (message.type) {
      case "ask":
        void this.#run(message);
        return;
      case "open":
        return;
      case "answer":
        this.#pending.take(message.id)?.resolve(message.value);
        return;
      case "failure":
        this.#pending.take(message.id)?.reject(new Error(message.message));
    }
  }

  /** The other process has ended: what it was asked is not answered any more. */
  end(): void {
    this.#hasEnded = true;
    for (const { reject } of this.#pending.takeAll()) reject(ended());
  }

  async #run({ id, name, argument }: ChannelMessage & { type: "ask" }): Promise<void> {
    try {
      const value = await this.#handlers[name]!(argument as never);
      if (id !== undefined && !this.#hasEnded) this.#send({ type: "answer", id, value });
    } catch (error) {
      if (id === undefined) throw error;
      if (!this.#hasEnded) this.#send({ type: "failure", id, message: (error as Error).message });
    }
  }
}

function ended(): Error {
  return new Error("the other process has ended");
}
