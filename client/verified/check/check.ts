import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { bounded } from "../bounded-call.js";
import type { Checked, Claim } from "../claim.js";
import type { ProvenReads } from "../proven-reads.js";
import { receivesImpersonated } from "./beginning.js";
import { BlocksOfCheck } from "./blocks.js";
import { recordIn } from "./claimed.js";
import { pathOf } from "./compare.js";
import { checkMessage } from "./message.js";
import { checkTrace } from "./trace.js";
import { checkTransaction, isFinal } from "./transaction.js";

/** Proves a record of API v3 by the blocks that it names. Throws a ProofError for the first member that is wrong. */
export async function check(claim: Claim, reads: ProvenReads, given: LiteCall): Promise<Checked> {
  const call = bounded(given);
  const blocks = new BlocksOfCheck(reads, call);
  const unproven = new Set<string>();
  const { transactions, impersonated } = await checked(claim, { reads, blocks, call, unproven });
  return { transactions, unproven: [...unproven], ...(impersonated && { impersonated }) };
}

type Context = Parameters<typeof checkMessage>[1];
type Proof = { transactions: number; impersonated: boolean };

async function checked(claim: Claim, context: Context): Promise<Proof> {
  const { blocks, unproven } = context;
  if ("trace" in claim) return checkTrace(recordIn("trace", claim.trace), blocks, unproven);
  if ("message" in claim) return checkMessage(recordIn("message", claim.message), context);
  if (!isFinal(recordIn("transaction", claim.transaction))) {
    unproven.add("transaction");
    return { transactions: 0, impersonated: false };
  }
  const { found } = await checkTransaction(claim.transaction, pathOf("transaction"), blocks, unproven);
  return { transactions: 1, impersonated: receivesImpersonated(found) };
}
