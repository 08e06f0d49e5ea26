import type { Queries } from "../../database.js";
import type { ExtraKind } from "../accounts/page-extras.js";
import { besideRows, type GatheredRows } from "./beside-rows.js";
import { gatheredByKey, gatheredLatest } from "./gathered-rows.js";

const rowsFor: Readonly<Record<ExtraKind, (accounts: readonly Uint8Array[]) => readonly GatheredRows[]>> = {
  book: (accounts) => [gatheredLatest(accounts, ["code_hash"])],
  tokens: (accounts) => [
    gatheredByKey("w", accounts, ["balance", "owner", "jetton", "destroyed"]),
    gatheredByKey("o", accounts, ["index", "content", "destroyed"]),
  ],
};

/** The queries for extras of some accounts: of a divided index each shard is asked once. */
export function besideExtras(
  queries: Queries,
  accounts: readonly Uint8Array[],
  kinds: readonly ExtraKind[],
): Promise<Queries> {
  return besideRows(queries, () => kinds.flatMap((kind) => rowsFor[kind](accounts)));
}
