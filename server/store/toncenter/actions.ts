import SQL, { raw } from "sql-template-tag";
import { addressToBytes } from "../address-bytes.js";
import type { Queries } from "../database.js";
import type { ActionTypes } from "../queries/traces/actions.js";
import type { IndexReads } from "../reads/index-reads.js";
import { all, anyOf, type Fragment, given, ordered, paged, within } from "../sql/where.js";
import { type ActionRow, actions } from "../tables/actions.js";
import { parentGaslessAction, storedDetails } from "./action-details.js";
import { foreignTable } from "./columns.js";
import { readRows } from "./rows.js";
import {
  accountBytes,
  accountValue,
  hashBytes,
  hashValue,
  hashValues,
  isOneOfHashes,
  withinTimes,
} from "./values.js";

type ActionReads = Pick<IndexReads, "listActions" | "readAction" | "actionsOfTraces">;
type ActionFilter = Parameters<ActionReads["listActions"]>[1];

const foreignActions = foreignTable("actions", actions.columns, {
  // Unsigned.
  opcode: (row) => `(((${row}.opcode + 2147483648) & 4294967295) - 2147483648)::integer`,
  ancestor_type: (row) => `coalesce(${row}.ancestor_type::text[], '{}')`,
  parent_gasless_action: () => hashBytes(parentGaslessAction),
  success: (row) => `coalesce(${row}.success, true)`,
  accounts: (row) => `array(
    select ${accountBytes("a.account")} from action_accounts a
    where a.trace_id = ${row}.trace_id and a.action_id = ${row}.action_id order by a.account::text collate "C")`,
  // Reads ask the transactions for it.
  initiator: () => "null::smallint",
  data: () => storedDetails,
});

const readActions = (queries: Queries, rest: Fragment): Promise<ActionRow[]> =>
  readRows(queries, foreignActions, rest);

export const actionReads: ActionReads = {
  listActions(queries, filter, { sort, ...page }) {
    const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
    const { account } = filter;
    const order = account ? ordersOf("a", "action_end_", byTime) : ordersOf("x", "end_", byTime);
    const place = all(
      within(`${account ? "a" : "x"}.trace_end_lt`, filter.start_lt, filter.end_lt),
      withinTimes(`${account ? "a" : "x"}.trace_end_utime`, filter.start_utime, filter.end_utime),
    );
    const ofAccount = given(
      account,
      (address) => SQL`
        join action_accounts a on a.trace_id = x.trace_id and a.action_id = x.action_id
          and a.account = ${accountValue(addressToBytes(address))}`,
    );
    const where = all(SQL`x.end_lt is not null`, place, ...conditionsOf(filter), ofTypes(filter.types));
    return readActions(
      queries,
      SQL`${ofAccount ?? SQL``} where ${where} order by ${ordered(sort, ...order)} ${paged(page)}`,
    );
  },

  async readAction(queries, id) {
    const [row] = await readActions(queries, SQL`where x.action_id = ${hashValue(id)} limit 1`);
    return row;
  },

  async actionsOfTraces(queries, traces, types) {
    if (traces.length === 0) return [];
    const ids = traces.map(({ id }) => id);
    return readActions(
      queries,
      SQL`where ${isOneOfHashes("x.trace_id", ids)} and x.end_lt is not null and ${ofTypes(types)}
        order by x.start_lt, x.end_lt, ${raw(hashBytes("x.action_id"))}`,
    );
  },
};

function ordersOf(row: string, end: string, byTime: boolean): string[] {
  const axis = byTime ? "utime" : "lt";
  return [
    `${row}.trace_end_${axis}`,
    hashBytes(`${row}.trace_id`),
    `${row}.${end}${axis}`,
    hashBytes(`${row}.action_id`),
  ];
}

function conditionsOf(filter: ActionFilter): (Fragment | undefined)[] {
  return [
    given(filter.mc_seqno, (seqno) => SQL`x.trace_mc_seqno_end = ${seqno}`),
    given(filter.account && filter.initiated_by_account, (is) =>
      is ? isInitiator : SQL`not ${isInitiator}`,
    ),
    anyOf(filter.action_id, (ids) => isOneOfHashes("x.action_id", ids)),
    anyOf(filter.trace_id, (ids) => isOneOfHashes("x.trace_id", ids)),
    anyOf(filter.tx_hash, (hashes) =>
      ofTransactions(SQL`select hash, trace_id from transactions
      where ${isOneOfHashes("hash", hashes)}`),
    ),
    anyOf(filter.msg_hash, (hashes) =>
      ofTransactions(SQL`
      select tx_hash, trace_id from messages where msg_hash = any(${hashValues(hashes)})
      union all
      select tx_hash, trace_id from messages where msg_hash_norm = any(${hashValues(hashes)})`),
    ),
  ];
}

/** The condition that the account `a` of an action has the first transaction of the trace. */
const isInitiator = SQL`exists (
  select from transactions root where root.hash = x.trace_id and root.account = a.account)`;

/**
 * The condition that an action has one of some transactions, of which `named` has the hashes and traces. By the traces alone,
 * which is the first condition, actions are found in an index.
 */
function ofTransactions(named: Fragment): Fragment {
  return SQL`x.trace_id in (select trace_id from (${named}) named(hash, trace_id)) and exists (
    select from (${named}) named(hash, trace_id)
    where named.trace_id = x.trace_id and named.hash::text = any(x.tx_hashes::text[]))`;
}

function ofTypes({ wanted, ancestors, excluded }: ActionTypes): Fragment {
  return all(
    SQL`x.type = any(${wanted}::text[])`,
    SQL`not coalesce(x.ancestor_type::text[] && ${ancestors}::text[], false)`,
    anyOf(excluded, (words) => SQL`x.type <> all(${words}::text[])`),
  );
}
