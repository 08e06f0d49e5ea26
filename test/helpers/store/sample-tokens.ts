import SQL from "sql-template-tag";
import type { Database } from "../../../server/store/database.js";
import type { Address } from "../../../shared/values/address.js";
import { madeRow } from "./made-row.js";
import { accountOf, bytesOf, hashOf, type Rows, storeRows, transactionRow } from "./rows.js";

const letters = ["a", "b", "c", "d", "e"];
export const sampleOwners = letters.map(accountOf);
export const sampleMasters = ["j", "k", "l"].map(accountOf);
export const sampleCollections = ["n", "o", "p"].map(accountOf);
/** Wallets and items that events are of. */
export const sampleWallets = ["s", "t", "u", "v"].map(accountOf);
export const sampleItems = ["w", "x", "y", "z"].map(accountOf);

const slotWidth = 6;
/** Logical times of events. */
export const lastTokenLt = 59;

export const pick = <T>(list: readonly T[], i: number): T => list[i % list.length]!;
export const bytesAt = (list: readonly Address[], i: number) => bytesOf(pick(list, i));
/** One of them, or none. */
export const maybeAt = (list: readonly Address[], i: number) => {
  const place = i % (list.length + 1);
  return place === list.length ? undefined : bytesOf(list[place]!);
};

/** Columns common to all tables of contracts; every sixth contract is destroyed. */
export const contractFacts = (address: Address, i: number) => ({
  address: bytesOf(address),
  first_seen_lt: BigInt(i % 5),
  last_transaction_lt: BigInt((i * 3) % 7),
  destroyed: i % 6 === 5,
});
/** Accounts that sort as they are numbered. */
export const named = (kind: string, count: number) =>
  Array.from({ length: count }, (_, i) => accountOf(String.fromCharCode(kind.charCodeAt(0) + i)));

/** Contracts, many of them equal in what lists are sorted by; every sixth is destroyed. */
const contracts = {
  jettonMasters: [...sampleMasters, ...named("A", 15)].map((address, i) =>
    madeRow("jettonMasters", { ...contractFacts(address, i), admin_address: maybeAt(sampleOwners, i) }),
  ),
  jettonWallets: named("!", 90).map((address, i) =>
    madeRow("jettonWallets", {
      ...contractFacts(address, i),
      balance: BigInt((i * 7) % 4),
      owner: bytesAt(sampleOwners, i),
      jetton: bytesAt(sampleMasters, i * 5 + Math.floor(i / 7)),
    }),
  ),
  nftCollections: [...sampleCollections, ...named("A", 12)].map((address, i) =>
    madeRow("nftCollections", { ...contractFacts(address, i), owner_address: maybeAt(sampleOwners, i) }),
  ),
  nftItems: named("!", 90).map((address, i) =>
    madeRow("nftItems", {
      ...contractFacts(address, i),
      index: BigInt(i % 9),
      collection_address: maybeAt(sampleCollections, i * 5),
      owner_address: maybeAt(sampleOwners, i),
      real_owner: maybeAt(sampleOwners, i + Math.floor(i / 4)),
    }),
  ),
} satisfies Rows;

/** Three at one logical time at most, and times that are not in step with it. */
const event = (kind: string, i: number) => ({
  tx_hash: hashOf(`${kind} ${i}`),
  tx_lt: BigInt(Math.floor(i / 3)),
  tx_now: 100 + ((i * 5) % 31),
  tx_aborted: i % 8 === 7,
  mc_seqno: 1 + Math.floor(i / 20),
  trace_id: hashOf(`trace ${kind} ${i}`),
  query_id: BigInt(i),
});
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

const events = {
  jettonTransfers: times(3 * (lastTokenLt + 1), (i) =>
    madeRow("jettonTransfers", {
      ...event("transfer", i),
      source: bytesAt(sampleOwners, i),
      // Some send to themselves.
      destination: maybeAt(sampleOwners, i * 7 + Math.floor(i / 5)),
      jetton_wallet_address: bytesAt(sampleWallets, i),
      jetton_master_address: bytesAt(sampleMasters, Math.floor(i / 2)),
    }),
  ),
  jettonBurns: times(90, (i) =>
    madeRow("jettonBurns", {
      ...event("burn", i),
      owner: bytesAt(sampleOwners, i),
      jetton_wallet_address: bytesAt(sampleWallets, Math.floor(i / 2)),
      jetton_master_address: bytesAt(sampleMasters, i),
    }),
  ),
  nftTransfers: times(3 * (lastTokenLt + 1), (i) =>
    madeRow("nftTransfers", {
      ...event("item", i),
      nft_item_address: bytesAt(sampleItems, i),
      nft_collection_address: maybeAt(sampleCollections, Math.floor(i / 2)),
      old_owner: bytesAt(sampleOwners, i * 3),
      new_owner: maybeAt(sampleOwners, i * 7 + Math.floor(i / 5)),
    }),
  ),
} satisfies Rows;

export const sampleTokens = { ...contracts, ...events };

/** Stores the sample in separate slots, with the transactions of the events. */
export async function storeSampleTokens(database: Database): Promise<void> {
  const sql = database.sql({ connections: 1 });
  await sql.query(SQL`update index_meta set value = ${String(slotWidth)} where key = 'lt_grid'`);
  await storeRows(database, contracts);
  for (let from = 0; from <= lastTokenLt; from += slotWidth) {
    const ofSlot = <Row extends { tx_lt: bigint }>(rows: readonly Row[]) =>
      rows.filter(({ tx_lt }) => tx_lt >= from && tx_lt < from + slotWidth);
    const jettonTransfers = ofSlot(events.jettonTransfers);
    const nftTransfers = ofSlot(events.nftTransfers);
    const jettonBurns = ofSlot(events.jettonBurns);
    const transactions = [...jettonTransfers, ...jettonBurns, ...nftTransfers].map(
      ({ tx_hash, tx_lt, tx_now }) =>
        transactionRow({ account: new Uint8Array([0, ...tx_hash]), hash: tx_hash, lt: tx_lt, now: tx_now }),
    );
    await storeRows(database, { transactions, jettonTransfers, jettonBurns, nftTransfers });
  }
}
