import SQL, { join, raw } from "sql-template-tag";
import { bytesEqual, bytesOfBase64, bytesOfHex, bytesToBase64 } from "../../../../shared/values/bytes.js";
import { tgWalletCodeHash } from "../../../../shared/values/tg-wallet.js";
import type { Queries } from "../../database.js";
import { columnsOf, object, orNull, textOf } from "../../declare/record.js";
import type { Columns, Table } from "../../declare/table.js";
import { all, given, keyList } from "../../sql/where.js";
import { latestAccountStates } from "../../tables/accounts.js";
import { dexPoolRecord, dexPools } from "../../tables/dex-pools.js";
import { jettonWallets } from "../../tables/jettons.js";
import { multisigOrders } from "../../tables/multisig.js";
import { nftAuctions, nftItems, nftSales } from "../../tables/nfts.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredByKey, gatheredLatest } from "../cluster/gathered-rows.js";

// Facts of recognised contracts for the classification of traces. Contracts that no longer exist count, too: an
// auction is gone when the trace that ended it is classified.

const w = columnsOf("w", jettonWallets.columns);
const i = columnsOf("i", nftItems.columns);
const s = columnsOf("s", nftSales.columns);
const a = columnsOf("a", nftAuctions.columns);
const o = columnsOf("o", multisigOrders.columns);
const n = columnsOf("n", latestAccountStates.columns);

/** Contracts that are known by their code alone: its hash, in base64. */
export const knownCodes = {
  nominatorPool: "mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=",
  tgWallet: bytesToBase64(bytesOfHex(tgWalletCodeHash)),
};

/** By the table: the alias of its rows, and what is read of them. */
const sources = {
  jettonWallet: {
    table: jettonWallets,
    alias: "w",
    record: object({ address: w.address, owner: w.owner, master: w.jetton }),
  },
  nftItem: {
    table: nftItems,
    alias: "i",
    record: object({
      address: i.address,
      index: i.index,
      collection: orNull(i.collection_address),
      owner: orNull(i.owner_address),
      content: i.content,
      codeHash: i.code_hash,
    }),
  },
  nftSale: {
    table: nftSales,
    alias: "s",
    record: object({
      address: s.address,
      nft: s.nft_address,
      nftOwner: orNull(s.nft_owner_address),
      marketplace: s.marketplace_address,
      fullPrice: s.full_price,
    }),
  },
  nftAuction: {
    table: nftAuctions,
    alias: "a",
    record: object({
      address: a.address,
      nft: a.nft_addr,
      nftOwner: orNull(a.nft_owner),
      marketplace: a.mp_addr,
      lastBid: a.last_bid,
    }),
  },
  multisigOrder: {
    table: multisigOrders,
    alias: "o",
    record: object({ address: o.address, signers: o.signers }),
  },
  dexPool: { table: dexPools, alias: "p", record: dexPoolRecord },
  ofKnownCode: {
    table: latestAccountStates,
    alias: "n",
    key: "account",
    codeHashes: Object.values(knownCodes).map(bytesOfBase64),
    record: object({ address: n.account, codeHash: n.code_hash }),
  },
} as const;

/** The column of the address, and the hashes of which the code must have one. */
type Conditions = { readonly key?: string; readonly codeHashes?: readonly Uint8Array[] };

function conditionsOf(kind: ActionContractKind): Conditions {
  return sources[kind] as Conditions;
}

type ActionContractKind = keyof typeof sources;

/** Facts of a contract as one of its kinds. */
export type ActionContract = {
  [Kind in ActionContractKind]: {
    kind: Kind;
    record: ReturnType<(typeof sources)[Kind]["record"]["present"]>;
  };
}[ActionContractKind];

const kinds = Object.keys(sources) as readonly ActionContractKind[];

/** The recognised contracts among the accounts: primary keys. */
export async function readActionContracts(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<ActionContract[]> {
  const statements = kinds.map((kind) => {
    const { table, alias, record } = sources[kind];
    const { key = "address", codeHashes } = conditionsOf(kind);
    return SQL`select ${raw(`'${kind}'`)} as kind, ${raw(textOf(record))} as text
      from ${raw(`${table.name} ${alias}`)}
      where ${all(
        SQL`${raw(`${alias}.${key}`)} in (select unnest(${keyList("bytea", accounts)}))`,
        given(codeHashes, (hashes) => SQL`${raw(alias)}.code_hash = any(${hashes}::bytea[])`),
      )}`;
  });
  const known = await besideRows(queries, () => [
    gatheredLatest(accounts, ["code_hash"]),
    gatheredByKey("w", accounts, ["owner", "jetton"]),
    gatheredByKey("o", accounts, ["index", "collection_address", "owner_address", "content", "code_hash"]),
  ]);
  const rows = await known.query<{ kind: ActionContractKind; text: string }>(join(statements, " union all "));
  // Each text was made by the record of its kind.
  return rows.map(({ kind, text }) => ({ kind, record: JSON.parse(text) }) as ActionContract);
}

/** The same of a row that is not stored yet; `undefined` if nothing is asked of its table. */
export function actionContractOf(table: Table, row: object): ActionContract | undefined {
  const kind = kinds.find((each) => (sources[each].table as Table<Columns>) === table);
  if (!kind) return undefined;
  const { alias, record } = sources[kind];
  const { codeHashes } = conditionsOf(kind);
  if (codeHashes && !codeHashes.some((hash) => isOfCode(row, hash))) return undefined;
  // The row is one of that table.
  const present = record.present as (rows: Record<string, object>) => unknown;
  return { kind, record: present({ [alias]: row }) } as ActionContract;
}

function isOfCode({ code_hash }: { code_hash?: Uint8Array }, codeHash: Uint8Array): boolean {
  return code_hash !== undefined && bytesEqual(code_hash, codeHash);
}

/** The data of accounts as bags of cells: primary keys of latest_account_states. */
export function readAccountData(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<{ account: Uint8Array; data_boc: Uint8Array }[]> {
  return queries.query(SQL`
    select account, data_boc from latest_account_states
    where account = any(${accounts}::bytea[]) and data_boc is not null`);
}
