import { someColumns } from "../declare/table.js";
import { accountStates, contractMethods, latestAccountStates } from "../tables/accounts.js";
import { blocks } from "../tables/blocks.js";
import type { contractColumns } from "../tables/contract-columns.js";
import { dnsEntries } from "../tables/dns.js";
import { jettonMasters, jettonWallets, mintlessJettonMasters } from "../tables/jettons.js";
import { contentColumns, messages } from "../tables/messages.js";
import { multisigOrders, multisigs } from "../tables/multisig.js";
import { nftAuctions, nftCollections, nftItems, nftSales } from "../tables/nfts.js";
import { telemintItems } from "../tables/telemint.js";
import { jettonBurns, jettonTransfers, nftTransfers } from "../tables/token-events.js";
import { traceColumns } from "../tables/traces.js";
import { transactions } from "../tables/transactions.js";
import { vestingContracts } from "../tables/vesting.js";
import { foreignTable } from "./columns.js";
import { accountBytes } from "./values.js";

/** Values of our columns that their tables of contracts lack. Their rows stay when a contract ceases to exist. */
const absent = {
  first_seen_lt: () => "null::bigint",
  timestamp: () => "0::bigint",
  destroyed: () => "false",
} satisfies { [Name in keyof typeof contractColumns]?: () => string };

const content = (column: string) => (row: string) => `coalesce(${row}.${column}, '{}'::jsonb)`;
/** SQL of a cell; some are in quotes. */
export function cellBytes(column: string): string {
  return `decode(trim(${column}, ''''), 'base64')`;
}

const previous = (column: string, type: string) => (row: string) =>
  `array(select p.${column} from unnest(${row}.prev_blocks) with ordinality p order by p.ordinality)::${type}[]`;

const stateColumns = someColumns(accountStates.columns, [
  "hash",
  "balance",
  "balance_extra_currencies",
  "account_status",
  "frozen_hash",
  "data_hash",
  "code_hash",
]);
const dnsColumns = someColumns(dnsEntries.columns, [
  "address",
  "nft_item_owner",
  "domain",
  "dns_wallet",
  "dns_next_resolver",
  "dns_site_adnl",
  "dns_storage_bag_id",
]);

/** Their tables by the names of ours. */
export const foreign = {
  blocks: foreignTable("blocks", blocks.columns, {
    prev_shards: previous("shard", "bigint"),
    prev_seqnos: previous("seqno", "integer"),
    total_fees: () => "0::bigint",
  }),
  transactions: foreignTable("transactions", transactions.columns),
  messages: foreignTable("messages", messages.columns, { is_first: () => "true" }),
  contents: foreignTable("message_contents", contentColumns),
  accountStates: foreignTable("account_states", stateColumns),
  /** Without cells, the only large columns. */
  latestAccountStates: foreignTable("latest_account_states", latestAccountStates.columns, {
    data_boc: () => "null::bytea",
  }),
  accountsWithData: foreignTable("latest_account_states", latestAccountStates.columns, {
    data_boc: (row) => cellBytes(`${row}.data_boc`),
  }),
  contractMethods: foreignTable("contract_methods", contractMethods.columns, {
    // Ids may be there twice.
    methods: (row) =>
      `array(select distinct id from unnest(${row}.methods) id where id between 0 and 2147483647 order by id)::integer[]`,
  }),
  traces: foreignTable("traces", traceColumns),
  jettonMasters: foreignTable("jetton_masters", jettonMasters.columns, {
    ...absent,
    jetton_content: content("jetton_content"),
    display_numerator: () => "null::numeric",
    display_denominator: () => "null::numeric",
  }),
  jettonWallets: foreignTable("jetton_wallets", jettonWallets.columns, absent),
  mintlessJettonMasters: foreignTable("mintless_jetton_masters", mintlessJettonMasters.columns),
  jettonTransfers: foreignTable("jetton_transfers", jettonTransfers.columns),
  jettonBurns: foreignTable("jetton_burns", jettonBurns.columns),
  nftCollections: foreignTable("nft_collections", nftCollections.columns, {
    ...absent,
    collection_content: content("collection_content"),
  }),
  nftItems: foreignTable("nft_items", nftItems.columns, { ...absent, content: content("content") }),
  nftSales: foreignTable("getgems_nft_sales", nftSales.columns, absent),
  nftAuctions: foreignTable("getgems_nft_auctions", nftAuctions.columns, {
    ...absent,
    public_key: () => "null::numeric",
  }),
  telemintItems: foreignTable("telemint_nft_items", telemintItems.columns, {
    ...absent,
    has_auction: (row) => `${row}.beneficiary_address is not null`,
  }),
  nftTransfers: foreignTable("nft_transfers", nftTransfers.columns),
  dnsEntries: foreignTable("dns_entries", dnsColumns, {
    address: (row) => accountBytes(`${row}.nft_item_address`),
    dns_site_adnl: (row) => `decode(${row}.dns_site_adnl, 'hex')`,
    dns_storage_bag_id: (row) => `decode(${row}.dns_storage_bag_id, 'hex')`,
  }),
  multisigs: foreignTable("multisig", multisigs.columns, absent),
  multisigOrders: foreignTable("multisig_orders", multisigOrders.columns, absent),
  vestingContracts: foreignTable("vesting_contracts", vestingContracts.columns, {
    ...absent,
    whitelist: (row) => `array(
      select ${accountBytes("w.wallet_address")} from vesting_whitelist w
      where w.vesting_contract_address = ${row}.address order by w.wallet_address::text collate "C")`,
  }),
};
