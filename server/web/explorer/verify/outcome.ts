import { isRpcError } from "../../../../client/errors.js";
import { ProofError } from "../../../../shared/ton/proofs/verify/proof-error.js";
import { sentenceOf } from "../parts/failure.js";
import { type Claim, type Difference, differences } from "./claims.js";
import type { Proofs } from "./proofs.js";
import type { Proven } from "./provers/proven.js";
import type { Proved, Session } from "./session.js";

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

type Proving = { readonly session: Session; readonly proofs: Proofs };

/**
 * Proves values, and compares them. On a devnet, blocks that were proven before a revert are not of its chain any more:
 * values that contradict them are compared with the chain as it is now.
 */
export async function outcomeOf(
  claim: Claim,
  { session, proofs }: Proving,
  mayRevert: boolean,
): Promise<Outcome> {
  const { chain } = session;
  const outcome = await oneOutcome(claim, proofs, session);
  if (outcome.kind === "proven" || !mayRevert) return outcome;
  session.renew(chain);
  proofs.clear();
  return oneOutcome(claim, proofs, session);
}

async function oneOutcome(claim: Claim, proofs: Proofs, session: Session): Promise<Outcome> {
  try {
    return compared(claim, await proofs.of(claim.subject));
  } catch (error) {
    // Another network is no lie about this value.
    if (error instanceof ProofError && session.status.kind !== "replaced") {
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

/** Whether values are proven already. A contradiction is not taken from an earlier proof. */
export function knownOutcome(claim: Claim, proofs: Proofs): Outcome | undefined {
  const proved = proofs.known(claim.subject);
  const outcome = proved && compared(claim, proved);
  return outcome?.kind === "proven" ? outcome : undefined;
}

function compared(claim: Claim, proved: Proved<Proven>): Outcome {
  const found = differences(claim, proved.result.values);
  return found.length === 0
    ? { kind: "proven", claim, proved }
    : { kind: "contradicted", claim, differences: found, proved };
}

function reasonOf(error: unknown): string {
  if (isRpcError(error, "network")) return "The service cannot be reached.";
  return sentenceOf(error);
}
