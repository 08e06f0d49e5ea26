import SQL from "sql-template-tag";
import type { Database } from "../../../server/store/database.js";
import { serializeBoc } from "../../../shared/ton/cells/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { accountOf, blockRow, bytesOf, type Rows, storeRows } from "./rows.js";
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
const price = 5n;
const [marketplace, feeTaker] = [bytesOf(accountOf("m")), bytesOf(accountOf("f"))];

/** Some of the owners, or none. */
const ownersAt = (i: number) => sampleOwners.filter((_, place) => (i >> place) % 2 === 1).map(bytesOf);

/** Contracts, many of them equal in what lists are sorted by. */
export const sampleContracts = {
  nftSales: named("!", 20).map((address, i) => ({
    ...contractFacts(address, i),
    is_complete: false,
    created_at: 1n,
    marketplace_address: marketplace,
    nft_address: bytesAt(sampleWallets, i),
    nft_owner_address: maybeAt(sampleOwners, i),
    full_price: price,
    marketplace_fee_address: feeTaker,
    marketplace_fee: 1n,
    royalty_address: feeTaker,
    royalty_amount: 1n,
    sold_at: undefined,
    sold_query_id: undefined,
    jetton_price_dict: undefined,
  })),
  nftAuctions: named("0", 20).map((address, i) => ({
    ...contractFacts(address, i),
    end_flag: false,
    end_time: 1n,
    mp_addr: marketplace,
    nft_addr: bytesAt(sampleWallets, i),
    nft_owner: maybeAt(sampleOwners, i),
    last_bid: price,
    last_member: maybeAt(sampleOwners, i + 1),
    min_step: 1n,
    mp_fee_addr: feeTaker,
    mp_fee_factor: 1n,
    mp_fee_base: 1n,
    royalty_fee_addr: feeTaker,
    royalty_fee_factor: 1n,
    royalty_fee_base: 1n,
    max_bid: price,
    min_bid: price,
    created_at: 1n,
    last_bid_at: 1n,
    is_canceled: false,
    activated: undefined,
    step_time: undefined,
    last_query_id: undefined,
    jetton_wallet: undefined,
    jetton_master: undefined,
    is_broken_state: undefined,
    public_key: undefined,
  })),
  telemintItems: named("D", 20).map((address, i) => ({
    ...contractFacts(address, i),
    token_name: `name ${i}`,
    bidder_address: maybeAt(sampleOwners, i),
    bid: price,
    bid_ts: 1n,
    min_bid: price,
    end_time: 1n,
    beneficiary_address: i % 4 === 0 ? undefined : bytesAt(sampleOwners, i),
    initial_min_bid: price,
    max_bid: price,
    min_bid_step: 1n,
    min_extend_time: 1n,
    duration: 1n,
    royalty_numerator: 1n,
    royalty_denominator: 1n,
    royalty_destination: feeTaker,
    has_auction: i % 4 !== 0,
  })),
  dnsEntries: named("!", count).map((address, i) => ({
    ...contractFacts(address, i),
    nft_item_owner: maybeAt(sampleOwners, i),
    domain: pick(sampleDomains, i * 3 + Math.floor(i / 7)),
    dns_wallet: maybeAt(sampleOwners, i * 5),
    dns_next_resolver: undefined,
    dns_site_adnl: undefined,
    dns_storage_bag_id: undefined,
    max_bid_address: maybeAt(sampleOwners, i * 7),
    max_bid_amount: price,
    auction_end_time: i % 9 === 4 ? undefined : BigInt((i * 5) % 11),
    last_fill_up_time: undefined,
  })),
  multisigs: [...sampleMultisigs, ...named("!", 30)].map((address, i) => ({
    ...contractFacts(address, i),
    next_order_seqno: BigInt(i),
    threshold: 1n,
    signers: ownersAt(i),
    proposers: ownersAt(i * 3 + 1),
  })),
  multisigOrders: named("!", count).map((address, i) => ({
    ...contractFacts(address, i),
    multisig_address: bytesAt(sampleMultisigs, i * 7),
    order_seqno: BigInt(i),
    threshold: 1n,
    sent_for_execution: false,
    signers: ownersAt(i),
    approvals_mask: 0n,
    approvals_num: 0n,
    expiration_date: 1n,
    order_boc: serializeBoc(Cell.empty),
  })),
  vestingContracts: named("!", count).map((address, i) => ({
    ...contractFacts(address, i),
    vesting_start_time: 1n,
    vesting_total_duration: 1n,
    unlock_period: 1n,
    cliff_duration: 0n,
    vesting_total_amount: price,
    vesting_sender_address: bytesAt(sampleOwners, i),
    owner_address: bytesAt(sampleOwners, i * 3 + Math.floor(i / 5)),
    whitelist: ownersAt(i),
  })),
} satisfies Rows;

/** Stores the sample, and a block of that time. */
export async function storeSampleContracts(database: Database): Promise<void> {
  await storeRows(database, { ...sampleContracts, blocks: [blockRow({ seqno: 1, gen_utime: sampleNow })] });
  await database.sql({ connections: 1 }).query(SQL`
    insert into index_ranges (from_seqno, to_seqno, done_to, state) values (1, 2147483647, 1, 1)`);
}
