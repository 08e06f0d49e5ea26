import { bytesEqual, bytesToHex } from "../../../shared/values/bytes.js";
import { CellError } from "../../cells/cell-error.js";
import { TlbError } from "../../tlb/codec.js";
import { TlError } from "../tl/tl-error.js";

/** An answer is not proven. Functions of this folder also throw the errors of invalid cells, TL-B and TL. */
export class FailedProof extends Error {
  override readonly name = "FailedProof";
}

/** The server is of another network. */
export class OtherNetwork extends FailedProof {}

/** A liteserver's answer contradicts its proof or is invalid. The pool bans such servers. */
export class LyingServerError extends Error {
  override readonly name = "LyingServerError";
  /** The method of LiteApi that was called. */
  readonly method: string;

  constructor(method: string, cause: Error) {
    super(`${method}: ${cause.message}`, { cause });
    this.method = method;
  }
}

/** Wraps errors of verifying an answer in a LyingServerError; returns other errors, such as LiteErrors, unchanged. */
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
