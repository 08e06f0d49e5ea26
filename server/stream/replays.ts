import { rawAddressToBytes } from "../store/address-bytes.js";
import type { Queries } from "../store/database.js";
import { rawAddress } from "../store/declare/wire-forms.js";
import { readStoredCells } from "../store/queries/accounts/accounts.js";
import { type UnitName, unitsAmong } from "../store/queries/blocks/units.js";
import type { StreamEvent } from "./events/events.js";
import type { EventKey } from "./subscriptions/event-key.js";
import type { SubscribedType } from "./subscriptions/filter.js";
import type { Replay } from "./subscriptions/subscription.js";

/** How long TON Center's service keeps traces and account states, in seconds. */
const keptTracesSec = 30n;
const keptStatesSec = 60n;
/** A devnet makes any number of blocks in a second. */
const maxBlocks = 500;

/** The blocks of the last seconds before the newest one. */
export async function lastSeconds(queries: Queries, head: UnitName): Promise<Replay> {
  const first = Math.max(1, head.seqno - maxBlocks + 1);
  const seqnos = Array.from({ length: head.seqno - first + 1 }, (_, at) => first + at);
  const units = (await unitsAmong(queries, seqnos)).sort((a, b) => a.seqno - b.seqno);
  const since = (sec: bigint) =>
    (units.find(({ genUtime }) => genUtime + sec >= head.genUtime) ?? head).seqno;
  return { from: since(keptStatesSec), tracesFrom: since(keptTracesSec), to: head.seqno };
}

const ofTraces: ReadonlySet<SubscribedType> = new Set(["transactions", "actions", "trace"]);

/** The events of a block that are sent again. Of an account only the last state is. */
export async function keptEvents(
  queries: Queries,
  events: readonly StreamEvent[],
  { seqno, replay }: { seqno: number; replay: Replay | undefined },
): Promise<readonly StreamEvent[]> {
  if (!replay || seqno > replay.to) return events;
  const recent = seqno >= replay.tracesFrom ? events : events.filter(({ type }) => !ofTraces.has(type));
  const states = recent.filter(({ type }) => type === "account_state_change");
  if (states.length === 0) return recent;
  const accounts = states.map(({ key }) => rawAddressToBytes(key!.id));
  const stored = await readStoredCells(queries, accounts);
  const last = new Map(stored.map(({ account, last_trans_lt: lt }) => [rawAddress.present(account), lt]));
  const isLast = ({ id, lt }: EventKey) => (last.get(id) ?? 0n) <= lt;
  return recent.filter((event) => !states.includes(event) || isLast(event.key!));
}
