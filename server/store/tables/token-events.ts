import {
  address,
  bigint,
  boolean,
  bytea,
  hash,
  integer,
  nullable,
  numeric,
  wideInteger,
} from "../declare/columns.js";
import { columnsOf, constant, object, orBlank, orNull } from "../declare/record.js";
import { type RowOf, type Table, table } from "../declare/table.js";

/** The columns of every table of requests to token contracts: the transaction that received the request, and what all ask. */
const eventColumns = {
  tx_hash: hash,
  tx_lt: bigint,
  tx_now: wideInteger,
  tx_aborted: boolean,
  mc_seqno: integer,
  trace_id: hash,
  query_id: numeric,
  /** `undefined` also for an address that no account has. */
  response_destination: nullable(address),
  custom_payload: nullable(bytea),
} as const;

/** One row stays of a transaction whose block is stored twice, or that `reindex-tokens` finds again. */
const eventBehaviour = {
  key: ["tx_hash", "tx_lt"],
  uniqueBy: ["tx_lt", "hash_prefix(tx_hash)", "hash_rest(tx_hash)"],
  merge: "keep",
  revertBy: { block: "mc_seqno" },
  traceColumn: "trace_id",
  partitionBy: "tx_lt",
} as const;

/** Transfers that jetton wallets were asked for. */
export const jettonTransfers = table("jetton_transfers", {
  columns: {
    ...eventColumns,
    source: address,
    destination: nullable(address),
    /** The sender's. */
    jetton_wallet_address: address,
    jetton_master_address: address,
    amount: numeric,
    forward_ton_amount: numeric,
    /** Only a payload in a reference, as in TON Center. */
    forward_payload: nullable(bytea),
  },
  ...eventBehaviour,
  clusterBy: ["source", "tx_lt"],
  divideBy: { column: "jetton_wallet_address" },
});

/** Burns that jetton wallets were asked for. */
export const jettonBurns = table("jetton_burns", {
  columns: {
    ...eventColumns,
    owner: address,
    jetton_wallet_address: address,
    jetton_master_address: address,
    amount: numeric,
  },
  ...eventBehaviour,
  clusterBy: ["owner", "tx_lt"],
  divideBy: { column: "jetton_wallet_address" },
});

/** Transfers that NFT items were asked for. */
export const nftTransfers = table("nft_transfers", {
  columns: {
    ...eventColumns,
    nft_item_address: address,
    nft_item_index: numeric,
    nft_collection_address: nullable(address),
    old_owner: address,
    new_owner: nullable(address),
    forward_amount: numeric,
    forward_payload: nullable(bytea),
  },
  ...eventBehaviour,
  clusterBy: ["old_owner", "tx_lt"],
  divideBy: { column: "nft_item_address" },
});

export type TokenEventTable = typeof jettonTransfers | typeof jettonBurns | typeof nftTransfers;
export type TokenEventRow<T extends TokenEventTable = TokenEventTable> = RowOf<T["columns"]>;

/** A table of token events, and the columns of the accounts by which its lists are filtered. */
type Parties = { readonly table: Table; readonly parties: readonly string[] };

const partiesOf = <T extends TokenEventTable>(
  table: T,
  ...parties: readonly (keyof T["columns"] & string)[]
): Parties => ({ table, parties });

export const tokenEventParties: readonly Parties[] = [
  partiesOf(jettonTransfers, "source", "destination", "jetton_wallet_address", "jetton_master_address"),
  partiesOf(jettonBurns, "owner", "jetton_wallet_address", "jetton_master_address"),
  partiesOf(nftTransfers, "old_owner", "new_owner", "nft_item_address", "nft_collection_address"),
];

/** The slots that have a token event of an account. */
export const tokenSlots = table("token_slots", {
  columns: { account: address, from_lt: bigint },
  key: ["account", "from_lt"],
  merge: "keep",
  slotColumn: "from_lt",
  spreadBy: "account",
  divideBy: { column: "account" },
});

const t = columnsOf("t", jettonTransfers.columns);

/** In these records decoded payloads are `null`: contracts/ reads them, which this folder cannot. */
export const jettonTransferRecord = object({
  query_id: t.query_id,
  source: t.source,
  destination: orBlank(t.destination),
  amount: t.amount,
  source_wallet: t.jetton_wallet_address,
  jetton_master: t.jetton_master_address,
  transaction_hash: t.tx_hash,
  transaction_lt: t.tx_lt,
  transaction_now: t.tx_now,
  transaction_aborted: t.tx_aborted,
  response_destination: orNull(t.response_destination),
  custom_payload: orNull(t.custom_payload),
  decoded_custom_payload: constant(null),
  forward_ton_amount: t.forward_ton_amount,
  forward_payload: orNull(t.forward_payload),
  decoded_forward_payload: constant(null),
  trace_id: t.trace_id,
});

const b = columnsOf("t", jettonBurns.columns);

export const jettonBurnRecord = object({
  query_id: b.query_id,
  owner: b.owner,
  jetton_wallet: b.jetton_wallet_address,
  jetton_master: b.jetton_master_address,
  transaction_hash: b.tx_hash,
  transaction_lt: b.tx_lt,
  transaction_now: b.tx_now,
  transaction_aborted: b.tx_aborted,
  amount: b.amount,
  response_destination: orNull(b.response_destination),
  custom_payload: orNull(b.custom_payload),
  decoded_custom_payload: constant(null),
  trace_id: b.trace_id,
});

const n = columnsOf("t", nftTransfers.columns);

export const nftTransferRecord = object({
  query_id: n.query_id,
  nft_address: n.nft_item_address,
  nft_collection: orBlank(n.nft_collection_address),
  transaction_hash: n.tx_hash,
  transaction_lt: n.tx_lt,
  transaction_now: n.tx_now,
  transaction_aborted: n.tx_aborted,
  old_owner: n.old_owner,
  new_owner: orBlank(n.new_owner),
  response_destination: orNull(n.response_destination),
  custom_payload: orNull(n.custom_payload),
  decoded_custom_payload: constant(null),
  forward_amount: n.forward_amount,
  forward_payload: orNull(n.forward_payload),
  decoded_forward_payload: constant(null),
  trace_id: n.trace_id,
});
