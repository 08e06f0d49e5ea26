// Reads members of claims, which may have any value.
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";

/** The call that a claim is made in. */
type ClaimMethod = "check" | "debug";

/** The value of a claimed member. Throws a ProofError if it cannot be read: `from` throws or returns undefined. */
export function read<T, R>(
  field: string,
  claimed: T,
  from: (claimed: T) => R | undefined,
  method: ClaimMethod = "check",
): R {
  let cause: unknown;
  try {
    const value = from(claimed);
    if (value !== undefined) return value;
  } catch (error) {
    cause = error;
  }
  throw new ProofError(`${field} cannot be read`, { method, field }, cause as Error | undefined);
}

export function recordIn<T extends object>(field: string, claimed: T, method?: ClaimMethod): T {
  return read(
    field,
    claimed,
    (value) => (typeof value === "object" && value !== null ? value : undefined),
    method,
  );
}

export function listIn<T>(field: string, claimed: readonly T[]): readonly T[] {
  return read(field, claimed, (value) => (Array.isArray(value) ? value : undefined));
}

/** A number of at most 64 bits: digits, or upper-case ones after `0x`. */
export function uint64In(text: string): bigint | undefined {
  return /^(\d{1,20}|0x[0-9A-F]{1,16})$/.test(text) ? BigInt.asUintN(64, BigInt(text)) : undefined;
}

const uint32s = 2 ** 32;

/** Seqno of a block after the zero state. */
export function seqnoIn(value: number): number | undefined {
  return Number.isInteger(value) && value > 0 && value < uint32s ? value : undefined;
}
