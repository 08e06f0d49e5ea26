import type { BodyFields } from "../../../../shared/ton/bodies/declared.js";
import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import { addressText, fieldsIn, fieldsOf } from "../body.js";
import { hexText } from "../hex-text.js";
import type { Match, Matcher } from "../matcher.js";
import { call, either, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonsThatAskFor, remainder, userCall } from "./evaa.js";
import { jettonTransferKind } from "./jettons.js";

const liquidate = 0x3;
const bounced = 0xffffffff;

const errors: ReadonlyMap<bigint, string> = new Map([
  [0xe001n, "master_liquidating_too_much"],
  [0xe002n, "user_withdraw_in_progress"],
  [0xe003n, "not_liquidatable"],
  [0xe004n, "execution_crashed"],
  [0xe005n, "min_collateral_not_satisfied"],
  [0xe006n, "user_not_enough_collateral"],
  [0xe007n, "user_liquidating_too_much"],
  [0xe008n, "master_not_enough_liquidity"],
  [0xe009n, "liquidation_prices_missing"],
]);

type Request = {
  readonly liquidator: AddressText | undefined;
  readonly borrower: AddressText | undefined;
  readonly collateralId: bigint;
  /** The repaid debt, or the one to be repaid. */
  readonly debt: bigint;
};

type Liquidation = Request & {
  /** Undefined if it was not called. */
  readonly userContract: AddressText | undefined;
  /** Units of the collateral. */
  readonly reward: bigint;
  readonly failReason: string | undefined;
};

const evaaLiquidationKind = new BlockKind("evaa_liquidate", {
  type: "evaa_liquidate",
  row: (liquidation: Liquidation) => ({
    source: liquidation.liquidator,
    destination: liquidation.borrower,
    destination_secondary: liquidation.userContract,
    amount: liquidation.reward,
    evaa_liquidate_data: {
      asset_id: hexText(liquidation.collateralId),
      debt_amount: liquidation.debt,
      fail_reason: liquidation.failReason,
    },
  }),
});

/** The liquidator receives the collateral, or the payment back. */
const settled = either(call(0x311d, 0x311f), made(jettonTransferKind));

const outcome = either(
  userCall(0x31)
    .as("user")
    .followedBy(
      either(
        call(0x311)
          .as("satisfied")
          .followedBy([userCall(0x311a).followedBy(remainder), settled]),
        call(0x311).followedBy([call(0x311f), settled]),
        call(0x31f).as("unsatisfied").followedBy(settled),
      ),
    ),
  call(bounced),
  made(jettonTransferKind),
);

export const evaaLiquidation: Matcher = {
  name: "evaa liquidation",
  pattern: either(call(liquidate).followedBy(outcome), jettonsThatAskFor(liquidate).followedBy(outcome)),
  build: (match) => {
    const request = readRequest(match.anchor);
    const userContract = match.find("user")?.destination;
    const satisfied = match.find("satisfied");
    if (!satisfied) {
      const failed = { ...request, userContract, reward: 0n, failReason: failReasonOf(match) };
      return evaaLiquidationKind.build(failed, { isFailed: true });
    }
    const result = fieldsOf("evaa_liquidate_satisfied_start", satisfied);
    return evaaLiquidationKind.build({
      liquidator: request.liquidator,
      borrower: addressText(result.owner),
      collateralId: result.collateral_id,
      debt: result.liquidatable,
      userContract,
      reward: result.reward,
      failReason: undefined,
    });
  },
};

function readRequest(block: Block): Request {
  const transfer = jettonTransferKind.of(block);
  if (!transfer) {
    const { amount, ...request } = fieldsOf("evaa_liquidate_start", block);
    return { ...partiesOf(request), debt: amount };
  }
  const request = fieldsIn("evaa_liquidate_payload_start", transfer.payload);
  return { ...partiesOf(request), debt: transfer.amount };
}

function partiesOf({ liquidator, borrower, collateral_id }: BodyFields<"evaa_liquidate_payload_start">) {
  return {
    liquidator: addressText(liquidator),
    borrower: addressText(borrower),
    collateralId: collateral_id,
  };
}

/** Undefined for an error unknown to the reference. */
function failReasonOf(match: Match): string | undefined {
  if (!match.find("user")) return "immediate_rejection";
  const unsatisfied = match.find("unsatisfied");
  if (!unsatisfied) return "master_not_enough_liquidity";
  return errors.get(fieldsOf("evaa_liquidate_unsatisfied_start", unsatisfied).error);
}
