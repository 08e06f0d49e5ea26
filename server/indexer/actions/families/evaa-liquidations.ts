import type { BodyFields } from "../../../../shared/ton/bodies/declared.js";
import type { Block } from "../block.js";
import { addressText, fieldsIn, fieldsOf } from "../body.js";
import { hexText } from "../hex-text.js";
import type { Match, Matcher } from "../matcher.js";
import { call, either, made } from "../pattern.js";
import { rowKind } from "../row-kind.js";
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

const evaaLiquidationKind = rowKind("evaa_liquidate");

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
      const failed = {
        ...request,
        borrower_contract: userContract,
        amount: 0n,
        fail_reason: failReasonOf(match),
      };
      return evaaLiquidationKind.build(failed, { isFailed: true });
    }
    const result = fieldsOf("evaa_liquidate_satisfied_start", satisfied);
    return evaaLiquidationKind.build({
      source: request.source,
      borrower: addressText(result.owner),
      asset_id: hexText(result.collateral_id),
      debt_amount: result.liquidatable,
      borrower_contract: userContract,
      amount: result.reward,
      fail_reason: undefined,
    });
  },
};

/** The debt is the one to be repaid. */
function readRequest(block: Block) {
  const transfer = jettonTransferKind.of(block);
  if (!transfer) {
    const { amount, ...request } = fieldsOf("evaa_liquidate_start", block);
    return { ...partiesOf(request), debt_amount: amount };
  }
  const request = fieldsIn("evaa_liquidate_payload_start", transfer.payload);
  return { ...partiesOf(request), debt_amount: transfer.amount };
}

function partiesOf({ liquidator, borrower, collateral_id }: BodyFields<"evaa_liquidate_payload_start">) {
  return {
    source: addressText(liquidator),
    borrower: addressText(borrower),
    asset_id: hexText(collateral_id),
  };
}

/** Undefined for an error unknown to the reference. */
function failReasonOf(match: Match): string | undefined {
  if (!match.find("user")) return "immediate_rejection";
  const unsatisfied = match.find("unsatisfied");
  if (!unsatisfied) return "master_not_enough_liquidity";
  return errors.get(fieldsOf("evaa_liquidate_unsatisfied_start", unsatisfied).error);
}
