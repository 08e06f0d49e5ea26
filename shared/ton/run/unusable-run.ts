import { NamedError } from "../../values/named-error.js";

/** A run cannot be given to the emulator, or it refuses the run: a retry fails the same way. */
export class UnusableRun extends NamedError {
  static override readonly name = "UnusableRun";

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
  }
}
