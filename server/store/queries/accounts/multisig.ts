import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { behindCursor, inOrder } from "../../sql/keyset.js";
import { all, anyOf, type Direction, isOneOf, type Page, paged } from "../../sql/where.js";
import { multisigOrderRecord, multisigOrders, multisigRecord } from "../../tables/multisig.js";
import { listRecords, selectRecords } from "../rows.js";

type Keys = readonly Uint8Array[] | undefined;
type SortedPage = Page & { sort: Direction };

export type MultisigRecord = ReturnType<typeof multisigRecord.present>;
export type MultisigOrderRecord = ReturnType<typeof multisigOrderRecord.present>;

/** `wallets` are of signers or proposers. By address: primary key; else multisigs_by_signer and multisigs_by_proposer. */
export function listMultisigs(
  queries: Queries,
  { addresses, wallets }: { addresses?: Keys; wallets?: Keys },
  { sort, ...page }: SortedPage,
): Promise<MultisigRecord[]> {
  const order = [
    ["m.last_transaction_lt", "bigint", sort],
    ["m.address", "account", "asc"],
  ] as const;
  const where = all(
    anyOf(addresses, (keys) => isOneOf("m.address", keys)),
    anyOf(wallets, (keys) => SQL`(m.signers && ${keys}::bytea[] or m.proposers && ${keys}::bytea[])`),
    SQL`not m.destroyed`,
    behindCursor(order, page),
  );
  return selectRecords(
    queries,
    multisigRecord,
    SQL`multisigs m where ${where} order by ${inOrder(order)} ${paged(page)}`,
    { list: { order, page } },
  );
}

const orders = { table: multisigOrders, alias: "o", record: multisigOrderRecord };

/** By address: primary key; else multisig_orders_by_multisig. */
export function listMultisigOrders(
  queries: Queries,
  { addresses, multisigs }: { addresses?: Keys; multisigs?: Keys },
  { sort, ...page }: SortedPage,
): Promise<MultisigOrderRecord[]> {
  return listRecords(queries, orders, {
    where: { address: addresses, multisig_address: multisigs, destroyed: false },
    order: [
      ["last_transaction_lt", "bigint", sort],
      ["address", "account", "asc"],
    ],
    page,
  });
}

/** The orders of wallets, in the order in which they appeared: multisig_orders_by_age. */
export function ordersOfMultisigs(
  queries: Queries,
  multisigs: readonly Uint8Array[],
  limit: number,
): Promise<MultisigOrderRecord[]> {
  return listRecords(queries, orders, {
    where: { multisig_address: multisigs, destroyed: false },
    order: [
      ["first_seen_lt", "bigint", "asc"],
      ["address", "account", "asc"],
    ],
    page: { limit, offset: 0 },
  });
}
