import type { Block } from "../block.js";
import { addressText, fieldsIn, fieldsOf } from "../body.js";
import { hexText } from "../hex-text.js";
import type { Matcher } from "../matcher.js";
import { call, either, made } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";
import { behindHeader, jettonsThatAskFor, remainder, userCall } from "./evaa.js";
import { type JettonTransfer, jettonTransferKind } from "./jettons.js";

const supply = 0x1;

type Request = {
  readonly source: AddressText | undefined;
  readonly recipient: AddressText | undefined;
  readonly master: AddressText | undefined;
  readonly amount: bigint;
  /** The supplied jettons; undefined for TON. */
  readonly transfer: JettonTransfer | undefined;
};

const evaaSupplyKind = rowKind("evaa_supply");

const asked = userCall(0x11)
  .as("user")
  .followedBy(
    either(
      call(0x11a).as("done").followedBy(remainder),
      call(0x11f),
      made(jettonTransferKind).as("returned"),
    ),
  );

export const evaaSupply: Matcher = {
  name: "evaa supply",
  pattern: either(call(supply).followedBy(asked), jettonsThatAskFor(supply).followedBy(asked)),
  build: (match) => {
    const request = readRequest(match.anchor);
    const user = match.get("user");
    const done = match.find("done");
    const { asset_id } = fieldsIn("evaa_supply_user_start", behindHeader(user.body));
    const { source, recipient, master, transfer } = request;
    const members = {
      source,
      source_wallet: transfer?.senderWallet,
      recipient,
      recipient_contract: user.destination,
      asset: transfer?.asset,
      amount: done ? fieldsOf("evaa_supply_success_start", done).amount : request.amount,
      is_ton: transfer === undefined,
      asset_id: hexText(asset_id),
      master,
      recipient_jetton_wallet: recipientWalletOf(request, jettonTransferKind.of(match.find("returned"))),
      master_jetton_wallet: transfer?.receiverWallet,
    };
    return evaaSupplyKind.build(members, { isFailed: done === undefined });
  },
};

function readRequest(block: Block): Request {
  const transfer = jettonTransferKind.of(block);
  if (!transfer) {
    const { amount, recipient } = fieldsOf("evaa_supply_start", block);
    const { source, destination: master } = block;
    return { source, recipient: addressText(recipient), master, amount, transfer };
  }
  const { recipient } = fieldsIn("evaa_supply_payload_start", transfer.payload);
  return {
    source: transfer.sender,
    recipient: addressText(recipient),
    master: transfer.receiver,
    amount: transfer.amount,
    transfer,
  };
}

/** Known if it is the sender's, or if the master returned jettons to it. */
function recipientWalletOf(
  { source, recipient, transfer }: Request,
  returned: JettonTransfer | undefined,
): AddressText | undefined {
  if (!transfer) return undefined;
  if (recipient === source) return transfer.senderWallet;
  return returned?.senderWallet === transfer.receiverWallet ? returned?.receiverWallet : undefined;
}
