import type { AnyDefinition } from "../../../shared/methods/define.js";
import type { Json } from "../../../shared/methods/json-text.js";
import type { Gaps, PlacedGap } from "../../store/queries/upkeep/index-gaps.js";

type Values = Readonly<Record<string, unknown>>;
type Rows = readonly Values[];

/** An answer of a method. Without a text, the index had no such block or record. */
type GapAnswer = {
  readonly definition: AnyDefinition;
  /** The parsed parameters. */
  readonly values: Values;
  readonly json: Json | undefined;
};

/** Longer answers are not parsed: only their parameters limit the gaps. */
const maxParsed = 262_144;
/** Limit on the gaps named. */
const maxNamed = 5;

/**
 * The gaps that an answer crosses, as text: gaps whose blocks could have records for it. Undefined if there are none,
 * or for a method that does not read the index. States of accounts and tokens may have changed in any gap; lists by
 * time cross the gaps between their first and last record, and those beyond if they end there.
 */
export function crossedGaps(gaps: Gaps<PlacedGap>, answer: GapAnswer): string | undefined {
  if (gaps.count === 0 || answer.definition.freshness.kind !== "index") return undefined;
  const covers = coverageOf(answer);
  const crossed = gaps.newest.filter(covers);
  // Unlisted gaps are older.
  const [oldest] = gaps.newest;
  const unlisted = oldest && crossed[0] === oldest ? gaps.count - gaps.newest.length : 0;
  if (crossed.length === 0) return undefined;
  const named = crossed.slice(-maxNamed).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const others = crossed.length - named.length + unlisted;
  return [...named, ...(others > 0 ? [`+${others}`] : [])].join(", ");
}

type Covers = (gap: PlacedGap) => boolean;

function coverageOf({ definition, values, json }: GapAnswer): Covers {
  const pinned = masterchainSeqnoIn(definition, values);
  if (pinned !== undefined) return ({ from, to }) => from <= pinned && pinned <= to;
  if (json === undefined) return () => true;
  const rows = json.length <= maxParsed ? rowsOf(json) : undefined;
  if (rows && rows.length > 0 && namesOneRecord(values)) return () => false;
  // Only these lists are ordered by time.
  return "start_lt" in definition.params.shape ? withinTimes(values, rows) : () => true;
}

/** The masterchain block in the parameters. */
function masterchainSeqnoIn({ params }: AnyDefinition, values: Values): number | undefined {
  const { mc_seqno: finalizedBy, seqno, workchain } = values;
  if (typeof finalizedBy === "number") return finalizedBy;
  const isOfMasterchain = !("workchain" in params.shape) || workchain === -1;
  return typeof seqno === "number" && isOfMasterchain ? seqno : undefined;
}

/** Parameters that identify at most one record. */
const identities = ["hash", "root_hash", "file_hash", "trace_id", "tx_hash", "action_id", "seqno"];

function namesOneRecord(values: Values): boolean {
  return identities.some((name) => {
    const value = values[name];
    return Array.isArray(value) ? value.length === 1 : value !== undefined;
  });
}

/** The records of a list: the first member that is an array. */
function rowsOf(json: Json): Rows | undefined {
  const answer = JSON.parse(String(json)) as unknown;
  const members = Object.values(answer as object);
  return members.find((member): member is Rows => Array.isArray(member));
}

function withinTimes(values: Values, rows: Rows | undefined): Covers {
  const { start_utime: start, end_utime: end, start_lt: startLt, end_lt: endLt } = values;
  const isAsked = ({ afterUtime, afterLt, beforeUtime, beforeLt }: PlacedGap) =>
    !(typeof start === "number" && start >= beforeUtime) &&
    !(typeof end === "number" && end <= afterUtime) &&
    !(typeof startLt === "bigint" && startLt >= beforeLt) &&
    !(typeof endLt === "bigint" && endLt <= afterLt);
  if (!rows) return isAsked;
  const { limit, offset = 0, sort } = values;
  const isLast = typeof limit !== "number" || rows.length < limit;
  const isFirst = offset === 0;
  const times = [...timesOf(rows[0]), ...timesOf(rows.at(-1))];
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const isAscending = sort === "asc";
  // Records stored after the time of the block before the gap lie after the gap.
  const reachesBelow = ({ afterUtime }: PlacedGap) => from <= afterUtime || (isAscending ? isFirst : isLast);
  const reachesAbove = ({ afterUtime }: PlacedGap) => to > afterUtime || (isAscending ? isLast : isFirst);
  return (gap) => isAsked(gap) && reachesBelow(gap) && reachesAbove(gap);
}

const timeMembers = ["now", "created_at", "gen_utime", "transaction_now", "start_utime", "end_utime"];

function timesOf(record: Values | undefined): number[] {
  return timeMembers.map((name) => Number(record?.[name] ?? Number.NaN)).filter((time) => time > 0);
}

/** The gaps of the index, for `/status` and `masterchainInfo`. */
export function presentGaps({ count, blocks, newest }: Gaps) {
  return { count, blocks, ranges: newest.map(({ from, to }) => ({ from, to })) };
}
