import { BlockKind } from "../block-kind.js";
import { addressText, fieldsOf } from "../body.js";
import { hexText } from "../hex-text.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, either, made, transfer } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { remainder, userCall } from "./evaa.js";
import { type JettonTransfer, jettonTransferKind } from "./jettons.js";

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

type Withdrawal = {
  readonly owner: AddressText | undefined;
  readonly userContract: AddressText | undefined;
  readonly recipient: AddressText | undefined;
  readonly master: AddressText | undefined;
  readonly assetId: bigint;
  readonly amount: bigint;
  /** The paid jettons; undefined for TON or a failure. */
  readonly paid: JettonTransfer | undefined;
  readonly failReason: string | undefined;
};

const evaaWithdrawalKind = new BlockKind("evaa_withdraw", {
  type: "evaa_withdraw",
  row: ({ paid, ...withdrawal }: Withdrawal) => ({
    source: withdrawal.owner,
    destination: withdrawal.recipient,
    destination_secondary: withdrawal.userContract,
    asset: paid?.asset,
    amount: withdrawal.amount,
    evaa_withdraw_data: {
      is_ton: withdrawal.assetId === tonId,
      asset_id: hexText(withdrawal.assetId),
      master: withdrawal.master,
      recipient_jetton_wallet: paid?.receiverWallet,
      master_jetton_wallet: paid?.senderWallet,
      fail_reason: withdrawal.failReason,
    },
  }),
});

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
    const withdrawal: Withdrawal = {
      owner: anchor.source,
      userContract: match.get("user").destination,
      recipient: addressText(request.recipient),
      master: anchor.destination,
      assetId: request.asset_id,
      amount: request.amount,
      paid: undefined,
      failReason: refusals.get(match.find("refused")?.opcode),
    };
    const approved = match.find("approved");
    if (!approved) return evaaWithdrawalKind.build(withdrawal, { isFailed: true });

    const paid = jettonTransferKind.of(match.find("paid jettons"));
    if ((paid === undefined) !== (request.asset_id === tonId)) return cancel("something else was paid");
    const { amount } = fieldsOf("evaa_withdraw_collateralized_start", approved);
    return evaaWithdrawalKind.build({ ...withdrawal, amount, paid });
  },
};
