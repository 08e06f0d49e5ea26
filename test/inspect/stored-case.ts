import { addressToBytes } from "../../server/store/address-bytes.js";
import type { Database } from "../../server/store/database.js";
import type { MessageRow } from "../../server/store/tables/messages.js";
import type { TransactionRow } from "../../server/store/tables/transactions.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes } from "../../shared/values/bytes.js";
import { type GoldenCase, rowsOf } from "../helpers/index/golden-case.js";
import { type Rows, storeRows } from "../helpers/store/rows.js";

const noHash = new Uint8Array(32);
const tableNames =
  "traces, account_traces, transactions, messages, message_contents, tx_locator, msg_locator, " +
  "jetton_wallets, nft_items, nft_sales, nft_auctions, dex_pools, latest_account_states";

/**
 * Stores the trace of a case and its contracts, replacing stored ones; returns the trace id. Logical times are shifted,
 * so that traces of all ages lie in the same slots; identifiers do not depend on them.
 */
export async function storeCase(database: Pick<Database, "sql">, golden: GoldenCase): Promise<Uint8Array> {
  const { trace: known, transactions, messages, messageContents } = rowsOf(golden);
  const { start_lt } = known;
  const shifted = (lt: bigint) => lt - start_lt + 1000n;
  const trace = {
    ...known,
    start_lt: shifted(start_lt),
    end_lt: shifted(known.end_lt),
    external_hash_norm: undefined,
    mc_seqno_start: 1,
    state: 1,
    pending_edges_: 0,
    edges_: messages.length,
    nodes_: transactions.length,
    classification_state: 0,
  };
  const { trace_id } = trace;
  await database.sql().transaction((transaction) => transaction.script(`truncate ${tableNames}`));
  await storeRows(database, {
    ...contractRows(golden),
    traces: [trace],
    // The helper makes whole rows.
    transactions: (transactions as TransactionRow[]).map((row) => ({
      ...row,
      trace_id,
      lt: shifted(row.lt),
    })),
    messages: (messages as MessageRow[]).map((row) => ({
      ...row,
      trace_id,
      tx_lt: shifted(row.tx_lt),
      created_lt: row.created_lt === undefined ? undefined : shifted(row.created_lt),
    })),
    messageContents: [...new Map(messageContents.map((row) => [hexOf(row.hash), row])).values()],
  });
  return trace_id;
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Columns unused by classification have placeholder values. */
function contractRows({ interfaces }: GoldenCase): Rows {
  const rows = {
    jettonWallets: [] as object[],
    nftItems: [] as object[],
    nftSales: [] as object[],
    nftAuctions: [] as object[],
    dexPools: [] as object[],
    latestAccountStates: [] as object[],
  };
  for (const [text, known] of Object.entries(interfaces)) {
    const address = bytesOf(text);
    const contract = { ...unread, address };
    const { jetton_wallet: wallet, nft_item: item, nft_sale: sale, nft_auction: auction } = known;
    if (wallet)
      rows.jettonWallets.push({ ...contract, owner: bytesOf(wallet.owner), jetton: bytesOf(wallet.jetton) });
    if (item)
      rows.nftItems.push({
        ...contract,
        index: BigInt(item.index),
        collection_address: ifKnown(item.collection_address),
        owner_address: ifKnown(item.owner_address),
        content: { ...item.content },
      });
    if (sale)
      rows.nftSales.push({
        ...contract,
        marketplace_address: bytesOf(sale.marketplace_address),
        nft_address: bytesOf(sale.nft_address),
        nft_owner_address: bytesOf(sale.nft_owner_address),
        full_price: BigInt(sale.full_price),
      });
    if (auction)
      rows.nftAuctions.push({
        ...contract,
        mp_addr: bytesOf(auction.mp_addr),
        nft_addr: bytesOf(auction.nft_addr),
        nft_owner: bytesOf(auction.nft_owner),
        last_bid: BigInt(auction.last_bid),
      });
    const [first, second] = known.dedust_pool?.assets ?? [];
    if (first && second)
      rows.dexPools.push({
        ...contract,
        asset_1: first.is_ton ? undefined : ifKnown(first.address),
        asset_2: second.is_ton ? undefined : ifKnown(second.address),
      });
    const data = known.extra?.data_boc?.data_boc;
    if (data !== undefined)
      rows.latestAccountStates.push({ ...unread, account: address, data_boc: base64ToBytes(data)! });
  }
  // All columns are set.
  return rows as unknown as Rows;
}

const bytesOf = (text: string) => addressToBytes(Address.read(text)!.address);
const ifKnown = (text: string | null) => (text === null ? undefined : bytesOf(text));
const nobody = addressToBytes(new Address(0, noHash));

/** A value for each column that must have one. */
const unread = {
  ...Object.fromEntries(
    [
      ...["balance", "marketplace_fee", "royalty_amount", "reserve_1", "reserve_2", "fee_numerator"],
      ...["created_at", "end_time", "min_step", "mp_fee_factor", "mp_fee_base", "royalty_fee_factor"],
      ...["royalty_fee_base", "max_bid", "min_bid", "last_bid_at", "last_transaction_lt"],
    ].map((name) => [name, 0n]),
  ),
  ...Object.fromEntries(
    ["marketplace_fee_address", "royalty_address", "mp_fee_addr", "royalty_fee_addr"].map((name) => [
      name,
      nobody,
    ]),
  ),
  fee_denominator: 1n,
  timestamp: 0,
  hash: noHash,
  code_hash: noHash,
  data_hash: noHash,
  destroyed: false,
  is_complete: false,
  end_flag: false,
  is_canceled: false,
  init: true,
  account_status: 3,
  dex: 0,
  pool_type: 0,
};
