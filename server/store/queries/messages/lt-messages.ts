import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../../shared/values/address.js";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import { isAccount } from "../../keys.js";
import { all, capped, type Direction, largestBigint, ordered, type Page } from "../../where.js";
import { type PageOptions, pageText } from "../accounts/page-extras.js";
import { isOfSlot, pageOfSlots, readPage, type SlotPage, slotPage } from "../slots/slot-pages.js";
import { type Bounds, type Window, windowsOf } from "../slots/slot-windows.js";
import { type CountedSlot, countedSlots, readSlots } from "../slots/slots.js";
import { isListed, messageLt, type Sides, type SideValues, textsOf, valuesOfSides } from "./message-texts.js";

/** Side of messages: their senders or their receivers. */
export type Party = { column: "source" | "destination"; address: Address };

/** The lt of messages, and, unless all of them are listed, an account on one side. */
export type LtFilter = Sides & {
  party: Party | undefined;
  start_lt: bigint | undefined;
  end_lt: bigint | undefined;
};

/** More slots are not searched at once. */
const maxSlots = 32;

/**
 * One page of messages by their lt, if those slots have it that probably do; `undefined` if they do not. One statement finds
 * and reads it.
 */
export async function readByLt<Taken>(
  queries: Queries,
  { party, direction, start_lt, end_lt }: LtFilter,
  { sort, ...page }: Page & { sort: Direction },
  options: PageOptions,
): Promise<Taken[] | undefined> {
  const account = party && addressToBytes(party.address);
  const bounds = { from: start_lt, to: end_lt };
  const window = await windowOf(queries, account, bounds, { sort, ...page });
  if (!window) return [];
  if (window.slots.length > maxSlots) return undefined;
  const values = {
    ...slotPage(window, page),
    ...valuesOfSides({ direction }),
    account,
    from: capped(start_lt ?? 0n),
    to: capped(end_lt ?? largestBigint),
    hasBounds: start_lt !== undefined || end_lt !== undefined,
  };
  const statement = pages[party?.column ?? "all"][sort];
  return readPage(queries, window, (more) => statement(values, { ...options, ...more }));
}

/** The first slots of the list; of an account, those with enough of its transactions, as each has about one such message. */
async function windowOf(
  queries: Queries,
  account: Uint8Array | undefined,
  bounds: Bounds,
  { sort, limit, offset }: Page & { sort: Direction },
): Promise<Window | undefined> {
  const onAxis = { axis: "message_lt", ...bounds } as const;
  if (!account) return windowsOf(await readSlots(queries), sort, onAxis)[0];
  const windows = windowsOf(await countedSlots(queries, [account]), sort, onAxis);
  return windows.find(({ slots, rest }) => rest === undefined || transactionsIn(slots) >= offset + limit);
}

function transactionsIn(slots: readonly CountedSlot[]): bigint {
  return slots.reduce((sum, { n }) => sum + n, 0n);
}

type Values = SlotPage &
  SideValues & {
    account: Uint8Array | undefined;
    from: number | bigint;
    to: number | bigint;
    hasBounds: boolean;
  };

const pages = { all: pagesOf("all"), source: pagesOf("source"), destination: pagesOf("destination") };

function pagesOf(side: Party["column"] | "all") {
  return { asc: pagesByLt(side, "asc"), desc: pagesByLt(side, "desc") };
}

/** By messages_by_lt, messages_by_source or messages_by_destination of each slot. */
function pagesByLt(side: Party["column"] | "all", sort: Direction) {
  return pageText<Values>(
    (given) => {
      const search = SQL`
        select *, ${raw(messageLt)} as key from messages
        where ${all(
          side === "all" ? undefined : isAccount(side, SQL`${given.account}`),
          isOfSlot("tx_lt", given),
          SQL`${raw(messageLt)} between ${given.from} and ${given.to}`,
          SQL`(created_lt is not null or not ${given.hasBounds}::boolean)`,
          isListed(given),
        )}
        order by ${ordered(sort, messageLt, "msg_hash")} limit ${given.rows}`;
      const rows = SQL`${pageOfSlots(given, search, { key: "key", tie: "msg_hash", sort })} m`;
      const slot = { from: "m.slot", to: { column: "m.slot_end", last: given.last } };
      return textsOf(rows, { slot, order: ordered(sort, "m.key", "m.msg_hash") }, given);
    },
    { tokens: true, isInOrder: true },
  );
}
