import { foundIn } from "../../../../shared/values/lookups.js";
import type { Block } from "../block.js";
import { fieldsOf } from "../body.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { jettonTransferKind } from "./jettons.js";
import { jettonsOr, type Payout, type Withdrawal, withdrawalKindOf, withdrawalMembers } from "./liquidity.js";
import { swapTransferOf, tonTransferOf } from "./swaps.js";

const burnRequest = 0x595f07bc;
const burnNotification = 0x7bdd97de;
const payOutFromPool = 0xad4eb6f5;
const payout = 0x474f86cf;

const dedustWithdrawalKind = withdrawalKindOf("dex_withdraw_liquidity");

const paid = call(payOutFromPool).as("payment").followedBy(jettonsOr("out", payout));

/** DeDust: a pool is the master of its liquidity tokens, and makes the vaults pay for burnt ones. */
export const dedustWithdrawal: Matcher = {
  name: "dedust withdrawal of liquidity",
  pattern: call(burnRequest).followedBy(call(burnNotification).as("pool").followedBy([paid, paid])),
  build: (match, contracts) => {
    const withdrawal = readWithdrawal(match, contracts);
    return withdrawal ? dedustWithdrawalKind.build(withdrawal) : cancel("the jetton wallet is unknown");
  },
};

function readWithdrawal(match: Match, contracts: ContractLookups): Withdrawal | undefined {
  const { account } = match.anchor;
  const wallet = contracts.jettonWallet(account);
  if (!wallet) return undefined;
  const payments = match.all("payment").map((payment) => payoutOf(payment, match));
  const { amount } = fieldsOf("jetton_burn_start", match.anchor);
  return {
    source: match.anchor.source,
    lp_wallet: account,
    lp_asset: wallet.master,
    pool: match.get("pool").destination,
    ...withdrawalMembers("dedust", payments, amount),
    refund: false,
  };
}

function payoutOf(payment: Block, match: Match): Payout {
  const { amount } = fieldsOf("dedust_pay_out_from_pool", payment);
  const out = foundIn(match.all("out"), ({ previous }) => previous === payment);
  const transfer = jettonTransferKind.of(out);
  return transfer ? { ...swapTransferOf(transfer), amount } : tonTransferOf(out, amount);
}
