import { LiteError } from "../lite-api.js";
import { isDuplicate, verdictOf } from "./verdict.js";

/** What became of a message that no server has taken so far. */
export class SendFailures {
  /** An attempt ended without an answer; its server may have the message. */
  #mayBeTaken = false;
  #duplicate: unknown;
  #refusal: unknown;

  /** Sends to all of them at once: the first that takes it answers. Undefined when none did. */
  async first<T>(sendings: readonly Promise<T>[]): Promise<T | undefined> {
    try {
      return await Promise.any(sendings);
    } catch (error) {
      for (const each of (error as AggregateError).errors) this.#note(each);
      return undefined;
    }
  }

  /** Servers tell each other of messages: one that is known already, although we never heard so, came from us. */
  get isTaken(): boolean {
    return this.#mayBeTaken && this.#duplicate !== undefined;
  }

  /** What the servers say of the message; nothing while none of them said anything. */
  get refusal(): unknown {
    return this.#duplicate ?? this.#refusal;
  }

  #note(error: unknown): void {
    if (isDuplicate(error)) this.#duplicate = error;
    else if (verdictOf(error) === "lost") this.#mayBeTaken = true;
    else if (error instanceof LiteError) this.#refusal = error;
  }
}
