import { isRpcError } from "../../../../client/errors.js";
import { ProofError } from "../../../../shared/ton/proofs/verify/proof-error.js";
import { type Claim, type Difference, differences } from "./claims.js";
import type { Proofs } from "./proofs.js";
import type { Proven } from "./provers/proven.js";
import type { Proved, Status } from "./session.js";

/** The end of a proof of shown values. */
export type Outcome =
  | { readonly kind: "proven"; readonly claim: Claim; readonly proved: Proved<Proven> }
  | {
      readonly kind: "contradicted";
      readonly claim: Claim;
      readonly differences: readonly Difference[];
      /** The values are proven to be others; absent if the service's proof itself is wrong. */
      readonly proved?: Proved<Proven>;
      readonly error?: ProofError;
    }
  | { readonly kind: "failed"; readonly claim: Claim; readonly reason: string };

/** Proves values, and compares them. `status`: that of the session, once the proof has ended. */
export async function outcomeOf(claim: Claim, proofs: Proofs, status: () => Status): Promise<Outcome> {
  try {
    return compared(claim, await proofs.of(claim.subject));
  } catch (error) {
    // Another network is no lie about this value.
    if (error instanceof ProofError && status().kind !== "replaced") {
      const { claimed, proven } = error.evidence;
      const known = claimed !== undefined && proven !== undefined;
      return {
        kind: "contradicted",
        claim,
        differences: known ? [{ name: "answer", claimed, proven }] : [],
        error,
      };
    }
    return { kind: "failed", claim, reason: reasonOf(error) };
  }
}

/** The same without waiting, if the proof is there already. */
export function knownOutcome(claim: Claim, proofs: Proofs): Outcome | undefined {
  const proved = proofs.known(claim.subject);
  return proved && compared(claim, proved);
}

function compared(claim: Claim, proved: Proved<Proven>): Outcome {
  const found = differences(claim, proved.result.values);
  return found.length === 0
    ? { kind: "proven", claim, proved }
    : { kind: "contradicted", claim, differences: found, proved };
}

function reasonOf(error: unknown): string {
  if (isRpcError(error, "network")) return "The service cannot be reached.";
  return (error as Error).message.slice(0, 600);
}
