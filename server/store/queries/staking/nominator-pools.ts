import SQL from "sql-template-tag";
import { codeOf, nominatorEventTypes, poolValidatorEventTypes } from "../../codes.js";
import type { Queries } from "../../database.js";
import { behindCursor, inOrder } from "../../sql/keyset.js";
import { all, code, given, type Page, paged, type TimeBounds, within } from "../../sql/where.js";
import {
  membershipRecord,
  nominatorEventRecord,
  nominatorPoolRecord,
  nominatorRewardRecord,
  poolValidatorEventRecord,
  poolValidatorRewardRecord,
} from "../../tables/nominator-pools.js";
import { selectRecords } from "../rows.js";

type Window = Pick<TimeBounds, "start_utime" | "end_utime"> & Omit<Page, "offset">;

/** By primary key. */
export async function readPool(queries: Queries, pool: Uint8Array) {
  const from = SQL`nominator_pools p where p.address = ${pool} and not p.destroyed`;
  const [found] = await selectRecords(queries, nominatorPoolRecord, from);
  return found;
}

/** Pools in which somebody is a nominator, in ascending order: nominator_pools_by_nominator. */
export function readPoolsOf(queries: Queries, nominator: Uint8Array) {
  return selectRecords(
    queries,
    membershipRecord,
    SQL`nominator_pools p where p.nominators @> ${[nominator]}::bytea[] and not p.destroyed order by p.address`,
  );
}

const newestFirst = [
  ["e.utime", "bigint", "desc"],
  ["e.tx_lt", "bigint", "desc"],
  ["e.event_index", "integer", "desc"],
] as const;

/** nominator_pool_events_by_pool or nominator_pool_events_by_nominator. */
export function listNominatorEvents(
  queries: Queries,
  {
    pool,
    nominator,
    start_utime,
    end_utime,
    ...rest
  }: Window & { pool: Uint8Array; nominator?: Uint8Array | undefined },
) {
  const page = pageOf(rest);
  const where = all(
    SQL`e.pool = ${pool}`,
    given(nominator, (value) => SQL`e.nominator = ${value}`),
    within("e.utime", start_utime, end_utime),
    behindCursor(newestFirst, page),
  );
  return selectRecords(
    queries,
    nominatorEventRecord,
    SQL`nominator_pool_events e where ${where} order by ${inOrder(newestFirst)} ${paged(page)}`,
    { list: { order: newestFirst, page } },
  );
}

const reward = code(nominatorEventTypes, "reward");

/** nominator_pool_rewards. */
export function listNominatorRewards(
  queries: Queries,
  { pool, nominator, start_utime, end_utime, ...rest }: Window & { pool: Uint8Array; nominator: Uint8Array },
) {
  const page = pageOf(rest);
  const where = all(
    SQL`e.nominator = ${nominator}`,
    SQL`e.pool = ${pool}`,
    SQL`e.type = ${reward}`,
    within("e.utime", start_utime, end_utime),
    behindCursor(newestFirst, page),
  );
  return selectRecords(
    queries,
    nominatorRewardRecord,
    SQL`nominator_pool_events e where ${where} order by ${inOrder(newestFirst)} ${paged(page)}`,
    { list: { order: newestFirst, page } },
  );
}

type OfValidator = Window & { validator?: Uint8Array | undefined; pool?: Uint8Array | undefined };

/** An unknown type has no events: pool_validator_events_by_pool, _by_validator or _by_both. */
export async function listPoolValidatorEvents(
  queries: Queries,
  { type, ...filter }: OfValidator & { type?: string | undefined },
) {
  const wanted =
    type === undefined ? undefined : (poolValidatorEventTypes as readonly string[]).indexOf(type);
  if (wanted === -1) return [];
  const types = wanted === undefined ? undefined : [wanted];
  return selectRecords(
    queries,
    poolValidatorEventRecord,
    validatorEvents(filter, types),
    validatorList(filter),
  );
}

const rewardTypes = (["reward", "penalty"] as const).map((type) => codeOf(poolValidatorEventTypes, type));

/** The rewards and penalties of the validator of pools, newest first. */
export function listPoolValidatorRewards(queries: Queries, filter: OfValidator) {
  const events = validatorEvents(filter, rewardTypes);
  return selectRecords(queries, poolValidatorRewardRecord, events, validatorList(filter));
}

/** Transactions of several pools may have one lt. */
const newestTransaction = [
  ["e.utime", "bigint", "desc"],
  ["e.tx_lt", "bigint", "desc"],
  ["e.tx_hash", "hash", "desc"],
] as const;

function validatorList(filter: OfValidator) {
  return { list: { order: newestTransaction, page: pageOf(filter) } };
}

/** These lists have no offset. */
function pageOf({ limit, cursor }: Omit<Page, "offset">): Page {
  return { limit, cursor, offset: 0 };
}

function validatorEvents(
  { validator, pool, start_utime, end_utime, ...rest }: OfValidator,
  types: readonly number[] | undefined,
) {
  const page = pageOf(rest);
  const where = all(
    given(validator, (value) => SQL`e.validator = ${value}`),
    given(pool, (value) => SQL`e.pool = ${value}`),
    given(types, (value) => SQL`e.type = any(${value}::smallint[])`),
    within("e.utime", start_utime, end_utime),
    behindCursor(newestTransaction, page),
  );
  return SQL`nominator_pool_validator_events e where ${where} order by ${inOrder(newestTransaction)} ${paged(page)}`;
}
