import { addressToBytes } from "../../server/store/address-bytes.js";
import type { Database } from "../../server/store/database.js";
import type { MessageRow } from "../../server/store/tables/messages.js";
import type { TransactionRow } from "../../server/store/tables/transactions.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes } from "../../shared/values/bytes.js";
import { type GoldenCase, rowsOf } from "../helpers/index/golden-case.js";
import { push } from "../helpers/store/party-rows.js";
import { type Rows, storeRows, traceRow } from "../helpers/store/rows.js";

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
  const trace = traceRow({
    ...{ ...known, mc_seqno_start: 1, edges_: messages.length, nodes_: transactions.length },
    ...{ start_lt: shifted(start_lt), end_lt: shifted(known.end_lt) },
  });
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

/** Columns unused by classification have the values of a made row. */
function contractRows({ interfaces }: GoldenCase): Rows {
  const rows: Rows = {};
  for (const [text, known] of Object.entries(interfaces)) {
    const address = bytesOf(text);
    const { jetton_wallet: wallet, nft_item: item, nft_sale: sale, nft_auction: auction } = known;
    if (wallet)
      push(rows, "jettonWallets", {
        ...{ address, owner: bytesOf(wallet.owner), jetton: bytesOf(wallet.jetton) },
      });
    if (item)
      push(rows, "nftItems", {
        address,
        index: BigInt(item.index),
        collection_address: ifKnown(item.collection_address),
        owner_address: ifKnown(item.owner_address),
        content: { ...item.content },
      });
    if (sale)
      push(rows, "nftSales", {
        address,
        marketplace_address: bytesOf(sale.marketplace_address),
        nft_address: bytesOf(sale.nft_address),
        nft_owner_address: bytesOf(sale.nft_owner_address),
        full_price: BigInt(sale.full_price),
      });
    if (auction)
      push(rows, "nftAuctions", {
        address,
        mp_addr: bytesOf(auction.mp_addr),
        nft_addr: bytesOf(auction.nft_addr),
        nft_owner: bytesOf(auction.nft_owner),
        last_bid: BigInt(auction.last_bid),
      });
    const [first, second] = known.dedust_pool?.assets ?? [];
    if (first && second)
      push(rows, "dexPools", {
        ...{ address, dex: 0, pool_type: 0 },
        asset_1: first.is_ton ? undefined : ifKnown(first.address),
        asset_2: second.is_ton ? undefined : ifKnown(second.address),
      });
    const data = known.extra?.data_boc?.data_boc;
    if (data !== undefined)
      push(rows, "latestAccountStates", {
        ...{ account: address, account_status: 3, data_boc: base64ToBytes(data)! },
      });
  }
  return rows;
}

const bytesOf = (text: string) => addressToBytes(Address.read(text)!.address);
const ifKnown = (text: string | null) => (text === null ? undefined : bytesOf(text));
