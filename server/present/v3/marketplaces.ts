import type { Action } from "../../../shared/schema/v3/actions.js";
import type { Queries } from "../../store/database.js";
import { reads } from "../../store/reads/index-reads.js";

/** Members of action details that identify a marketplace. */
type Trade = { marketplace?: unknown; marketplace_address?: string | null; nft_collection?: string | null };

/**
 * Replaces marketplace names by the operator's: by the marketplace's address, or by the collection if there is none.
 * Others keep the name from classification.
 */
export async function nameMarketplaces(queries: Queries, actions: readonly Action[]): Promise<Action[]> {
  const addresses = new Set(actions.flatMap((action) => addressOf(action) ?? []));
  if (addresses.size === 0) return [...actions];
  const names = await reads.readMarketplaceNames(queries, [...addresses]);
  return actions.map((action) => {
    const name = names.get(addressOf(action) ?? "");
    // The details keep their type, because the name is one of their members.
    return name === undefined
      ? action
      : ({ ...action, details: { ...action.details, marketplace: name } } as Action);
  });
}

/** The address that identifies an action's marketplace; undefined for actions that are no trades. */
function addressOf({ type, details }: Action): string | undefined {
  const trade = details as Trade;
  // The only trade whose details lack a name.
  if (!("marketplace" in trade) && type !== "auction_outbid") return undefined;
  return trade.marketplace_address ?? trade.nft_collection ?? undefined;
}
