import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { unavailable } from "./attempts.js";
import { failureKind, isDuplicate } from "./failure-kind.js";

const timeouts: ReadonlySet<number> = new Set([liteErrorCode.timeout, liteErrorCode.queryTimeout]);

/** Failures of a message that no server has accepted so far. */
export class SendFailures {
  /** Failure after which the server may still have the message; a LiteError takes precedence. */
  #unclear: unknown;
  #duplicate: unknown;
  #refusal: unknown;

  /** The first successful attempt; undefined if all failed. */
  async first<T>(sendings: readonly Promise<T>[]): Promise<T | undefined> {
    try {
      return await Promise.any(sendings);
    } catch (error) {
      for (const each of (error as AggregateError).errors) this.#note(each);
      return undefined;
    }
  }

  /** Servers broadcast messages to each other: a duplicate after an attempt of unknown outcome is our own message. */
  get isAccepted(): boolean {
    return this.#unclear !== undefined && this.#duplicate !== undefined;
  }

  /** The reason why the servers rejected the message; undefined while none did. */
  get refusal(): unknown {
    return this.#duplicate ?? this.#refusal;
  }

  /** The error for the caller when no server is left to send to. */
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

/** Outcome unknown: no valid answer, or a timeout of the server. */
function isUnclear(error: unknown): boolean {
  const kind = failureKind(error);
  if (kind === "lost" || kind === "lie") return true;
  return error instanceof LiteError && timeouts.has(error.code);
}
