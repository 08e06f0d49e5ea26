import SQL, { raw } from "sql-template-tag";
import { rawAddressFromBytes } from "../../../server/store/address-bytes.js";
import type { Queries } from "../../../server/store/database.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { Samples } from "./filter-pairs.js";
import { fixedSamples } from "./fixed-samples.js";

/** How many values a parameter has from one column. */
const perColumn = 2;

/** The columns whose values a parameter takes. */
const columns: Readonly<Record<string, readonly string[]>> = {
  account: ["transactions.account"],
  exclude_account: ["transactions.account"],
  address: [
    "transactions.account",
    "jetton_masters.address",
    "jetton_wallets.address",
    "nft_items.address",
    "nft_sales.address",
    "nft_auctions.address",
    "multisigs.address",
    "multisig_orders.address",
  ],
  source: ["messages.source"],
  destination: ["messages.destination"],
  // Sellers own their items in some lists only.
  owner_address: ["jetton_wallets.owner", "nft_items.owner_address", "nft_sales.nft_owner_address"],
  admin_address: ["jetton_masters.admin_address"],
  jetton: ["jetton_masters.address"],
  jetton_master: ["jetton_masters.address"],
  jetton_address: ["jetton_masters.address"],
  jetton_wallet: ["jetton_wallets.address"],
  collection_address: ["nft_collections.address"],
  item_address: ["nft_items.address"],
  multisig_address: ["multisigs.address"],
  wallet_address: [
    "vesting_contracts.owner_address",
    "vesting_contracts.whitelist[1]",
    "multisigs.signers[1]",
  ],
  contract_address: ["vesting_contracts.address"],
  wallet: ["dns_entries.dns_wallet"],
  domain: ["dns_entries.domain"],
  bidder: ["dns_entries.max_bid_address"],
  pool: ["nominator_pools.address"],
  nominator: ["nominator_pool_events.nominator"],
  validator: ["nominator_pools.validator_address"],
  stake_holder_address: ["validator_events.stake_holder"],
  validator_pubkey: ["validator_events.validator_pubkey"],
  adnl_address: ["validator_events.adnl_addr"],
  election_id: ["validator_elections.election_id"],
  cycle_start: ["validator_cycles.utime_since"],
  code_hash: ["latest_account_states.code_hash"],
  hash: ["transactions.hash"],
  tx_hash: ["transactions.hash"],
  trace_id: ["traces.trace_id"],
  msg_hash: ["messages.msg_hash"],
  body_hash: ["messages.body_hash"],
  action_id: ["actions.action_id"],
  action_type: ["actions.type"],
  exclude_action_type: ["actions.type"],
  root_hash: ["blocks.root_hash"],
  file_hash: ["blocks.file_hash"],
  opcode: ["messages.opcode"],
  lt: ["transactions.lt"],
  start_lt: ["transactions.lt"],
  end_lt: ["transactions.lt"],
  start_utime: ["transactions.now"],
  end_utime: ["transactions.now"],
  seqno: ["blocks.mc_block_seqno"],
  mc_seqno: ["blocks.mc_block_seqno"],
  shard: ["blocks.shard"],
  index: ["nft_items.index"],
  q: ["dns_entries.domain", "transactions.hash", "jetton_masters.address"],
};

/** Values that an index has for the parameters of v3; none of columns that are empty. */
export async function indexSamples(queries: Queries): Promise<Samples> {
  const samples: Record<string, readonly string[]> = { ...fixedSamples };
  for (const [parameter, sources] of Object.entries(columns)) {
    const values = await Promise.all(sources.map((source) => valuesOf(queries, source)));
    samples[parameter] = values.flat().map((value) => textOf(parameter, value));
  }
  return samples;
}

type Value = Uint8Array | bigint | number | string;

/** From the middle of the column, so that bounds leave something. */
async function valuesOf(queries: Queries, source: string): Promise<Value[]> {
  const [table, column] = source.split(".") as [string, string];
  const rows = await queries.query<{ value: Value }>(SQL`
    with found as (select distinct ${raw(column)} as value from ${raw(table)} where ${raw(column)} is not null)
    select value from found order by value
    offset (select count(*) / 3 from found) limit ${perColumn}`);
  return rows.map(({ value }) => value);
}

/** Addresses have a byte more than hashes. */
const addressSize = 33;

function textOf(parameter: string, value: Value): string {
  if (value instanceof Uint8Array)
    return value.length === addressSize ? rawAddressFromBytes(value) : bytesToHex(value);
  return parameter === "shard" ? BigInt.asUintN(64, BigInt(value)).toString(16) : String(value);
}
