import type { ActionMembers } from "../../../../shared/actions/all.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { Block } from "../block.js";
import { BlockKind, type Built } from "../block-kind.js";
import { bocText } from "../boc-text.js";
import { addressText, commentIn, fieldsOf, opcodeOf, payloadIn, tryFieldsOf } from "../body.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, either } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";

const transferRequest = 0x0f8a7ea5;
const internalTransfer = 0x178d4519;
const notification = 0x7362d09c;
const burnRequest = 0x595f07bc;
const burnNotification = 0x7bdd97de;

/** Masters of the jetton that represents TON on exchanges. */
export const proxyTonMasters: ReadonlySet<AddressText> = new Set([
  "0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C",
  "0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3",
  "0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E",
]);

export type JettonTransfer = {
  readonly queryId: bigint;
  readonly asset: AddressText | undefined;
  readonly amount: bigint;
  readonly forwardAmount: bigint;
  readonly sender: AddressText | undefined;
  /** Undefined for proxy TON. */
  readonly senderWallet: AddressText | undefined;
  readonly receiver: AddressText | undefined;
  /** Undefined for proxy TON. */
  readonly receiverWallet: AddressText | undefined;
  /** The receiver in the request. */
  readonly statedReceiver: AddressText | undefined;
  readonly responseDestination: AddressText | undefined;
  readonly customPayload: Cell | undefined;
  readonly payload: Cell | undefined;
  readonly payloadOpcode: number | undefined;
  readonly isProxyTon: boolean;
};

export const jettonTransferKind = new BlockKind("jetton_transfer", {
  type: "jetton_transfer",
  isLeaf: true,
  row: (transfer: JettonTransfer) => {
    const { text, isEncrypted } = commentIn(transfer.payload);
    return {
      sender: transfer.sender,
      sender_jetton_wallet: transfer.senderWallet,
      receiver: transfer.receiver,
      receiver_jetton_wallet: transfer.receiverWallet,
      asset: transfer.asset,
      amount: transfer.amount,
      query_id: transfer.queryId,
      response_destination: transfer.responseDestination,
      forward_amount: transfer.forwardAmount,
      custom_payload: transfer.customPayload && bocText(transfer.customPayload),
      forward_payload: transfer.payload && bocText(transfer.payload),
      comment: text,
      is_encrypted_comment: isEncrypted,
    };
  },
});

export const jettonTransfer: Matcher = {
  name: "jetton transfer",
  pattern: call(transferRequest).followedBy(
    call(internalTransfer).as("received").followedBy(call(notification).optional()),
  ),
  build: (match, contracts) => {
    const { anchor } = match;
    const received = match.get("received");
    const wallet = contracts.jettonWallet(received.account);
    if (!wallet) return cancel("the receiving jetton wallet is unknown");
    const request = readRequest(anchor);
    const moved = tryFieldsOf("jetton_internal_transfer_start", received);
    const transfer: JettonTransfer = {
      ...request,
      asset: wallet.master,
      amount: moved?.amount ?? request.amount,
      forwardAmount: moved?.forward_ton_amount ?? request.forwardAmount,
      senderWallet: anchor.account,
      receiver: wallet.owner,
      receiverWallet: received.account,
      isProxyTon: false,
    };
    return jettonTransferKind.build(transfer, {
      isFailed: anchor.isFailed || received.isFailed,
      isBroken: wallet.owner !== request.statedReceiver,
    });
  },
};

/** Receivers of proxy TON have no wallets: its wallet pays out immediately. */
export const jettonTransferOfProxyTon: Matcher = {
  name: "jetton transfer of proxy TON",
  pattern: call(transferRequest).followedBy(call(notification).optional()),
  build: ({ anchor }, contracts) => {
    const wallet = contracts.jettonWallet(anchor.account);
    if (!wallet || !proxyTonMasters.has(wallet.master)) return cancel("the wallet is not one of proxy TON");
    const transfer: JettonTransfer = { ...readRequest(anchor), asset: wallet.master, isProxyTon: true };
    return jettonTransferKind.build(transfer, { isFailed: anchor.isFailed });
  },
};

/** A transfer that failed in the sender's wallet; undefined if the message is another request. */
export function requestedTransfer(request: Block, contracts: ContractLookups): Built | undefined {
  if (request.opcode !== transferRequest) return undefined;
  const wallet = request.destination;
  const transfer: JettonTransfer = {
    ...readRequest(request),
    asset: contracts.jettonWallet(wallet)?.master,
    senderWallet: wallet,
    isProxyTon: false,
  };
  return jettonTransferKind.build(transfer, { isFailed: true });
}

/** A transfer as requested, before its outcome is known. */
function readRequest(request: Block): Omit<JettonTransfer, "isProxyTon"> {
  const fields = fieldsOf("jetton_transfer_start", request);
  const payload = payloadIn(fields.rest);
  const destination = addressText(fields.destination);
  return {
    queryId: fields.query_id,
    asset: undefined,
    amount: fields.amount,
    forwardAmount: fields.forward_ton_amount,
    sender: request.source,
    senderWallet: undefined,
    receiver: destination,
    receiverWallet: undefined,
    statedReceiver: destination,
    responseDestination: addressText(fields.response_destination),
    customPayload: fields.custom_payload,
    payload,
    payloadOpcode: opcodeOf(payload),
  };
}

export const jettonBurnKind = rowKind("jetton_burn", { isLeaf: true });

export const jettonBurn: Matcher = {
  name: "jetton burn",
  pattern: call(burnRequest).followedBy(call(burnNotification).optional()),
  build: ({ anchor }, contracts) => {
    const wallet = contracts.jettonWallet(anchor.account);
    if (!wallet) return cancel("the jetton wallet is unknown");
    const { amount } = fieldsOf("jetton_burn_start", anchor);
    const burn = { owner: wallet.owner, owner_jetton_wallet: anchor.account, asset: wallet.master, amount };
    return jettonBurnKind.build(burn, { isFailed: anchor.isFailed });
  },
};

export const jettonMintKind = rowKind("jetton_mint", { isLeaf: true });

const minterMint = 0x15;

export const jettonMint: Matcher = {
  name: "jetton mint",
  pattern: call(0x642b7d07, minterMint).followedBy(
    either(
      call(notification),
      call(internalTransfer).as("received").followedBy(call(notification).optional()),
    ).optional(),
  ),
  build: (match, contracts) => {
    const { anchor } = match;
    const request = readMint(anchor);
    const received = match.find("received");
    if (!received || anchor.isFailed) {
      const mint = { ...request, receiver_jetton_wallet: undefined, asset: anchor.account };
      return jettonMintKind.build(mint, { isFailed: true });
    }
    const wallet = contracts.jettonWallet(received.account);
    if (!wallet) return cancel("the receiving jetton wallet is unknown");
    const mint = {
      receiver: wallet.owner,
      receiver_jetton_wallet: received.account,
      asset: wallet.master,
      amount: fieldsOf("jetton_internal_transfer_start", received).amount,
      ton_amount: request.ton_amount,
    };
    return jettonMintKind.build(mint, { isFailed: received.isFailed });
  },
};

/** Only one of the requests has a reliable amount. */
function readMint(request: Block): Pick<ActionMembers<"jetton_mint">, "receiver" | "ton_amount" | "amount"> {
  if (request.opcode !== minterMint) {
    const { to_address, ton_amount } = fieldsOf("jetton_mint_start", request);
    return { receiver: addressText(to_address), ton_amount, amount: undefined };
  }
  const { to_address, ton_amount, master_msg } = fieldsOf("minter_jetton_mint_start", request);
  const amount = master_msg
    .parse()
    .skip(32 + 64)
    .loadCoins();
  return { receiver: addressText(to_address), ton_amount, amount };
}
