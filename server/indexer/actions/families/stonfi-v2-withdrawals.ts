import { itemAt } from "../../../../shared/values/lookups.js";
import type { Block } from "../block.js";
import type { Match, Matcher } from "../matcher.js";
import { call, either, made } from "../pattern.js";
import { jettonBurnKind, jettonTransferKind } from "./jettons.js";
import { payoutOver, type Withdrawal, withdrawalKindOf, withdrawalMembers } from "./liquidity.js";
import { proxyTonBehind } from "./proxy-ton.js";
import { byLt } from "./swaps.js";

const payTo = 0x657b54f5;
const burnNotification = 0x297437cf;
const refundRequest = 0x132b9a2c;
const refund = 0x0f98e2b8;

const stonfiV2WithdrawalKind = withdrawalKindOf("dex_withdraw_liquidity");

/** STON.fi, version 2: liquidity tokens are burnt, or an incomplete deposit is returned. */
export const stonfiV2Withdrawal: Matcher = {
  name: "stonfi v2 withdrawal of liquidity",
  pattern: call(payTo)
    .precededBy(
      either(
        call(refund).as("cause").precededBy(call(refundRequest).as("request")),
        call(burnNotification).as("cause").precededBy(made(jettonBurnKind).as("burn")),
      ),
    )
    .followedBy(made(jettonTransferKind)),
  build: (match) => {
    const payments = byLt(match.get("cause").followers.filter(isPayment));
    return stonfiV2WithdrawalKind.build(readWithdrawal(match, payments), {
      from: [...match.taken, ...payments.flatMap(paidBy)],
    });
  },
};

function isPayment(block: Block): boolean {
  return block.opcode === payTo && transfersOf(block).length > 0;
}

function transfersOf({ followers }: Block): Block[] {
  return followers.filter(({ kind }) => kind === jettonTransferKind);
}

/** A payment, the blocks it caused, and the TON transfer of its first transfer through the proxy. */
function paidBy(payment: Block): Block[] {
  const transfers = transfersOf(payment);
  const proxy = proxyTonBehind(itemAt(transfers, 0));
  return [payment, ...transfers, ...(proxy ? [proxy] : [])];
}

function readWithdrawal(match: Match, payments: readonly Block[]): Withdrawal {
  const burn = jettonBurnKind.of(match.find("burn"));
  const payouts = payments.map((payment) => {
    const [first] = transfersOf(payment);
    return payoutOver(first!, jettonTransferKind.dataOf(first));
  });
  return {
    source: burn ? burn.owner : match.get("request").source,
    lp_wallet: burn?.owner_jetton_wallet,
    lp_asset: burn?.asset,
    pool: match.anchor.source,
    ...withdrawalMembers("stonfi_v2", payouts, burn?.amount),
    refund: !burn,
  };
}
