import type { z } from "zod";
import type { Call } from "../../../shared/methods/define.js";
import type { metadata } from "../../../shared/schema/v3-records.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { type BookRow, readBook } from "../../store/queries/accounts.js";
import { addressOf, type Book, presentEntry } from "./present/address-book.js";

/** Addresses of a test network have another friendly form. */
export type BookSettings = { testOnly: boolean };

/** The snapshot that the answer is read from, and the options of its call. */
export type ExtrasSource = { queries: Queries; call: Pick<Call, "options">; book: BookSettings };

type Metadata = z.output<typeof metadata>;
export type Extras = { address_book: Book; metadata: Metadata };

/** No kind of token is recognised yet, so no account has metadata. */
export const noMetadata: Metadata = {};
export const noExtras: Extras = { address_book: {}, metadata: noMetadata };

/** Adds the address book and the metadata of the raw addresses that the answer contains. */
export async function withExtras<Answer extends object>(
  answer: Answer,
  addresses: ReadonlySet<string>,
  source: ExtrasSource,
): Promise<Answer & Extras> {
  return { ...(await withAddressBook(answer, addresses, source)), metadata: noMetadata };
}

/** For lists of transactions, which have no metadata in TON Center either. */
export async function withAddressBook<Answer extends object>(
  answer: Answer,
  addresses: ReadonlySet<string>,
  source: ExtrasSource,
): Promise<Answer & Pick<Extras, "address_book">> {
  return { ...answer, address_book: await addressBookOf(addresses, source) };
}

/** Sorted by raw address; empty if the caller opted out of it. */
async function addressBookOf(raw: ReadonlySet<string>, { queries, call, book }: ExtrasSource): Promise<Book> {
  if (call.options.noAddressBook || raw.size === 0) return {};
  const addresses = [...raw].sort().map((text) => ({ text, address: addressOf(text) }));
  const rows = await readBookRows(
    queries,
    addresses.map(({ address }) => addressToBytes(address)),
  );
  return Object.fromEntries(
    addresses.map(({ text, address }) => [text, presentEntry(address, rows.get(text), book.testOnly)]),
  );
}

/** By raw address; accounts that the index does not have are absent. */
export async function readBookRows(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<ReadonlyMap<string, BookRow>> {
  const rows = await readBook(queries, accounts);
  return new Map(rows.map((row) => [row.account, row]));
}
