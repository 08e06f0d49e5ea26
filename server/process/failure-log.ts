/** A failure in one sentence, with its cause. */
export function failureText({ message, cause }: Error): string {
  const reason = cause instanceof Error ? cause.message : "";
  return reason === "" || message.includes(reason) ? message : `${message}: ${reason}`;
}

/** Logs the failures of work that is repeated: each once, until a different one occurs. */
export class FailureLog {
  readonly #ending: AbortSignal;
  readonly #write: (error: Error) => void;
  #last: string | undefined;

  /** Failures after `ending` are a part of it and are not logged. */
  constructor(ending: AbortSignal, write: (error: Error) => void) {
    this.#ending = ending;
    this.#write = write;
  }

  /** The message of the latest failure, until the work succeeds again. */
  get last(): string | undefined {
    return this.#last;
  }

  readonly failed = (error: Error): void => {
    if (this.#ending.aborted || error.message === this.#last) return;
    this.#last = error.message;
    this.#write(error);
  };

  succeeded(): void {
    this.#last = undefined;
  }
}
