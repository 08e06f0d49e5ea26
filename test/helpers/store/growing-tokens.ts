import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { Address } from "../../../shared/values/address.js";
import { adders, contractNamed, type Parties } from "./party-rows.js";
import { bytesOf, hashOf, type Rows } from "./rows.js";

const named = (name: string) => new Address(0, hashOf(`token ${name}`));

/**
 * Values for the reads of tests. The busy ones have contracts and events in every slot, the rare ones in the first slot
 * only.
 */
export const grownTokens = {
  busyMaster: named("busy master"),
  rareMaster: named("rare master"),
  busyWallet: named("busy wallet"),
  busyCollection: named("busy collection"),
  rareCollection: named("rare collection"),
  busyItem: named("busy item"),
  /** Has an order in every slot, and more. */
  busyMultisig: named("busy multisig"),
  /** Multisig of the rare account, with an order. */
  rareMultisig: contractNamed("grown 0 3 multisigs"),
  /** A sale, an auction and an item of Telegram. */
  sales: ["", " auction", " telemint"].map((kind) => contractNamed(`grown 0 3 sales${kind}`)),
} as const;

/** Owners of contracts and events; of multisig and vesting wallets only the rare one. */
type TokenOwners = { busy: Address; rare: Address };

/** Interval, in transactions, of an event of each kind, and interval of events of busy accounts among these. */
const eventEvery = 8;
const busyEvery = 5;

const kinds = ["jettons", "items", "sales", "events"] as const;
const ofParties = ["multisigs", "orders"] as const;

/** Token contracts and events, at the times of some transactions of a slot. */
export function tokenRows(transactions: readonly TransactionRow[], slot: number, owners: TokenOwners): Rows {
  const rows: Rows = {};
  for (let i = 0; i * eventEvery < transactions.length; i++) {
    const { lt, now, mc_block_seqno } = transactions[i * eventEvery]!;
    const isRare = slot === 0 && i === 3;
    const own = (kind: string) => bytesOf(named(`${kind} ${slot} ${i}`));
    const choose = (kind: string, busy: Address, rare: Address, shift = 0) =>
      isRare ? bytesOf(rare) : (i + shift) % busyEvery === 0 ? bytesOf(busy) : own(kind);
    const parties: Omit<Parties, "name"> = {
      owner: choose("owner", owners.busy, owners.rare),
      partner: choose("receiver", owners.busy, owners.rare, 1),
      master: choose("master", grownTokens.busyMaster, grownTokens.rareMaster, Math.floor(i / 2)),
      wallet: choose("wallet", grownTokens.busyWallet, owners.rare),
      collection: choose("collection", grownTokens.busyCollection, grownTokens.rareCollection),
      item: choose("item", grownTokens.busyItem, owners.rare),
      multisig: choose("multisig", grownTokens.busyMultisig, grownTokens.rareMultisig),
      ...{ pool: own("pool"), nominator: own("nominator"), validator: own("validator"), type: "" },
    };
    const add = (kind: keyof typeof adders, owner: Uint8Array) =>
      adders[kind](
        rows,
        { ...parties, owner, name: `grown ${slot} ${i} ${kind}` },
        { lt, now, seqno: mc_block_seqno },
        slot * 1000 + i,
      );
    for (const kind of kinds) add(kind, parties.owner);
    shareNames(rows, slot, i);
    for (const kind of ofParties) add(kind, isRare ? parties.owner : own("party"));
  }
  return rows;
}

/** Gives the last things names of which others have parts or all, as imitations of a token have. */
function shareNames({ jettonMasters, nftItems, nftCollections }: Rows, slot: number, i: number): void {
  Object.assign(jettonMasters!.at(-1)!, { jetton_content: { name: `Grown ${slot} ${i}`, symbol: "GROWN" } });
  Object.assign(nftItems!.at(-1)!, { content: { name: `Grown ${i}` } });
  Object.assign(nftCollections!.at(-1)!, { collection_content: { name: "Grown" } });
}
