import type { Action } from "../../../../server/indexer/actions/action.js";

/** Columns of liquidity rows, including those of their type, and the types of other rows. */
export function liquidityOf(actions: readonly Action[]): unknown[] {
  return actions.map((action) => {
    if (action.type === "dex_deposit_liquidity")
      return { ...columnsOf(action), ...action["dex_deposit_liquidity_data"] };
    if (action.type === "dex_withdraw_liquidity")
      return { ...columnsOf(action), ...action["dex_withdraw_liquidity_data"] };
    return action.type;
  });
}

/** The columns of a row that families fill. */
export function columnsOf(action: Action) {
  const { success, source, source_secondary, destination, destination_secondary } = action;
  const { asset, asset_secondary, asset2, asset2_secondary, amount, value, opcode } = action;
  return {
    success,
    source,
    source_secondary,
    destination,
    destination_secondary,
    asset,
    asset_secondary,
    asset2,
    asset2_secondary,
    amount,
    value,
    opcode,
  };
}

/** Rows of parts of others behind all others. */
export function partsLast(actions: readonly Action[]): readonly Action[] {
  const isPart = ({ parent_action_id }: Action) => Number(parent_action_id !== undefined);
  return actions.toSorted((a, b) => isPart(a) - isPart(b));
}
