import type { FoundTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { isUnsent } from "../../../shared/ton/tlb/block-lt.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { Address } from "../../../shared/values/address.js";

/** The sender of messages by which a block pays accounts. */
const system = new Address(masterchain, new Uint8Array(32));

/** Whether a transaction has no other one above it: no transaction sent its message, if it has one. */
export function startsTrace(found: FoundTransaction): boolean {
  return infoOf(found)?.kind !== "internal" || isFromSystem(found) || isUnsentIn(found);
}

/** Whether a transaction received a message in the name of another account, which sent none. */
export function receivesImpersonated(found: FoundTransaction): boolean {
  return isUnsentIn(found) && !isFromSystem(found);
}

function isUnsentIn(found: FoundTransaction): boolean {
  const info = infoOf(found);
  return info?.kind === "internal" && isUnsent(info.createdLt, found.transaction.lt);
}

function isFromSystem(found: FoundTransaction): boolean {
  const info = infoOf(found);
  return info?.kind === "internal" && accountOf(info.src)?.equals(system) === true;
}

function infoOf({ transaction }: FoundTransaction) {
  return transaction.messages.value.inMsg?.value.info;
}
