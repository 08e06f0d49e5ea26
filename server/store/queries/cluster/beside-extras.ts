import type { Queries } from "../../database.js";
import { besideRows, type GatheredRows } from "./beside-rows.js";
import { gatheredByKey, gatheredLatest } from "./gathered-rows.js";

// The address book and the metadata of an answer are read of the same accounts, mostly together.

const bookRows = (accounts: readonly Uint8Array[]): GatheredRows[] => [
  gatheredLatest(accounts, ["code_hash"]),
];

const tokenRows = (accounts: readonly Uint8Array[]): GatheredRows[] => [
  gatheredByKey("w", accounts, ["balance", "owner", "jetton", "destroyed"]),
  gatheredByKey("o", accounts, ["index", "content", "destroyed"]),
];

/** Module state: queries over rows of both. */
const beside = new WeakSet<Queries>();

/** The queries for both an address book and metadata of these accounts: of a divided index each shard is asked once. */
export async function besideExtras(queries: Queries, accounts: readonly Uint8Array[]): Promise<Queries> {
  const near = await besideRows(queries, () => [...bookRows(accounts), ...tokenRows(accounts)]);
  if (near !== queries) beside.add(near);
  return near;
}

/** The queries for an address book. */
export async function besideBook(queries: Queries, accounts: readonly Uint8Array[]): Promise<Queries> {
  return beside.has(queries) ? queries : besideRows(queries, () => bookRows(accounts));
}

/** The queries for metadata, and whether they are over gathered rows. */
export async function besideTokens(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<{ near: Queries; isGathered: boolean }> {
  if (beside.has(queries)) return { near: queries, isGathered: true };
  const near = await besideRows(queries, () => tokenRows(accounts));
  return { near, isGathered: near !== queries };
}
