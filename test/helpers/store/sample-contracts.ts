import SQL from "sql-template-tag";
import type { Database } from "../../../server/store/database.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { madeRow } from "./made-row.js";
import { blockRow, bytesOf, type Rows, storeRows } from "./rows.js";
import {
  bytesAt,
  contractFacts,
  maybeAt,
  named,
  pick,
  sampleOwners,
  sampleWallets,
} from "./sample-tokens.js";

export const sampleMultisigs = named("A", 12);
/** Several items have each of these names: their collections are not checked here. */
export const sampleDomains = ["a.ton", "b.ton", "ab.ton", "long.ton", "t.me"];
/** The time of the newest block. */
export const sampleNow = 5;

const count = 90;

/** Some of the owners, or none. */
const ownersAt = (i: number) => sampleOwners.filter((_, place) => (i >> place) % 2 === 1).map(bytesOf);

/** Contracts, many of them equal in what lists are sorted by. */
export const sampleContracts = {
  nftSales: named("!", 20).map((address, i) =>
    madeRow("nftSales", {
      ...contractFacts(address, i),
      nft_address: bytesAt(sampleWallets, i),
      nft_owner_address: maybeAt(sampleOwners, i),
    }),
  ),
  nftAuctions: named("0", 20).map((address, i) =>
    madeRow("nftAuctions", {
      ...contractFacts(address, i),
      nft_addr: bytesAt(sampleWallets, i),
      nft_owner: maybeAt(sampleOwners, i),
      last_member: maybeAt(sampleOwners, i + 1),
    }),
  ),
  telemintItems: named("D", 20).map((address, i) =>
    madeRow("telemintItems", {
      ...contractFacts(address, i),
      bidder_address: maybeAt(sampleOwners, i),
      beneficiary_address: i % 4 === 0 ? undefined : bytesAt(sampleOwners, i),
      has_auction: i % 4 !== 0,
    }),
  ),
  dnsEntries: named("!", count).map((address, i) =>
    madeRow("dnsEntries", {
      ...contractFacts(address, i),
      nft_item_owner: maybeAt(sampleOwners, i),
      domain: pick(sampleDomains, i * 3 + Math.floor(i / 7)),
      dns_wallet: maybeAt(sampleOwners, i * 5),
      max_bid_address: maybeAt(sampleOwners, i * 7),
      max_bid_amount: 5n,
      auction_end_time: i % 9 === 4 ? undefined : BigInt((i * 5) % 11),
    }),
  ),
  multisigs: [...sampleMultisigs, ...named("!", 30)].map((address, i) =>
    madeRow("multisigs", {
      ...contractFacts(address, i),
      next_order_seqno: BigInt(i),
      signers: ownersAt(i),
      proposers: ownersAt(i * 3 + 1),
    }),
  ),
  multisigOrders: named("!", count).map((address, i) =>
    madeRow("multisigOrders", {
      ...contractFacts(address, i),
      multisig_address: bytesAt(sampleMultisigs, i * 7),
      order_seqno: BigInt(i),
      signers: ownersAt(i),
      order_boc: serializeBoc(Cell.empty),
    }),
  ),
  vestingContracts: named("!", count).map((address, i) =>
    madeRow("vestingContracts", {
      ...contractFacts(address, i),
      vesting_sender_address: bytesAt(sampleOwners, i),
      owner_address: bytesAt(sampleOwners, i * 3 + Math.floor(i / 5)),
      whitelist: ownersAt(i),
    }),
  ),
} satisfies Rows;

/** Stores the sample, and a block of that time. */
export async function storeSampleContracts(database: Database): Promise<void> {
  await storeRows(database, { ...sampleContracts, blocks: [blockRow({ seqno: 1, gen_utime: sampleNow })] });
  await database.sql({ connections: 1 }).query(SQL`
    insert into index_ranges (from_seqno, to_seqno, done_to, state) values (1, 2147483647, 1, 1)`);
}
