import { accountStatuses, codeOf } from "../../store/codes.js";
import type { AccountHistory } from "../../store/queries/accounts/account-histories.js";
import type { TransactionPart } from "../../store/tables/trace-parts.js";
import type { StoredChains } from "./stored-chains.js";

const active = codeOf(accountStatuses, "active");
const never = Number.POSITIVE_INFINITY;

type AccountTransaction = Pick<TransactionPart, "lt" | "mc_block_seqno" | "orig_status" | "end_status">;

/** Merges two parts of an account's history, for example an added transaction. */
export function mergeHistories(a: AccountHistory | undefined, b: AccountHistory): AccountHistory {
  if (!a) return b;
  const activated = Math.min(a.activated_at ?? never, b.activated_at ?? never);
  return { ...(a.lt <= b.lt ? a : b), activated_at: activated === never ? null : activated };
}

/** The history of an account with only this transaction. */
export function historyOf({
  lt,
  mc_block_seqno,
  orig_status,
  end_status,
}: AccountTransaction): AccountHistory {
  const isActivation = end_status === active && orig_status !== active;
  return {
    lt,
    mc_block_seqno,
    orig_status,
    end_status,
    activated_at: isActivation ? mc_block_seqno : null,
  };
}

/**
 * The masterchain block since which an account is known to have been active. If all blocks before are stored, an
 * account that was active before its first transaction has been active since the zero state. Undefined if no
 * transaction shows it: for an account of the zero state without transactions, and for one that was never active.
 */
export function activeSince(
  history: AccountHistory | undefined,
  chains: Pick<StoredChains, "isWholeUpTo">,
): number | undefined {
  if (!history) return undefined;
  const { mc_block_seqno, orig_status, activated_at } = history;
  if (orig_status !== active) return activated_at ?? undefined;
  return chains.isWholeUpTo(mc_block_seqno) ? 0 : mc_block_seqno;
}

/** The first masterchain block whose transactions left an account active; its contract was examined then. */
export function seenActiveAt(history: AccountHistory | undefined): number {
  if (!history) return never;
  const { mc_block_seqno, orig_status, end_status, activated_at } = history;
  return orig_status === active && end_status === active ? mc_block_seqno : (activated_at ?? never);
}

/** Whether an account was active before or after a transaction. */
export function wasActive({ orig_status, end_status }: AccountTransaction): boolean {
  return orig_status === active || end_status === active;
}
