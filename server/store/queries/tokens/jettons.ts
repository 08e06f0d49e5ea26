import SQL, { join, raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import { rawAddressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import { isPair } from "../../sql/keys.js";
import { behindCursor, branchesBehind, inOrder, type KeyOrder, noteLast } from "../../sql/keyset.js";
import {
  all,
  anyOf,
  type Direction,
  distinct,
  type Fragment,
  isByOne,
  isOneOf,
  type Page,
  paged,
} from "../../sql/where.js";
import { jettonMasterRecord, jettonMasters, jettonWalletRecord } from "../../tables/jettons.js";
import {
  jettonBurnRecord,
  jettonBurns,
  jettonTransferRecord,
  jettonTransfers,
} from "../../tables/token-events.js";
import { type PageExtras, selectWithExtras } from "../accounts/page-extras.js";
import { besidePage } from "../cluster/token-keys.js";
import { listRecords } from "../rows.js";
import { tokenEventList } from "./token-events.js";

type Keys = readonly Uint8Array[] | undefined;

type JettonMasterRecord = ReturnType<typeof jettonMasterRecord.present>;
export type JettonWalletRecord = ReturnType<typeof jettonWalletRecord.present>;

const masters = { table: jettonMasters, alias: "m", record: jettonMasterRecord };

/** By address: primary key; else jetton_masters_by_admin or jetton_masters_by_age. */
export function listJettonMasters(
  queries: Queries,
  { addresses, admins }: { addresses?: Keys; admins?: Keys },
  page: Page,
): Promise<JettonMasterRecord[]> {
  return listRecords(queries, masters, {
    where: { address: addresses, admin_address: admins, destroyed: false },
    order: [
      ["first_seen_lt", "bigint", "asc"],
      ["address", "account", "asc"],
    ],
    page,
    isPlannedOnce: isByOne(addresses, admins),
  });
}

type JettonWalletFilter = {
  addresses?: Keys;
  owners?: Keys;
  jettons?: Keys;
  /** Leaves out wallets without a balance and without an airdrop to claim. */
  withBalance: boolean;
};

/**
 * Wallets of equal balance are in the order of their addresses, in the other direction than balances. By address: primary
 * key; else jetton_wallets_by_both, or jetton_wallets_by_owner, _by_jetton or _by_balance, and for wallets with an airdrop
 * the indexes of these.
 */
export async function listJettonWallets(
  queries: Queries,
  filter: JettonWalletFilter,
  { sort, ...page }: Page & { sort: Direction },
  extras?: PageExtras,
): Promise<JettonWalletRecord[]> {
  const order = inOrder(walletOrder(sort));
  const { near, shown } = await besidePage(queries, page, () => ({
    letter: "w",
    order: walletOrder(sort),
    named: namedWallets(filter, sort, page),
    wanted: [
      ["w.owner", filter.owners],
      ["w.jetton", filter.jettons],
    ],
    parts: partsOfWallets(filter, sort, page),
    isShort: true,
  }));
  const from = SQL`(select w.* from ${wantedWallets(filter, sort, shown)} w order by ${order} ${paged(shown)}) w
    left join lateral (
      select * from mintless_jetton_masters
      where address = w.jetton and not w.mintless_is_claimed and w.mintless_amount is not null offset 0) p on true
    order by ${order}`;
  const { addresses, owners, jettons } = filter;
  const isPlannedOnce = !addresses?.length || isByOne(addresses, owners, jettons);
  const source = { from, accounts: "array[w.address, w.owner, w.jetton]", isPlannedOnce };
  const found = await selectWithExtras(near, jettonWalletRecord, source, { rows: page.limit, extras });
  noteLast(page, found, ({ balance, address }) => [BigInt(balance), rawAddressToBytes(address)]);
  return found;
}

function walletOrder(sort: Direction): KeyOrder {
  return [
    ["w.balance", "numeric", sort],
    ["w.address", "account", sort === "desc" ? "asc" : "desc"],
  ];
}

/** All wallets of the list that can be on a page or before it. */
function wantedWallets(filter: JettonWalletFilter, sort: Direction, page: Page): Fragment {
  const named = namedWallets(filter, sort, page);
  if (named) return SQL`(select * from jetton_wallets w where ${named})`;
  const [owners, jettons] = [distinct(filter.owners), distinct(filter.jettons)];
  const first = (condition?: Fragment) => firstWallets(condition, filter, sort, page);
  if (owners.length > 0 && jettons.length > 0)
    return SQL`(
      select w.* from unnest(${owners}::bytea[]) o(address) cross join unnest(${jettons}::bytea[]) j(address)
      cross join lateral ${first(isPair(["w.owner", "w.jetton"], [raw("o.address"), raw("j.address")]))} w)`;
  const [column, keys] = owners.length > 0 ? ["owner", owners] : ["jetton", jettons];
  if (keys.length === 0) return first();
  return SQL`(
    select w.* from unnest(${keys}::bytea[]) wanted(key)
    cross join lateral ${first(SQL`${raw(`w.${column}`)} = wanted.key`)} w)`;
}

const hasBalance = SQL`w.balance > 0`;
const hasAirdrop = SQL`not w.mintless_is_claimed and w.mintless_amount > 0`;

/** The condition of wallets that are named by their addresses. */
function namedWallets(filter: JettonWalletFilter, sort: Direction, page: Page): Fragment | undefined {
  const { addresses, owners, jettons, withBalance } = filter;
  return anyOf(addresses, (keys) =>
    all(
      isOneOf("w.address", keys),
      anyOf(distinct(owners), (each) => isOneOf("w.owner", each)),
      anyOf(distinct(jettons), (each) => isOneOf("w.jetton", each)),
      withBalance ? SQL`(${hasBalance} or ${hasAirdrop})` : undefined,
      behindCursor(walletOrder(sort), page),
      SQL`not w.destroyed`,
    ),
  );
}

/**
 * The parts of the list that follow each other: wallets with an airdrop alone are searched apart from the others without a
 * balance, and any number of wallets may have the same balance as a cursor.
 */
function partsOfWallets(
  { withBalance }: JettonWalletFilter,
  sort: Direction,
  page: Page,
): (Fragment | undefined)[] {
  const branches = branchesBehind(walletOrder(sort), page.cursor?.after);
  const behind = branches.length === 0 ? [undefined] : branches;
  if (!withBalance) return behind;
  const both = [hasBalance, SQL`w.balance <= 0 and ${hasAirdrop}`];
  if (sort === "asc") both.reverse();
  return both.flatMap((kept) => behind.map((branch) => all(kept, branch)));
}

/** No more wallets than could be on the page. */
function firstWallets(
  condition: Fragment | undefined,
  filter: JettonWalletFilter,
  sort: Direction,
  page: Page,
): Fragment {
  const first = (part: Fragment | undefined) => SQL`(
    select * from jetton_wallets w where ${all(condition, part)} and not w.destroyed
    order by ${inOrder(walletOrder(sort))} limit ${page.offset + page.limit})`;
  const each = partsOfWallets(filter, sort, page).map(first);
  return each.length === 1 ? itemAt(each, 0) : SQL`(${join(each, " union all ")})`;
}

/** Aborted transfers are in no list. */
export const jettonTransferList = tokenEventList({
  table: jettonTransfers,
  record: jettonTransferRecord,
  out: "source",
  in: "destination",
  listed: "not tx_aborted",
});

/** All burns; those of an account are by the owner. */
export const jettonBurnList = tokenEventList({ table: jettonBurns, record: jettonBurnRecord, out: "owner" });
