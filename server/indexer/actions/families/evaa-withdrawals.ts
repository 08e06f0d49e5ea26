import { addressText, fieldsOf } from "../body.js";
import { hexText } from "../hex-text.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, either, made, transfer } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import { remainder, userCall } from "./evaa.js";
import { jettonTransferKind } from "./jettons.js";

/** EVAA's id of TON. */
const tonId = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;

const noFunds = 0x211fe8;
const refusals: ReadonlyMap<number | undefined, string> = new Map([
  [noFunds, "withdraw_no_funds_excess"],
  [0x21e6, "withdraw_locked_excess"],
  [0x21e7, "withdraw_not_collateralized_excess"],
  [0x21e8, "withdraw_missing_prices_excess"],
  [0x21ec, "withdraw_execution_crashed"],
]);

const evaaWithdrawalKind = rowKind("evaa_withdraw");

const paidJettons = made(jettonTransferKind).as("paid jettons");
const paidTon = call(0x211a).as("paid TON").followedBy(remainder);

export const evaaWithdrawal: Matcher = {
  name: "evaa withdrawal",
  pattern: call(0x2).followedBy(
    userCall(0x21)
      .as("user")
      .followedBy(
        either(
          call(0x211)
            .as("approved")
            .followedBy([either(paidJettons, paidTon), userCall(0x211a).followedBy(transfer())]),
          call(0x211).followedBy(userCall(0x211f).followedBy(call(noFunds).as("refused"))),
          call(0x21e6, 0x21e7, 0x21e8, 0x21ec).as("refused"),
        ),
      ),
  ),
  build: (match) => {
    const { anchor } = match;
    const request = fieldsOf("evaa_withdraw_start", anchor);
    const paid = jettonTransferKind.of(match.find("paid jettons"));
    const withdrawal = {
      source: anchor.source,
      recipient: addressText(request.recipient),
      owner_contract: match.get("user").destination,
      asset: paid?.asset,
      amount: request.amount,
      is_ton: request.asset_id === tonId,
      asset_id: hexText(request.asset_id),
      master: anchor.destination,
      recipient_jetton_wallet: paid?.receiverWallet,
      master_jetton_wallet: paid?.senderWallet,
      fail_reason: refusals.get(match.find("refused")?.opcode),
    };
    const approved = match.find("approved");
    if (!approved) return evaaWithdrawalKind.build(withdrawal, { isFailed: true });

    if ((paid === undefined) !== withdrawal.is_ton) return cancel("something else was paid");
    const { amount } = fieldsOf("evaa_withdraw_collateralized_start", approved);
    return evaaWithdrawalKind.build({ ...withdrawal, amount });
  },
};
