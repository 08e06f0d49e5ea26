import SQL, { empty, raw } from "sql-template-tag";
import { validatorEventTypes } from "../../codes.js";
import type { Queries } from "../../database.js";
import { someColumns } from "../../declare/table.js";
import { behindCursor, inOrder, keyValue, noteLast } from "../../sql/keyset.js";
import {
  all,
  type Direction,
  type Fragment,
  given,
  type Page,
  paged,
  type TimeBounds,
  within,
} from "../../sql/where.js";
import {
  validatorComplaints,
  validatorCycleMembers,
  validatorCycles,
  validatorElectionParticipants,
  validatorElections,
  validatorEventRecord,
} from "../../tables/validators.js";
import { selectJoined, selectRecords, selectRows } from "../rows.js";

/** Conditions that one validator meets. */
export type ValidatorFilter = {
  stakeHolder?: Uint8Array | undefined;
  adnl?: Uint8Array | undefined;
  pubkey?: Uint8Array | undefined;
};
type Window = Pick<TimeBounds, "start_utime" | "end_utime">;
type SortedPage = Page & { sort: Direction };

type ValidatorEventRecord = ReturnType<typeof validatorEventRecord.present>;

/** An unknown type has no events: validator_events_by_time, _by_type, _by_holder, _by_pubkey or _by_adnl. */
export async function listValidatorEvents(
  queries: Queries,
  { stakeHolder, adnl, pubkey, type, ...window }: ValidatorFilter & Window & { type?: string | undefined },
  { sort, ...page }: SortedPage,
): Promise<ValidatorEventRecord[]> {
  const code = type === undefined ? undefined : (validatorEventTypes as readonly string[]).indexOf(type);
  if (code === -1) return [];
  const order = [
    ["e.utime", "bigint", sort],
    ["e.tx_lt", "bigint", sort],
    ["e.tx_hash", "hash", sort],
  ] as const;
  const where = all(
    given(stakeHolder, (value) => SQL`e.stake_holder = ${value}`),
    given(adnl, (value) => SQL`e.adnl_addr = ${value}`),
    given(pubkey, (value) => SQL`e.validator_pubkey = ${value}`),
    given(code, (value) => SQL`e.type = ${value}`),
    within("e.utime", window.start_utime, window.end_utime),
    behindCursor(order, page),
  );
  return selectRecords(
    queries,
    validatorEventRecord,
    SQL`validator_events e where ${where} order by ${inOrder(order)} ${paged(page)}`,
    { list: { order, page } },
  );
}

/** Conditions for a row `p` of participants; `undefined` without any. */
function ofParticipant({ stakeHolder, adnl, pubkey }: ValidatorFilter): Fragment | undefined {
  if (!stakeHolder && !adnl && !pubkey) return undefined;
  return all(
    given(stakeHolder, (value) => SQL`p.stake_holder = ${value}`),
    given(adnl, (value) => SQL`p.adnl_addr = ${value}`),
    given(pubkey, (value) => SQL`p.pubkey = ${value}`),
  );
}

type ElectionFilter = ValidatorFilter &
  Window & { electionId?: number | undefined; finished?: boolean | undefined };

/** An election matches if one of its participants does, whose elections are searched in their order. */
export async function listElections(
  queries: Queries,
  { electionId, finished, start_utime, end_utime, ...validator }: ElectionFilter,
  { sort, ...page }: SortedPage,
) {
  const conditions = (id: string) =>
    all(
      given(electionId, (value) => SQL`${raw(id)} = ${value}`),
      within(id, start_utime, end_utime),
      given(finished, (value) => SQL`e.finished = ${value}`),
      behindCursor([[id, "bigint", sort]], page),
    );
  const matches = ofParticipant(validator);
  const noted = noting(page, "election_id");
  if (!matches) {
    const from = SQL`
      validator_elections e where ${conditions("e.election_id")} order by e.election_id ${raw(sort)} ${paged(page)}`;
    return noted(await selectRows(queries, validatorElections, "e", from));
  }
  const found = SQL`
    select distinct p.election_id from validator_election_participants p
    ${finished === undefined ? empty : SQL`join validator_elections e on e.election_id = p.election_id`}
    where ${matches} and ${conditions("p.election_id")} order by p.election_id ${raw(sort)} ${paged(page)}`;
  return noted(
    await selectFound(queries, validatorElections, { alias: "e", key: "election_id", found, sort }),
  );
}

/** Passes on a page of rows that a number identifies, and notes the last one. */
function noting<Name extends string>(page: Page, key: Name) {
  return <Row extends { readonly [N in Name]: number }>(rows: Row[]): Row[] => {
    noteLast(page, rows, (last) => [BigInt(last[key])]);
    return rows;
  };
}

type FoundKeys = { alias: string; key: string; found: Fragment; sort: Direction };

/** The rows with the keys that were found, in the order of these, each of them looked up by its key. */
function selectFound<T extends typeof validatorElections | typeof validatorCycles>(
  queries: Queries,
  table: T,
  { alias, key, found, sort }: FoundKeys,
) {
  const rows = SQL`select * from ${raw(table.name)} where ${raw(key)} = found.${raw(key)} offset 0`;
  const order = SQL`order by ${raw(`${alias}.${key}`)} ${raw(sort)}`;
  const from = SQL`(${found}) found cross join lateral (${rows}) ${raw(alias)} ${order}`;
  return selectRows(queries, table, alias, from);
}

/** The number of participants of each election that has any. */
export async function countParticipants(
  queries: Queries,
  elections: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await queries.query<{ election_id: bigint; count: number }>(SQL`
    select election_id, count(*)::integer as count from validator_election_participants
    where election_id = any(${elections}::bigint[]) group by 1`);
  return new Map(rows.map(({ election_id, count }) => [Number(election_id), count]));
}

/** The participants of elections that match, with their places in the sets that were elected. */
export function readParticipants(queries: Queries, elections: readonly number[], validator: ValidatorFilter) {
  const matches = all(SQL`p.election_id = any(${elections}::bigint[])`, ofParticipant(validator));
  return selectJoined(
    queries,
    { p: validatorElectionParticipants.columns },
    SQL`validator_election_participants p
      left join validator_cycles c on c.election_id = p.election_id
      left join validator_cycle_members m on m.utime_since = c.utime_since and m.pubkey = p.pubkey
      where ${matches} order by p.election_id, p.stake desc, p.pubkey, p.stake_holder`,
    { outer: { m: someColumns(validatorCycleMembers.columns, ["index"]) } },
  );
}

type CycleFilter = ValidatorFilter &
  Window & { electionId?: number | undefined; cycleStart?: number | undefined };

/** The cycles in which a validator was, with a row `m` of the members; `undefined` without conditions. */
function cyclesOf({ stakeHolder, adnl, pubkey }: ValidatorFilter): Fragment | undefined {
  if (!stakeHolder && !adnl && !pubkey) return undefined;
  const holds = given(
    stakeHolder,
    (value) => SQL`exists (
      select from validator_election_participants p
      where p.election_id = c.election_id and p.pubkey = m.pubkey and p.stake_holder = ${value})`,
  );
  // Without a key the members are found by the elections in which the stake holder took part.
  const own = given(
    stakeHolder,
    (value) =>
      SQL`m.pubkey in (select p.pubkey from validator_election_participants p where p.stake_holder = ${value})`,
  );
  return all(
    given(adnl, (value) => SQL`m.adnl_addr = ${value}`),
    given(pubkey, (value) => SQL`m.pubkey = ${value}`),
    pubkey ? undefined : own,
    holds,
  );
}

/** A cycle matches if one of its validators does, whose cycles are searched in their order. */
export async function listCycles(
  queries: Queries,
  { electionId, cycleStart, start_utime, end_utime, ...validator }: CycleFilter,
  { sort, ...page }: SortedPage,
) {
  const conditions = (begin: string) =>
    all(
      given(electionId, (value) => SQL`c.election_id = ${value}`),
      given(cycleStart, (value) => SQL`${raw(begin)} = ${value}`),
      within(begin, start_utime, end_utime),
      behindCursor([[begin, "bigint", sort]], page),
    );
  const matches = cyclesOf(validator);
  const noted = noting(page, "utime_since");
  const isOfElection = electionId !== undefined || validator.stakeHolder !== undefined;
  if (!matches) {
    const from = SQL`
      validator_cycles c where ${conditions("c.utime_since")} order by c.utime_since ${raw(sort)} ${paged(page)}`;
    return noted(await selectRows(queries, validatorCycles, "c", from));
  }
  const found = SQL`
    select distinct m.utime_since from validator_cycle_members m
    ${isOfElection ? SQL`join validator_cycles c on c.utime_since = m.utime_since` : empty}
    where ${matches} and ${conditions("m.utime_since")} order by m.utime_since ${raw(sort)} ${paged(page)}`;
  return noted(await selectFound(queries, validatorCycles, { alias: "c", key: "utime_since", found, sort }));
}

export type StakeExtremes = { min: bigint; max: bigint };

/** The smallest and the largest stake of cycles of which all stakes are known. */
export async function readStakeExtremes(
  queries: Queries,
  cycles: readonly number[],
): Promise<ReadonlyMap<number, StakeExtremes>> {
  const rows = await queries.query<{ utime_since: bigint; min: bigint; max: bigint }>(SQL`
    select utime_since, min(stake) as min, max(stake) as max from validator_cycle_members
    where utime_since = any(${cycles}::bigint[]) group by 1 having count(*) = count(stake)`);
  return new Map(rows.map(({ utime_since, min, max }) => [Number(utime_since), { min, max }]));
}

const participant = someColumns(validatorElectionParticipants.columns, ["stake_holder", "max_factor"]);

/** The stake of a member `m` of a cycle `c`; of several stake holders with one key, that one, or the first one. */
const firstParticipant = (key: string, stakeHolder?: Uint8Array) => SQL`
  left join lateral (
    select p.stake_holder, p.max_factor from validator_election_participants p
    where p.election_id = c.election_id and p.pubkey = ${raw(key)}
      ${stakeHolder ? SQL`and p.stake_holder = ${stakeHolder}` : empty}
    order by p.stake_holder limit 1) p on true`;

/** The members of cycles that match, in their order. */
export function readMembers(
  queries: Queries,
  cycles: readonly number[],
  { stakeHolder, adnl, pubkey }: ValidatorFilter,
) {
  const matches = all(
    SQL`m.utime_since = any(${cycles}::bigint[])`,
    stakeHolder && SQL`p.stake_holder is not null`,
    given(adnl, (value) => SQL`m.adnl_addr = ${value}`),
    given(pubkey, (value) => SQL`m.pubkey = ${value}`),
  );
  return selectJoined(
    queries,
    { m: validatorCycleMembers.columns },
    SQL`validator_cycle_members m join validator_cycles c on c.utime_since = m.utime_since
      ${firstParticipant("m.pubkey", stakeHolder)} where ${matches} order by m.utime_since, m.index`,
    { outer: { p: participant } },
  );
}

const complaintColumns = {
  k: validatorComplaints.columns,
  c: someColumns(validatorCycles.columns, ["utime_since", "total_weight"]),
};
const columnsBesideComplaint = {
  m: someColumns(validatorCycleMembers.columns, ["adnl_addr"]),
  p: participant,
  /** The set that votes. */
  v: someColumns(validatorCycles.columns, ["utime_since", "total_weight"]),
  /** The set that validated when the complaint was made. */
  f: someColumns(validatorCycles.columns, ["total_weight"]),
};

/** `complaints`: complaints with the `cycle` that each is about. */
const complaintTables = (complaints: Fragment) => SQL`
  ${complaints} k join validator_cycles c on c.utime_since = k.cycle
  left join validator_cycle_members m on m.utime_since = c.utime_since and m.pubkey = k.pubkey
  ${firstParticipant("k.pubkey")}
  left join lateral (
    select utime_since, total_weight from validator_cycles
    where vset_hash = k.vset_id order by utime_since limit 1) v on true
  left join lateral (
    select total_weight from validator_cycles
    where utime_since <= k.created_at order by utime_since desc limit 1) f on true`;

const withCycle = SQL`
  select k.*, c.utime_since as cycle
  from validator_complaints k join validator_cycles c on c.election_id = k.election_id`;

export type ComplaintRows = Awaited<ReturnType<typeof listComplaints>>[number];

/**
 * Complaints about validators of known cycles: validator_complaints_by_time, _by_pubkey or the primary key. The other tables are
 * joined to those of the page only.
 */
export async function listComplaints(
  queries: Queries,
  { electionId, cycleStart, start_utime, end_utime, stakeHolder, adnl, pubkey }: CycleFilter,
  { sort, ...page }: SortedPage,
) {
  const keys = [
    ["k.created_at", "bigint", sort],
    ["k.complaint_hash", "hash", "asc"],
    ["k.election_id", "bigint", "asc"],
  ] as const;
  const order = SQL`order by ${inOrder(keys)}`;
  const where = all(
    given(electionId, (value) => SQL`k.election_id = ${value}`),
    given(pubkey, (value) => SQL`k.pubkey = ${value}`),
    within("k.created_at", start_utime, end_utime),
    given(cycleStart, (value) => SQL`c.utime_since = ${value}`),
    given(adnl, (value) => SQL`m.adnl_addr = ${value}`),
    given(stakeHolder, isAboutHolder),
    behindCursor(keys, page),
  );
  const members = SQL`join validator_cycle_members m on m.utime_since = c.utime_since and m.pubkey = k.pubkey`;
  const found = SQL`(${withCycle} ${adnl ? members : empty} where ${where} ${order} ${paged(page)})`;
  const rows = await selectJoined(queries, complaintColumns, SQL`${complaintTables(found)} ${order}`, {
    outer: columnsBesideComplaint,
  });
  noteLast(page, rows, ({ k }) => [keyValue(k.created_at), k.complaint_hash, keyValue(k.election_id)]);
  return rows;
}

/** Whether it is the first stake holder with the key: by an index-only scan of validator_participants_by_holder. */
function isAboutHolder(stakeHolder: Uint8Array): Fragment {
  return SQL`(k.election_id, k.pubkey) in (
      select p.election_id, p.pubkey from validator_election_participants p where p.stake_holder = ${stakeHolder})
    and not exists (
      select from validator_election_participants p
      where p.election_id = k.election_id and p.pubkey = k.pubkey and p.stake_holder < ${stakeHolder})`;
}

/** All complaints about validators of cycles, oldest first. */
export function readComplaints(queries: Queries, cycles: readonly number[]) {
  return selectJoined(
    queries,
    complaintColumns,
    SQL`${complaintTables(SQL`(${withCycle} where c.utime_since = any(${cycles}::bigint[]))`)}
      order by k.created_at, k.complaint_hash`,
    { outer: columnsBesideComplaint },
  );
}

/** Members of these cycles at these places, each of them in one of the cycles. */
export function readVoters(queries: Queries, cycles: readonly number[], places: readonly number[]) {
  return selectRows(
    queries,
    validatorCycleMembers,
    "m",
    SQL`validator_cycle_members m
      where m.utime_since = any(${cycles}::bigint[]) and m.index = any(${places}::integer[])`,
  );
}
