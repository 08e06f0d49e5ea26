import type { Action } from "../../../server/indexer/actions/action.js";
import type { Contract, NftItem } from "../../../server/indexer/actions/contracts.js";
import { bodyOf, none } from "../../helpers/made-cells.js";
import { accounts, type MadeMessage } from "./made-trace.js";

export const [alice, bob, item, collection, marketplace] = accounts(
  "alice, bob, item, collection, marketplace",
);

const nftItem: NftItem = { index: 5n, collection, owner: alice, contentUri: undefined, codeHash: undefined };

/** An item as the index knows it. */
export function itemWith(changes: Partial<NftItem> = {}): Contract {
  return { nftItem: { ...nftItem, ...changes } };
}

/** A sale of the item that Alice offers. */
export const saleContract: Contract = {
  nftSale: { nft: item, nftOwner: alice, marketplace, fullPrice: 100n },
};
/** An auction of the item that Alice offers. */
export const auctionContract: Contract = {
  nftAuction: { nft: item, nftOwner: alice, marketplace, lastBid: 90n },
};

/** A transfer of the item; with `leadsTo`, the new owner is notified and sends these messages. */
export function nftTransfer(to: string, leadsTo?: readonly MadeMessage[], of = item): MadeMessage {
  const body = bodyOf(0x5fcc3d14, to, none, false, 0n, false);
  const told = bodyOf(0x05138d91, alice, false);
  return { to: of, body, sends: leadsTo ? [{ to, body: told, sends: leadsTo }] : [] };
}

/** The messages of an account after an external message. */
export function from(sender: string, ...sends: readonly MadeMessage[]): MadeMessage {
  return { to: sender, sends };
}

export const typesOf = (actions: readonly Action[]) => actions.map(({ type }) => type).sort();

/** The only row of a type. */
export function rowOf<T extends Action["type"]>(
  actions: readonly Action[],
  type: T,
): Extract<Action, { type: T }> {
  const [row, ...others] = actions.filter((each) => each.type === type);
  if (!row || others.length > 0) throw new Error(`${others.length + (row ? 1 : 0)} rows are ${type}`);
  return row as Extract<Action, { type: T }>;
}
