import type { Action } from "../../../server/indexer/actions/action.js";
import type { Contract, NftItem } from "../../../server/indexer/actions/contracts.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { bodyOf, cellWith, fieldsWith, none } from "../made-cells.js";
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

/** Data of contracts that sell an item. Their code is unknown, so that they have the newest layouts. */
export function sellersData(place: string, fees: string, royalties: string) {
  const receivers = cellWith(fees, royalties);
  const times = fieldsWith([5, 32], [100, 32], [7, 32], [1000, 32]);
  const bids = cellWith(place, 10n, 900n);
  return {
    sale: cellWith(false, place, none, 100n, receivers),
    auction: cellWith([0, 2], none, 0n, [0, 64], none, [0, 64], times, receivers, bids),
  };
}

/** The message that deploys a seller with its data. */
export function deployment(seller: string, data: Cell, changes: Partial<MadeMessage> = {}): MadeMessage {
  const initState = encode(StateInit, stateInitOf(Cell.empty, data));
  return { to: seller, status: ["nonexist", "active"], initState, ...changes };
}

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
