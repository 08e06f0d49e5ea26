import SQL from "sql-template-tag";
import { groupBy } from "../../../../shared/values/groups.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { isOneOfHashes } from "../../sql/keys.js";
import { latin1Text } from "../../sql/row-bytes.js";
import { all, distinct } from "../../sql/where.js";
import { locateMessages } from "../slots/locators.js";
import { inSlots } from "../slots/slot-windows.js";
import type { SlotBounds } from "../slots/slots.js";
import { besideRows } from "./beside-rows.js";
import { knownMessages } from "./gathered-directories.js";
import { gatheredMessages, gatheredWithContents, isAtAnyOf } from "./gathered-rows.js";

/** The columns that identify a row of messages, and the accounts of both sides. */
export type MessageRowKey = {
  tx_hash: Uint8Array;
  tx_lt: bigint;
  msg_hash: Uint8Array;
  direction: number;
  source: Uint8Array | null;
  destination: Uint8Array | null;
};

type Sides = {
  bounds: SlotBounds;
  /** Whether the rows of the other sides are wanted, too. */
  isWhole: boolean;
};

/**
 * The queries, of a divided index over these messages with their contents. Both sides are mostly in one slot. Messages whose
 * other side is not there are located: some have not been received yet.
 */
export async function besideSides(
  queries: Queries,
  keys: readonly MessageRowKey[],
  { bounds, isWhole }: Sides,
): Promise<Queries> {
  const hashes = keys.map(({ msg_hash }) => msg_hash);
  const accounts = distinct(
    keys.flatMap(({ source, destination }) => [source, destination].filter((each) => each !== null)),
  );
  const named = isOneOfHashes("m.msg_hash", distinct(hashes));
  const lts = keys.map(({ tx_lt: lt }) => ({ lt }));
  const spans = new Map(
    bounds.starts.map((from_lt, at) => [from_lt, { from_lt, to_lt: itemAt(bounds.ends, at) + 1n }]),
  );
  const isNear = all(named, inSlots("m.tx_lt", [...spans.values()]));
  const near = await besideRows(queries, () => [
    knownMessages([]),
    ...gatheredWithContents(all(named, isAtAnyOf("m.tx_lt", lts)), { first: bounds.first, accounts }),
    ...(isWhole ? [gatheredMessages(isNear, accounts)] : []),
  ]);
  if (!isWhole) return near;
  return besideRows(near, async () => {
    const rows = await near.query<Row>(SQL`
      select msg_hash as hash, tx_lt as lt, source is not null and destination is not null as has_sides from messages`);
    const located = await locateMessages(queries, hashesAlone(rows));
    const known = new Set(rows.map(keyOf));
    const others = located.filter((each) => !known.has(keyOf(each)));
    const isAtOther = all(named, isAtAnyOf("m.tx_lt", others));
    return [
      knownMessages([...rows, ...others]),
      ...(others.length > 0 ? [gatheredMessages(isAtOther, accounts)] : []),
    ];
  });
}

type Row = { hash: Uint8Array; lt: bigint; has_sides: boolean };

/** The hashes of messages with two sides of which one row is known. */
function hashesAlone(rows: readonly Row[]): Uint8Array[] {
  const bySides = groupBy(rows, ({ hash }) => latin1Text(hash));
  return [...bySides.values()].flatMap(([row, other]) => (row && !other && row.has_sides ? [row.hash] : []));
}

function keyOf({ hash, lt }: Pick<Row, "hash" | "lt">): string {
  return `${lt} ${latin1Text(hash)}`;
}
