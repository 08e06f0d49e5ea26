import type { CallOptions } from "../../../shared/methods/define.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { type BookRow, readBook } from "../../store/queries/accounts.js";
import { addressOf, type Book, presentEntry } from "./present/address-book.js";

/** What answers bring along depends on where the service stands. */
export type BookSettings = { testOnly: boolean };

/** The address book of an answer with these raw addresses, sorted; empty where the caller does not want one. */
export async function bookOf(
  queries: Queries,
  raw: ReadonlySet<string>,
  { noAddressBook }: CallOptions,
  { testOnly }: BookSettings,
): Promise<Book> {
  if (noAddressBook || raw.size === 0) return {};
  const addresses = [...raw].sort().map((text) => ({ text, address: addressOf(text) }));
  const known = await knownOf(
    queries,
    addresses.map(({ address }) => addressToBytes(address)),
  );
  return Object.fromEntries(
    addresses.map(({ text, address }) => [text, presentEntry(address, known.get(text), testOnly)]),
  );
}

/** By raw address. */
export async function knownOf(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<ReadonlyMap<string, BookRow>> {
  const rows = await readBook(queries, accounts);
  return new Map(rows.map((row) => [row.account, row]));
}

/** No kind of token is recognised yet, so no account has metadata. */
export function noMetadata(): Record<string, never> {
  return {};
}
