import type { Block } from "../block.js";
import type { BlockTree } from "../block-tree.js";
import { addressText, fieldsOf } from "../body.js";
import type { Match, Matcher } from "../matcher.js";
import { anyBlock, call, either, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonTransferKind } from "./jettons.js";
import { type Deposit, depositKindOf, depositMembers, noSide, type Side } from "./liquidity.js";
import { proxyTonTransfer, withoutProxy } from "./proxy-ton.js";

const provide = 0x37c096df;
const addLiquidity = 0x50c6a654;
const liquidityAdded = 0x06ecd527;
const internalTransfer = 0x178d4519;
const notification = 0x7362d09c;

const stonfiV2DepositKind = depositKindOf("dex_deposit_liquidity");

/** The sender of both assets, if the other deposit is already recognised. */
const sender = anyBlock().as("sender").followedBy(made(stonfiV2DepositKind).as("part")).optional();
const jettons = made(jettonTransferKind).as("in").precededBy(sender);

/** STON.fi, version 2: the depositor's account receives one asset; the second one completes the deposit. */
export const stonfiV2Deposit: Matcher = {
  name: "stonfi v2 provision of liquidity",
  pattern: call(provide)
    .precededBy(
      either(
        call(notification).precededBy(call(proxyTonTransfer).as("in").precededBy(sender)),
        jettons,
        call(notification).precededBy(call(internalTransfer).precededBy(jettons)),
      ),
    )
    .followedBy(
      call(addLiquidity).followedBy(
        call(liquidityAdded)
          .followedBy(either(call(internalTransfer).as("lp"), call(addLiquidity).as("refund")))
          .optional(),
      ),
    ),
  build: (match, _, tree) => {
    const own = readDeposit(match);
    const isFailed = match.find("refund") !== undefined;
    const other = match.find("part");
    const first = stonfiV2DepositKind.of(other);
    if (!other || !first || !areHalves(own, first))
      return stonfiV2DepositKind.build(depositOf(own), { isFailed });
    return stonfiV2DepositKind.build(depositOf(own, first), {
      isFailed,
      from: besideSender(match, other, tree),
    });
  },
};

/** One asset of a deposit. */
type Half = {
  readonly owner: AddressText | undefined;
  readonly pool: AddressText | undefined;
  readonly side: Side;
  readonly lp: bigint | undefined;
};

function readDeposit(match: Match): Half {
  const { from_user, left_amount, right_amount } = fieldsOf("stonfi_provide_lp_v2", match.anchor);
  const transfer = jettonTransferKind.of(match.get("in"));
  const lp = match.find("lp");
  return {
    owner: addressText(from_user),
    pool: match.anchor.destination,
    side: {
      asset: withoutProxy(transfer?.asset),
      amount: left_amount > 0n ? left_amount : right_amount,
      wallet: transfer?.senderWallet,
    },
    lp: lp && fieldsOf("jetton_internal_transfer_start", lp).amount,
  };
}

function areHalves({ owner, pool, lp }: Half, other: Deposit): boolean {
  return owner === other.source && pool === other.pool && lp !== other.lp_tokens_minted;
}

function depositOf({ owner, pool, side, lp }: Half, other?: Deposit): Deposit {
  return {
    source: owner,
    pool,
    ...depositMembers("stonfi_v2", [side, other ? sideOf(other) : noSide], lp ?? other?.lp_tokens_minted),
  };
}

function sideOf({ asset_1, amount_1, user_jetton_wallet_1 }: Deposit): Side {
  return { asset: asset_1, amount: amount_1, wallet: user_jetton_wallet_1 };
}

/** Both halves without their sender, which may have sent more. A helper block joins them. */
function besideSender(match: Match, other: Block, tree: BlockTree): readonly Block[] {
  const sender = match.get("sender");
  const helper = tree.insertHelper(sender, [other, match.get("in")]);
  return [helper, ...match.taken.filter((block) => block !== sender)];
}
