import { bytesEqual, bytesToHex } from "../../../shared/values/bytes.js";
import { CellError } from "../../cells/cell-error.js";
import { TlbError } from "../../tlb/codec.js";
import { TlError } from "../tl/tl-error.js";

/** Why an answer is not believed: what the functions of this folder throw, beside what reading broken cells throws. */
export class FailedProof extends Error {
  override readonly name = "FailedProof";
}

/** The server is of another network altogether. */
export class OtherNetwork extends FailedProof {}

/** A liteserver answered what is not so, or what its own proof does not bear out. It is not to be asked again. */
export class LyingServerError extends Error {
  override readonly name = "LyingServerError";
  /** The method of LiteApi that was answered. */
  readonly method: string;

  constructor(method: string, cause: Error) {
    super(`${method}: ${cause.message}`, { cause });
    this.method = method;
  }
}

/** What came of reading an answer of a server; other errors, as those it answered itself, stay what they are. */
export function asLie(method: string, error: unknown): unknown {
  const isLie =
    error instanceof FailedProof ||
    error instanceof CellError ||
    error instanceof TlbError ||
    error instanceof TlError;
  return isLie ? new LyingServerError(method, error) : error;
}

export function check(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new FailedProof(reason);
}

export function checkHash(actual: Uint8Array, expected: Uint8Array, what: string): void {
  if (!bytesEqual(actual, expected))
    throw new FailedProof(`${what}: ${bytesToHex(actual)} instead of ${bytesToHex(expected)}`);
}
