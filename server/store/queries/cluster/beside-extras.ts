import type { Queries } from "../../database.js";
import { besideRows, type GatheredRows, hasRows } from "./beside-rows.js";
import { gatheredByKey, gatheredLatest } from "./gathered-rows.js";

// The address book and the metadata of an answer are read of the same accounts, mostly together.

const ofBook = (accounts: readonly Uint8Array[]): GatheredRows[] => [gatheredLatest(accounts, ["code_hash"])];

const ofTokens = (accounts: readonly Uint8Array[]): GatheredRows[] => [
  gatheredByKey("w", accounts, ["balance", "owner", "jetton", "destroyed"]),
  gatheredByKey("o", accounts, ["index", "content", "destroyed"]),
];

/** The queries for both an address book and metadata of some accounts: of a divided index each shard is asked once. */
export function besideExtras(queries: Queries, accounts: () => readonly Uint8Array[]): Promise<Queries> {
  return besideRows(queries, () => [ofBook, ofTokens].flatMap((rows) => rows(accounts())));
}

/** The queries for an address book. */
export async function besideBook(queries: Queries, accounts: readonly Uint8Array[]): Promise<Queries> {
  return hasRows(queries, "n") ? queries : besideRows(queries, () => ofBook(accounts));
}

/** The queries for metadata. */
export async function besideTokens(queries: Queries, accounts: readonly Uint8Array[]): Promise<Queries> {
  return hasRows(queries, "w") ? queries : besideRows(queries, () => ofTokens(accounts));
}
