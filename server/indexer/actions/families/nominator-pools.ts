import { commentOf, tonTransfer } from "../basic-blocks.js";
import type { Block } from "../block.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, transfer } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";

const processingOfWithdrawals = call(2);
const provider = "nominator";

// Withdrawal requests paid immediately are withdrawals.
const withdrawalName = "nominator_pool_withdraw_request";
const depositKind = rowKind("stake_deposit", { name: "nominator_pool_deposit", isLeaf: true });
const withdrawalKind = rowKind("stake_withdrawal", { name: withdrawalName, isLeaf: true });
const requestKind = rowKind("stake_withdrawal_request", { name: withdrawalName, isLeaf: true });

const withComment = (text: string) =>
  transfer().where(`with the comment ${text}`, ({ node }) => commentOf(node).text === text);
const noPool = cancel("the account is no known nominator pool");

function isPool(address: AddressText | undefined, contracts: ContractLookups): boolean {
  return contracts.at(address).isNominatorPool === true;
}

export const nominatorPoolDeposit: Matcher = {
  name: "nominator pool deposit",
  takesExcessOfAnchor: true,
  pattern: withComment("d"),
  build: ({ anchor }, contracts) => {
    const { source: stake_holder, destination: pool, value: amount, isFailed } = anchor;
    if (!isPool(pool, contracts)) return noPool;
    return depositKind.build({ provider, stake_holder, pool, amount }, { isFailed });
  },
};

export const nominatorPoolWithdrawalRequest: Matcher = {
  name: "nominator pool withdrawal request",
  takesExcessOfAnchor: true,
  pattern: withComment("w"),
  build: ({ anchor, taken }, contracts) => {
    const { source: stake_holder, destination: pool, isFailed } = anchor;
    if (!isPool(pool, contracts)) return noPool;
    const transfers = anchor.followers.filter(({ kind }) => kind === tonTransfer);
    const from = [...taken, ...(transfers.length <= 2 ? transfers : [])];
    const members = { provider, stake_holder, pool };
    const payout = payoutOf(anchor, transfers);
    if (!payout) return requestKind.build(members, { isFailed, from });
    return withdrawalKind.build({ ...members, amount: payout.value }, { isFailed, from });
  },
};

/**
 * The second of two transfers returns the rest of the request. A single transfer does too, unless it is larger than the
 * request.
 */
function payoutOf({ value }: Block, [first, second, third]: readonly Block[]): Block | undefined {
  if (!first || third) return undefined;
  return second || (first.value ?? 0n) > (value ?? 0n) ? first : undefined;
}

/** The pool pays waiting nominators when told to process withdrawals. */
export const nominatorPoolWithdrawal: Matcher = {
  name: "nominator pool withdrawal",
  pattern: transfer().where("of processed withdrawals", ({ previous }) =>
    processingOfWithdrawals.fitsHead(previous!),
  ),
  build: ({ anchor }, contracts) => {
    const { source: pool, destination: stake_holder, value: amount, isFailed } = anchor;
    if (!isPool(pool, contracts)) return noPool;
    return withdrawalKind.build({ provider, stake_holder, pool, amount }, { isFailed });
  },
};
