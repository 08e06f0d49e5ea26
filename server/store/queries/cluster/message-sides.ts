import SQL from "sql-template-tag";
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
 * The queries, of a divided index over these messages with their contents. Both sides are mostly in one slot, so messages whose
 * other side is not there are located: not all have been received.
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
  const spans = new Map(
    bounds.starts.map((from, at) => [from, { from_lt: from, to_lt: bounds.ends[at]! + 1n }]),
  );
  const near = await besideRows(queries, () => [
    knownMessages([]),
    ...gatheredWithContents(
      all(
        named,
        isAtAnyOf(
          "m.tx_lt",
          keys.map(({ tx_lt: lt }) => ({ lt })),
        ),
      ),
      { first: bounds.first, accounts },
    ),
    ...(isWhole ? [gatheredMessages(all(named, inSlots("m.tx_lt", [...spans.values()])), accounts)] : []),
  ]);
  if (!isWhole) return near;
  return besideRows(near, async () => {
    const alone = await near.query<{ hash: Uint8Array }>(SQL`
      select msg_hash as hash from messages where source is not null and destination is not null
      group by msg_hash having count(distinct direction) = 1`);
    const located = await locateMessages(
      queries,
      alone.map(({ hash }) => hash),
    );
    const known = new Set(keys.map(({ msg_hash, tx_lt }) => `${tx_lt} ${latin1Text(msg_hash)}`));
    const others = located.filter(({ hash, lt }) => !known.has(`${lt} ${latin1Text(hash)}`));
    if (others.length === 0) return [];
    return [knownMessages(others), gatheredMessages(all(named, isAtAnyOf("m.tx_lt", others)), accounts)];
  });
}
