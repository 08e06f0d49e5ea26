import type { Block } from "../block.js";
import { addressText, fieldsIn, fieldsOf } from "../body.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonTransferKind } from "./jettons.js";
import { type Swap, swapKind, swapTransferOf } from "./swaps.js";

const swapRequest = 0x25938561;
const paymentRequest = 0xf93bb43f;

const doneCode = 0xc64370e5;
const noLiquidityCode = 0x5ffe1295;
const reserveErrorCode = 0x38976e9b;
/** Codes of payments that carry the result or a refund. */
const resultCodes: ReadonlySet<number> = new Set([doneCode, noLiquidityCode, reserveErrorCode]);
/** Code of the referrer's payment. */
const referralCode = 0x45078540;

/** STON.fi, version 1. */
export const stonfiSwap: Matcher = {
  name: "stonfi swap",
  pattern: made(jettonTransferKind).followedBy(
    call(swapRequest)
      .as("swap")
      .followedBy(call(paymentRequest).as("payment").followedBy(made(jettonTransferKind))),
  ),
  build: (match, contracts) => {
    const given = jettonTransferKind.dataOf(match.anchor);
    const request = fieldsOf("stonfi_swap", match.get("swap"));
    const routerWallet = addressText(request.sender_address);
    const router = contracts.jettonWallet(routerWallet);
    if (!router) return cancel("the router's wallet is unknown");

    const payments = match.all("payment").map(readPayment);
    const result = largest(payments.filter(({ code }) => resultCodes.has(code)));
    const paid = jettonTransferKind.of(
      result?.block.followers.find(({ kind }) => kind === jettonTransferKind),
    );
    if (!result || !paid) return cancel("nothing was paid");

    const asked =
      given.payloadOpcode === swapRequest
        ? fieldsIn("stonfi_swap_forward_payload", given.payload)
        : undefined;
    const wantedWallet = addressText(asked?.token_wallet);
    const paidAsset = contracts.jettonWallet(result.wallet)?.master;
    const swap: Swap = {
      dex: "stonfi",
      incoming: {
        amount: request.jetton_amount,
        asset: router.master,
        source: addressText(request.addrs.from_user),
        source_jetton_wallet: given.senderWallet,
        destination: router.owner,
        destination_jetton_wallet: routerWallet,
      },
      outgoing: {
        ...swapTransferOf(paid),
        amount: result.amount,
        asset: paidAsset,
        // Over proxy TON the transfer lacks the receiver.
        ...(paid.isProxyTon && { destination: addressText((asked ?? request).to_address) }),
      },
      wanted: {
        asset: contracts.jettonWallet(wantedWallet)?.master ?? paidAsset,
        wallet: wantedWallet ?? result.wallet,
      },
      peerSwaps: [],
    };
    const referrals = payments.filter(({ code }) => code === referralCode);
    const apart = new Set(referrals.flatMap(({ block }) => [block, ...allAfter(block)]));
    return swapKind.build(swap, {
      isFailed: result.code !== doneCode,
      from: match.taken.filter((block) => !apart.has(block)),
    });
  },
};

type Payment = {
  readonly block: Block;
  readonly code: number;
  readonly amount: bigint;
  /** The router's paying wallet. */
  readonly wallet: AddressText | undefined;
};

function readPayment(block: Block): Payment {
  const { exit_code, params } = fieldsOf("stonfi_payment_request", block);
  const { amount0_out, token0_address, amount1_out, token1_address } = params;
  const isFirst = amount0_out > 0n;
  return {
    block,
    code: Number(exit_code),
    amount: isFirst ? amount0_out : amount1_out,
    wallet: addressText(isFirst ? token0_address : token1_address),
  };
}

function largest(payments: readonly Payment[]): Payment | undefined {
  return payments.reduce<Payment | undefined>(
    (found, each) => (found === undefined || each.amount > found.amount ? each : found),
    undefined,
  );
}

/** All blocks caused by a block. */
function allAfter(block: Block): Block[] {
  const blocks = [...block.followers];
  // The loop appends to the list.
  for (const each of blocks) blocks.push(...each.followers);
  return blocks;
}
