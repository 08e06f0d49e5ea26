import { failureText, isSetupError } from "../errors.js";
import { isPassing } from "../indexer/work/failures.js";
import type { Log } from "../observe/log.js";

/** The consequence of a failure for the work. `waits`: another wording for a failure that may pass. */
type Consequence = { failed: string; waits?: string };

/** Logs a failure: in one sentence if an operator can mend its cause, with a stack if it is a defect. */
export function logFailure(
  log: Pick<Log, "warn" | "error">,
  error: Error,
  { failed, waits = failed }: Consequence,
): void {
  // System errors come from disks and sockets.
  const isOperational = isSetupError(error) || "syscall" in error;
  if (isOperational) log.error(`${failed}: ${failureText(error)}`);
  else if (isPassing(error)) log.warn(`${waits}: ${failureText(error)}`);
  else log.error({ err: error }, failed);
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

  /** The latest failure in one sentence, until the work succeeds again. */
  get last(): string | undefined {
    return this.#last;
  }

  readonly failed = (error: Error): void => {
    const text = failureText(error);
    if (this.#ending.aborted || text === this.#last) return;
    this.#last = text;
    this.#write(error);
  };

  succeeded(): void {
    this.#last = undefined;
  }
}
