import { bytesEqual, bytesToHex } from "../../../values/bytes.js";
import { NamedError } from "../../../values/named-error.js";
import { CellError } from "../../cells/cell-error.js";
import type { Exchange } from "../../lite/exchange.js";
import { TlError } from "../../tl/tl-error.js";
import { type BlockIdExt, formatBlockId, formatBlockIdExt, sameBlock } from "../../tlb/block-id.js";
import { TlbError } from "../../tlb/codec.js";

/** Evidence that an answer is wrong. Members are absent if the failed check does not know them. */
export type Evidence = {
  /** The method of LiteApi that was called. */
  method?: string;
  /** The member of the answer that is wrong, such as `transaction.in_msg.value`. */
  field?: string;
  claimed?: string;
  proven?: string;
  /** The block against which the answer was checked. */
  block?: BlockIdExt;
  /** All that the server answered for the call, if the caller kept it. */
  bytes?: readonly Exchange[];
};

/**
 * An answer contradicts its proof, has none or is invalid. The pool bans such servers. Functions of this folder also
 * throw the errors of invalid cells, TL-B and TL; `proofError` makes ProofErrors of them.
 */
export class ProofError extends NamedError {
  static override readonly name: string = "ProofError";
  readonly evidence: Evidence;

  constructor(message: string, evidence: Evidence = {}, cause?: Error) {
    super(message, cause && { cause });
    this.evidence = evidence;
  }
}

/** The server is of another network. */
export class OtherNetwork extends ProofError {
  static override readonly name = "OtherNetwork";
}

/** Adds the method to errors of verifying an answer; returns those that have one, and others such as LiteErrors, unchanged. */
export function proofError(method: string, error: unknown, more: Evidence = {}): unknown {
  const isFailure =
    error instanceof ProofError ||
    error instanceof CellError ||
    error instanceof TlbError ||
    error instanceof TlError;
  if (!isFailure) return error;
  const known = error instanceof ProofError ? error.evidence : {};
  if (known.method !== undefined) return error;
  return new ProofError(`${method}: ${error.message}`, { ...more, ...known, method }, error);
}

export function check(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new ProofError(reason);
}

/** `block`: the block whose proof has the expected hash. */
export function checkHash(actual: Uint8Array, expected: Uint8Array, what: string, block?: BlockIdExt): void {
  if (bytesEqual(actual, expected)) return;
  const [claimed, proven] = [bytesToHex(actual), bytesToHex(expected)];
  throw new ProofError(`${what}: ${claimed} instead of ${proven}`, {
    claimed,
    proven,
    ...(block && { block }),
  });
}

export function checkSameBlock(answered: BlockIdExt, expected: BlockIdExt): void {
  if (sameBlock(answered, expected)) return;
  const otherHashes = sameNumbers(answered, expected) ? " with other hashes" : "";
  throw new ProofError(
    `the answer is about ${formatBlockId(answered)}${otherHashes}, not about ${formatBlockId(expected)}`,
    { claimed: formatBlockIdExt(answered), proven: formatBlockIdExt(expected) },
  );
}

function sameNumbers(a: BlockIdExt, b: BlockIdExt): boolean {
  return a.workchain === b.workchain && a.shard === b.shard && a.seqno === b.seqno;
}
