import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { jettonMasterRecord, jettonMasters, jettonWalletRecord } from "../../tables/jettons.js";
import {
  jettonBurnRecord,
  jettonBurns,
  jettonTransferRecord,
  jettonTransfers,
} from "../../tables/token-events.js";
import { all, anyOf, type Direction, isByOne, isOneOf, type Page, paged } from "../../where.js";
import { type PageExtras, selectWithExtras } from "../accounts/page-extras.js";
import { listRecords } from "../rows.js";
import { tokenEventList } from "./token-events.js";

type Keys = readonly Uint8Array[] | undefined;

export type JettonMasterRecord = ReturnType<typeof jettonMasterRecord.present>;
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
      ["first_seen_lt", "asc"],
      ["address", "asc"],
    ],
    page,
    isPlannedOnce: isByOne(addresses, admins),
  });
}

export type JettonWalletFilter = {
  addresses?: Keys;
  owners?: Keys;
  jettons?: Keys;
  /** Leaves out wallets without a balance and without an airdrop to claim. */
  withBalance: boolean;
};

/** By address: primary key; else jetton_wallets_by_owner, jetton_wallets_by_jetton or jetton_wallets_by_balance. */
export function listJettonWallets(
  queries: Queries,
  { addresses, owners, jettons, withBalance }: JettonWalletFilter,
  { sort, ...page }: Page & { sort: Direction },
  extras?: PageExtras,
): Promise<JettonWalletRecord[]> {
  const where = all(
    anyOf(addresses, (keys) => isOneOf("w.address", keys)),
    anyOf(owners, (keys) => isOneOf("w.owner", keys)),
    anyOf(jettons, (keys) => isOneOf("w.jetton", keys)),
    withBalance ? SQL`(w.balance > 0 or (not w.mintless_is_claimed and w.mintless_amount > 0))` : undefined,
    SQL`not w.destroyed`,
  );
  const from = SQL`jetton_wallets w
    left join mintless_jetton_masters p
      on p.address = w.jetton and not w.mintless_is_claimed and w.mintless_amount is not null
    where ${where} order by w.balance ${raw(sort)}, w.address ${paged(page)}`;
  // Ascending, a plan for all values would sort all wallets of an owner.
  const isPlannedOnce = sort === "desc" && isByOne(addresses, owners, jettons);
  const accounts = "array[w.address, w.owner, w.jetton]";
  const source = { from, accounts, isPlannedOnce };
  return selectWithExtras(queries, jettonWalletRecord, source, { rows: page.limit, extras });
}

/** Aborted transfers are in no list. */
export const jettonTransferList = tokenEventList({
  table: jettonTransfers,
  record: jettonTransferRecord,
  out: "source",
  in: "destination",
  listed: SQL`not tx_aborted`,
});

export const jettonBurnList = tokenEventList({ table: jettonBurns, record: jettonBurnRecord, out: "owner" });
