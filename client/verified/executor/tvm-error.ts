import { NamedError } from "../../../shared/values/named-error.js";

/**
 * Why there is no result. `build`: the files of the emulator are other ones than the package's. `refused`: the emulator does
 * not take the contract, the configuration or the stack. `broken`: the run broke the emulator; the next one has a new one.
 */
export class TvmError extends NamedError {
  static override readonly name = "TvmError";
  readonly reason: "build" | "refused" | "broken";

  constructor(reason: TvmError["reason"], message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}
