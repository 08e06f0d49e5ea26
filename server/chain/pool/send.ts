import { LiteError, liteErrorCode } from "../lite-api.js";
import { unavailable } from "./attempts.js";
import { failureKind, isDuplicate } from "./failure-kind.js";

const timeouts: ReadonlySet<number> = new Set([liteErrorCode.timeout, liteErrorCode.queryTimeout]);

/** What became of a message that no server has taken so far. */
export class SendFailures {
  /** How an attempt ended whose server may have the message; what a server said, or was too late for, says most. */
  #unclear: unknown;
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
  get isAccepted(): boolean {
    return this.#unclear !== undefined && this.#duplicate !== undefined;
  }

  /** What the servers say of the message; nothing while none of them said anything. */
  get refusal(): unknown {
    return this.#duplicate ?? this.#refusal;
  }

  /** What the caller is told when nobody is left to send it to. */
  get problem(): unknown {
    const error = this.refusal ?? this.#unclear;
    return error instanceof LiteError ? error : unavailable(error);
  }

  #note(error: unknown): void {
    if (isDuplicate(error)) this.#duplicate = error;
    else if (isUnclear(error)) this.#unclear = this.#unclear instanceof LiteError ? this.#unclear : error;
    else if (error instanceof LiteError) this.#refusal = error;
  }
}

/** Nobody knows what became of the message: the server said nothing of use, or that it took too long. */
function isUnclear(error: unknown): boolean {
  const kind = failureKind(error);
  if (kind === "lost" || kind === "lie") return true;
  return error instanceof LiteError && timeouts.has(error.code);
}
