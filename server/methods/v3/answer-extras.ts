import type { z } from "zod";
import type { Call } from "../../../shared/methods/define.js";
import type { metadata } from "../../../shared/schema/v3-records.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { type BookRow, readBook } from "../../store/queries/accounts.js";
import { readTokens } from "../../store/queries/tokens.js";
import { addressOf, type Book, presentEntry } from "./present/address-book.js";
import { presentMetadata } from "./present/metadata.js";

/** Addresses of a test network have another friendly form. */
export type BookSettings = { testOnly: boolean };

/** The snapshot that the answer is read from, and the options of its call. */
export type ExtrasSource = { queries: Queries; call: Pick<Call, "options">; book: BookSettings };

type Metadata = z.output<typeof metadata>;
export type Extras = { address_book: Book; metadata: Metadata };

export const noExtras: Extras = { address_book: {}, metadata: {} };

/** Raw addresses of an answer; duplicates and `null` are ignored. */
type Shown = Iterable<string | null>;

/** Adds the address book and the metadata of the raw addresses that the answer contains. */
export async function withExtras<Answer extends object>(
  answer: Answer,
  addresses: Shown,
  source: ExtrasSource,
): Promise<Answer & Extras> {
  const metadata = await metadataOf(addresses, source);
  return { ...(await withAddressBook(answer, addresses, source)), metadata };
}

/** For lists of transactions, which have no metadata in TON Center either. */
export async function withAddressBook<Answer extends object>(
  answer: Answer,
  addresses: Shown,
  source: ExtrasSource,
): Promise<Answer & Pick<Extras, "address_book">> {
  return { ...answer, address_book: await addressBookOf(addresses, source) };
}

/** Sorted by raw address; empty if the caller opted out of it. */
async function addressBookOf(shown: Shown, { queries, call, book }: ExtrasSource): Promise<Book> {
  const raw = distinct(shown);
  if (call.options.noAddressBook || raw.length === 0) return {};
  const addresses = raw.map((text) => ({ text, address: addressOf(text) }));
  const rows = await readBookRows(
    queries,
    addresses.map(({ address }) => addressToBytes(address)),
  );
  return Object.fromEntries(
    addresses.map(({ text, address }) => [text, presentEntry(address, rows.get(text), book.testOnly)]),
  );
}

/** Empty if the caller opted out of it. */
async function metadataOf(shown: Shown, { queries, call }: ExtrasSource): Promise<Metadata> {
  const raw = distinct(shown);
  if (call.options.noMetadata || raw.length === 0) return {};
  return readMetadata(
    queries,
    raw.map((text) => addressToBytes(addressOf(text))),
  );
}

/** The metadata of those accounts that are tokens, and of the jettons of those that are jetton wallets. */
export async function readMetadata(queries: Queries, accounts: readonly Uint8Array[]): Promise<Metadata> {
  return presentMetadata(await readTokens(queries, accounts));
}

function distinct(shown: Shown): string[] {
  return [...new Set(shown)].filter((text) => text !== null).sort();
}

/** By raw address; accounts that the index does not have are absent. */
export async function readBookRows(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<ReadonlyMap<string, BookRow>> {
  const rows = await readBook(queries, accounts);
  return new Map(rows.map((row) => [row.account, row]));
}
