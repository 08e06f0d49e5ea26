import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../../shared/values/address.js";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import {
  capped,
  type Direction,
  type Fragment,
  hasLts,
  hasTimes,
  keyList,
  largestBigint,
  type Page,
  plannedOnce,
  type TimeBounds,
} from "../../sql/where.js";
import { type ActionRow, actions } from "../../tables/actions.js";
import { accountKey, hashPrefix } from "../../tables/directories.js";
import { narrowedTimes } from "../blocks/block-times.js";
import { narrowedToPage, withinBlock } from "../blocks/page-times.js";
import { type ActionKey, actionKeys, actionsOfKeys } from "../cluster/action-keys.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredActions, isAtAnyOf } from "../cluster/gathered-rows.js";
import { readList, readListKeys } from "../cluster/list-keys.js";
import { selectRows } from "../rows.js";
import { locateActions } from "../slots/locators.js";
import { readRowPage } from "../slots/slot-pages.js";
import { slotsBetween } from "../slots/slot-windows.js";
import { kindsOfAccount, readByEntries } from "./account-actions.js";
import {
  type FilterValues,
  form,
  ofTypes,
  orderOf,
  pageOfNamed,
  pages,
  type Rule,
  type Shape,
} from "./action-statements.js";
import { type ActionNames, namedActions, ofTracesOf } from "./named-actions.js";

/** Members are named like the parameters. The bounds are of the end of the trace. */
type ActionFilter = TimeBounds &
  ActionNames & {
    account?: Address | undefined;
    /** With an account: whether its transaction is the first one of the trace. */
    initiated_by_account?: boolean | undefined;
    mc_seqno?: number | undefined;
    types: ActionTypes;
  };

/** Which types of actions are listed. */
export type ActionTypes = {
  wanted: readonly string[];
  /** Actions that are part of an action of one of these types are left out. */
  ancestors: readonly string[];
  excluded?: readonly string[] | undefined;
  /** Whether the wanted types are few, so that each is searched by itself. */
  areNamed?: boolean;
};

/** One page of actions, sorted by the end of their traces. Names lead to rows; one statement finds and reads all others. */
export async function listActions(
  queries: Queries,
  asked: ActionFilter,
  { sort, ...page }: Page & { sort: Direction },
): Promise<ActionRow[]> {
  const named = await namedActions(queries, asked);
  if (named?.ends.length === 0) return [];
  const bounded = await withinBlock(queries, asked);
  const filter =
    named || !hasTimes(bounded) ? bounded : await narrowedTimes(queries, bounded, { ofStored: true });
  const { account, types, mc_seqno } = filter;
  const isInitiated = account && filter.initiated_by_account;
  const wanted = listed(types);
  const areFew =
    types.areNamed ||
    isInitiated !== undefined ||
    (account !== undefined && wanted.length < types.wanted.length);
  // Named actions are few in any case, and so are those of a block.
  const areSearched = areFew && !named && mc_seqno === undefined;
  const kinds =
    account && areSearched
      ? await kindsOfAccount(queries, addressToBytes(account), {
          wanted,
          ancestors: types.ancestors,
          isInitiated,
        })
      : undefined;
  if (kinds?.length === 0) return [];
  const list: List = {
    ...{ sort, kinds, named: named?.rows },
    lead: account ? (kinds ? "kinds" : "account") : areSearched ? "types" : "slots",
  };
  const read = async (of: ActionFilter, how: List) => (await readPage(queries, of, how, page)).map(form.read);
  // Of all actions an index has the page, unless lt or types are given. Otherwise many others, also of the same time, may be before it.
  const isMixed =
    areSearched || (!named && mc_seqno === undefined && (account !== undefined || hasLts(filter)));
  if (!isMixed || !hasTimes(filter)) return read(filter, list);
  const narrowed = await narrowedToPage(queries, filter, { sort, ...page }, async (possible, limit) => {
    const rows = await readPage(queries, possible, { ...list, areTimes: true }, { limit, offset: 0 });
    return rows.map(({ time }) => time as bigint);
  });
  const isNarrowed = narrowed.start_lt !== undefined && narrowed.end_lt !== undefined;
  return read(narrowed, { ...list, isNarrowed });
}

type List = Pick<Shape, "sort" | "lead"> &
  Partial<Pick<Shape, "areTimes" | "isNarrowed">> & {
    /** Of the account, whose actions are searched for each of them. */
    kinds: readonly number[] | undefined;
    /** The rows that are named. */
    named: Fragment | undefined;
  };

/** Rows for `form`, or their times. */
async function readPage(
  queries: Queries,
  filter: ActionFilter,
  list: List,
  page: Page,
): Promise<Record<string, unknown>[]> {
  const { sort, lead, named } = list;
  const own = shapeOf(filter, list);
  const { byTime } = own;
  const order = orderOf({ byTime, isOfAccount: filter.account !== undefined });
  const isInSlots = !named && (lead === "slots" || lead === "types");
  const slots = isInSlots ? await slotsBetween(queries, filter) : undefined;
  const values = valuesOf(filter, list);
  const search = { order, sort, page, slots, bounds: { axis: byTime ? "utime" : "lt" } as const };
  const atOnce = () =>
    readRowPage<Record<string, unknown>>(queries, search, (shape, found) =>
      named
        ? plannedOnce(pageOfNamed(named, { ...own, ...shape }, { ...values, ...found }))
        : pages({ ...own, ...shape })({ ...values, ...found }),
    );
  if (named) return atOnce();
  if (!slots) return (await queries.isDivided()) ? readByEntries(queries, own, values, page) : atOnce();
  return readList(queries, {
    atOnce,
    keys: () => readListKeys<ActionKey>(queries, { ...search, slots }, actionKeys(own, values)),
    rowsOf: (keys) => actionsOfKeys(queries, keys, own),
  });
}

function shapeOf(filter: ActionFilter, { sort, lead, areTimes = false, isNarrowed = false }: List) {
  const byTime = hasTimes(filter) && !areTimes;
  return { sort, lead, byTime, areTimes, isNarrowed, rules: rulesOf(filter) };
}

/** All actions of traces, ascending by start and end, as these types are shown. Each trace with its end. */
export async function actionsOfTraces(
  queries: Queries,
  traces: readonly { id: Uint8Array; to: bigint }[],
  types: ActionTypes,
): Promise<ActionRow[]> {
  if (traces.length === 0) return [];
  const ends = traces.map(({ to }) => to);
  const gathered = await besideRows(queries, () => [
    gatheredActions(traces.map(({ id, to }) => ({ trace_key: hashPrefix(id), trace_end_lt: to }))),
  ]);
  return selectRows(
    gathered,
    actions,
    "a",
    SQL`unnest(
      ${keyList(
        "bytea",
        traces.map(({ id }) => id),
      )}, ${keyList("bigint", ends)}) wanted(id, end_lt)
    cross join lateral (
      select * from actions
      where ${isHash("trace_id", raw("wanted.id"))} and trace_end_lt = wanted.end_lt and ${ofTypes({ ...types, types: listed(types) })} offset 0) a
    order by a.start_lt, a.end_lt, a.action_id`,
    { isPlannedOnce: true },
  );
}

/** One action; `undefined` if there is none with this id. By action_locator and actions_by_lt. */
export async function readAction(queries: Queries, id: Uint8Array): Promise<ActionRow | undefined> {
  const located = await locateActions(queries, [id]);
  if (located.length === 0) return undefined;
  const [row] = await selectRows(
    queries,
    actions,
    "a",
    SQL`actions a where ${isAtAnyOf("a.trace_end_lt", located)} and ${isHash("a.action_id", SQL`${id}`)} ${ofTracesOf(located)} limit 1`,
  );
  return row;
}

function rulesOf(filter: ActionFilter): Rule[] {
  const isInitiated = filter.account && filter.initiated_by_account;
  return [
    ...(hasLts(filter) ? (["lt"] as const) : []),
    ...(hasTimes(filter) ? (["time"] as const) : []),
    ...(filter.mc_seqno === undefined ? [] : (["block"] as const)),
    ...(isInitiated === undefined ? [] : ([isInitiated ? "initiated" : "notInitiated"] as const)),
  ];
}

function valuesOf(filter: ActionFilter, { kinds = [] }: List): FilterValues {
  const { mc_seqno = null, start_lt = 0n, end_lt = largestBigint, types } = filter;
  const account = filter.account ? addressToBytes(filter.account) : null;
  return {
    ...{ account, account_key: account && accountKey(account) },
    ...{ kinds, types: listed(types), ancestors: types.ancestors, mc_seqno },
    ...{ from: capped(start_lt), to: capped(end_lt) },
    ...{ since: filter.start_utime ?? 0, until: filter.end_utime ?? 2 ** 32 },
  };
}

/** The types that a list shows. */
function listed({ wanted, excluded = [] }: ActionTypes): string[] {
  return wanted.filter((type) => !excluded.includes(type));
}
