import SQL, { raw } from "sql-template-tag";
import { accountStatuses, codeOf, traceStates } from "../../../server/store/codes.js";
import type { Sql } from "../../../server/store/database.js";
import type { Columns, Table } from "../../../server/store/declare/table.js";
import * as forms from "../../../server/store/declare/wire-forms.js";
import { selectRows } from "../../../server/store/queries/rows.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import { schemaScript, writtenColumns } from "./schema.js";

type Row = Readonly<Record<string, unknown>>;

/** A row of ours as JSON of which PostgreSQL makes a row of theirs. */
function asJson(columns: Columns, row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { form }]) => {
      const value = row[name];
      if (value === undefined) return [name, null];
      const isNumber = form === forms.shardHex || form === forms.opcodeHex;
      return [name, isNumber ? String(value) : form.present(value as never)];
    }),
  );
}

async function rowsOf(own: Sql, table: Table, rest = ""): Promise<Record<string, unknown>[]> {
  const rows = await selectRows(own, table, "t", SQL`${raw(`${table.name} t ${rest}`)}`);
  return rows.map((row) => asJson({ ...table.columns, ...table.defaulted }, row as Row));
}

/** Appends rows to a table; members that are no columns of it are left out. */
async function insert(theirs: Sql, table: string, rows: readonly object[]): Promise<void> {
  const columns = raw(writtenColumns(table).join(", "));
  for (let from = 0; from < rows.length; from += 500) {
    const part = JSON.stringify(rows.slice(from, from + 500));
    await theirs.query(SQL`
      insert into ${raw(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${raw(table)}, ${part}::json)
      on conflict do nothing`);
  }
}

const inOrder = "where not t.destroyed order by t.first_seen_lt, t.address";

/** Makes TON Center's tables in an empty database, with what an index of ours has. */
export async function exportIndex(own: Sql, theirs: Sql): Promise<void> {
  await theirs.transaction((transaction) => transaction.script(schemaScript()));
  await exportRows(own, theirs);
}

/** Adds the rows that are not there yet. */
export async function exportRows(own: Sql, theirs: Sql): Promise<void> {
  const copy = async (from: Table, to: string, rest?: string, change = (row: Row): object => row) =>
    insert(theirs, to, (await rowsOf(own, from, rest)).map(change));
  await copyChain(own, copy);
  await copyTokens(copy);
  await copyContracts(own, theirs, copy);
  await copyActions(own, theirs);
}

type Copy = (from: Table, to: string, rest?: string, change?: (row: Row) => object) => Promise<void>;

async function copyChain(own: Sql, copy: Copy): Promise<void> {
  await copy(tables.blocks, "blocks", "", (row) => ({
    ...row,
    mc_block_workchain: -1,
    mc_block_shard: String(-(2n ** 63n)),
    prev_blocks: (row["prev_seqnos"] as number[]).map((seqno, at) => ({
      workchain: row["workchain"],
      shard: (row["prev_shards"] as string[])[at],
      seqno,
    })),
  }));
  await copy(tables.shardState, "shard_state");
  await copy(tables.transactions, "transactions");
  const traceOf = new Map(
    (await rowsOf(own, tables.transactions)).map((row) => [row["hash"], row["trace_id"]]),
  );
  await copy(tables.messages, "messages", "", (row) => ({ ...row, trace_id: traceOf.get(row["tx_hash"]) }));
  await copy(tables.messageContents, "message_contents");
  const nonexist = codeOf(accountStatuses, "nonexist");
  await copy(tables.accountStates, "account_states", `where t.account_status <> ${nonexist}`);
  // Only traces that are complete are stored.
  await copy(tables.traces, "traces", `where t.state = ${codeOf(traceStates, "complete")}`);
  await copy(tables.contractMethods, "contract_methods");
  const codes = new Map(
    (await rowsOf(own, tables.contractCodes)).map((row) => [row["code_hash"], row["boc"]]),
  );
  await copy(tables.latestAccountStates, "latest_account_states", "", (row) => ({
    ...row,
    code_boc: codes.get(row["code_hash"]),
  }));
}

async function copyTokens(copy: Copy): Promise<void> {
  await copy(tables.jettonMasters, "jetton_masters", inOrder);
  await copy(tables.jettonWallets, "jetton_wallets", inOrder);
  await copy(tables.mintlessJettonMasters, "mintless_jetton_masters");
  await copy(tables.jettonTransfers, "jetton_transfers");
  await copy(tables.jettonBurns, "jetton_burns");
  await copy(tables.nftCollections, "nft_collections", inOrder);
  await copy(tables.nftItems, "nft_items", inOrder);
  await copy(tables.nftSales, "getgems_nft_sales", inOrder);
  await copy(tables.nftAuctions, "getgems_nft_auctions", inOrder);
  await copy(tables.telemintItems, "telemint_nft_items", inOrder);
  await copy(tables.nftTransfers, "nft_transfers");
  await copy(tables.marketplaceNames, "marketplace_names");
  await copy(tables.addressMetadata, "address_metadata", "where t.valid is not null");
  await copy(tables.addressMetadataFlags, "address_metadata_flags");
}

async function copyContracts(own: Sql, theirs: Sql, copy: Copy): Promise<void> {
  await copy(
    tables.dnsEntries,
    "dns_entries",
    inOrder,
    ({ address, dns_site_adnl, dns_storage_bag_id, ...row }) => ({
      ...row,
      nft_item_address: address,
      dns_site_adnl: hexOf(dns_site_adnl),
      dns_storage_bag_id: hexOf(dns_storage_bag_id),
    }),
  );
  await copy(tables.multisigs, "multisig", inOrder);
  await copy(tables.multisigOrders, "multisig_orders", inOrder);
  await copy(tables.vestingContracts, "vesting_contracts", inOrder);
  const vesting = await rowsOf(own, tables.vestingContracts, inOrder);
  await insert(
    theirs,
    "vesting_whitelist",
    vesting.flatMap(({ address, whitelist }) =>
      (whitelist as string[]).map((wallet_address) => ({
        vesting_contract_address: address,
        wallet_address,
      })),
    ),
  );
}

function hexOf(base64: unknown): string | null {
  return typeof base64 === "string" ? Buffer.from(base64, "base64").toString("hex").toUpperCase() : null;
}

type Details = { extra?: { btc_txid?: string; pubkey?: string } } | null;

/** The columns of details. Some texts are in columns for addresses, others in one of their own. */
function withExtra({ type, parent_gasless_action }: Row, details: Details): object {
  const { extra: { btc_txid, pubkey, ...extra } = {}, ...others } = details ?? {};
  const ownColumn = { ...extra, ...(parent_gasless_action !== null && { parent_gasless_action }) };
  return {
    ...others,
    ...(Object.keys(ownColumn).length > 0 && { extra: ownColumn }),
    ...(btc_txid !== undefined && { asset_secondary: btc_txid }),
    ...(pubkey !== undefined && {
      [type === "tgbtc_dkg_log_fallback" ? "asset" : "source_secondary"]: pubkey,
    }),
  };
}

async function copyActions(own: Sql, theirs: Sql): Promise<void> {
  const rows = await rowsOf(own, tables.actions);
  await insert(
    theirs,
    "actions",
    rows.map(({ data, opcode, parent_gasless_action, ...row }) => ({
      ...row,
      ...withExtra({ ...row, parent_gasless_action }, data as Details),
      opcode: opcode === null ? null : Number(opcode) >>> 0,
    })),
  );
  await insert(
    theirs,
    "action_accounts",
    rows.flatMap((row) =>
      (row["accounts"] as string[]).map((account) => ({
        action_id: row["action_id"],
        trace_id: row["trace_id"],
        account,
        trace_end_lt: row["trace_end_lt"],
        action_end_lt: row["end_lt"],
        trace_end_utime: row["trace_end_utime"],
        action_end_utime: row["end_utime"],
      })),
    ),
  );
}
