import SQL from "sql-template-tag";
import { isOneOfHashes } from "../../sql/keys.js";
import { all, distinct, given, isOneOf } from "../../sql/where.js";
import { hashPrefix } from "../../tables/directories.js";
import type { Located } from "../slots/located.js";
import {
  type GatheredRows,
  gathered,
  gatheredAlone,
  type KnownRows,
  noRows,
  rowsOfKeys,
} from "./beside-rows.js";
import { isAnyOf } from "./gathered-rows.js";

type Place = Pick<Located, "hash" | "lt">;

/** The rows of tx_locator by which transactions were located. */
export function knownTransactions(located: readonly Place[]): KnownRows {
  return { letter: "x", texts: locatorRows(located) };
}

/** The rows of msg_locator by which messages were located. */
export function knownMessages(located: readonly Place[]): KnownRows {
  return { letter: "l", texts: locatorRows(located) };
}

/** The places of blocks with these root or file hashes. */
export function gatheredBlockPlaces(hashes: readonly Uint8Array[]): GatheredRows {
  return gatheredAlone("b", SQL`block_locator b where ${isOneOf("b.hash_prefix", hashes.map(hashPrefix))}`);
}

/** The statements over these rows do not read accounts. */
function locatorRows(located: readonly Place[]): string[] {
  return located.map(({ hash, lt }) => `(${hashPrefix(hash)},${lt},)`);
}

/** The slots of accounts. */
export function gatheredAccountSlots(accounts: readonly Uint8Array[]): GatheredRows {
  if (accounts.length === 0) return noRows("d");
  return gathered("d", SQL`account_slots d where ${isAnyOf("d.account", accounts)}`);
}

/** Those with a token event of them. */
export function gatheredTokenSlots(accounts: readonly Uint8Array[]): GatheredRows {
  return gathered("e", SQL`token_slots e where ${isAnyOf("e.account", distinct(accounts))}`);
}

/** The entries of account_traces of these traces, for some accounts. Without accounts each shard is asked. */
export function gatheredEntries(ids: readonly Uint8Array[], accounts?: readonly Uint8Array[]): GatheredRows {
  if (ids.length === 0 || accounts?.length === 0) return noRows("p");
  const ofAccounts = given(accounts, (each) => isAnyOf("p.account", distinct(each)));
  return gathered(
    "p",
    SQL`account_traces p where ${all(ofAccounts, isOneOfHashes("p.trace_id", distinct(ids)))}`,
  );
}

/** The traces at these places, unless all rows are known: the primary key in their shards. */
export function gatheredTraces(
  places: readonly { trace_id: Uint8Array; sort_lt: bigint; row?: string | null }[],
): GatheredRows {
  const known = rowsOfKeys("r", places);
  if (known) return known;
  const ids = distinct(places.map(({ trace_id }) => trace_id));
  const lts = [...new Set(places.map(({ sort_lt }) => sort_lt))];
  return gatheredAlone(
    "r",
    SQL`traces r where ${isOneOf("r.trace_id", ids)} and ${isOneOf("r.sort_lt", lts)}`,
  );
}
