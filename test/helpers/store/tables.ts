import type { Database } from "../../../server/store/database.js";
import type { Table } from "../../../server/store/declare/table.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import { queriesOf } from "./queries-of.js";

const declared: readonly Table[] = Object.values(tables);

/** Tables derived from transactions alone, which joins and reverts change. */
export const traceTables = [
  "blocks",
  "block_locator",
  "block_hours",
  "shard_state",
  "transactions",
  "tx_locator",
  "messages",
  "msg_locator",
  "account_slots",
  "traces",
  "account_traces",
  "open_edges",
];

/** State of the elector and the configuration, as last read. */
export const validatorTables = [
  "validator_elections",
  "validator_election_participants",
  "validator_cycles",
  "validator_cycle_members",
  "validator_complaints",
];

/** Each range begins with a look at the validators, so the blocks of looks say how an index was filled. */
const withoutLooks = "to_jsonb(t) - 'mc_seqno' - 'first_seqno'";

/** All rows of all tables as text, or of those named: two indexes are equal when these are. */
export async function dumpTables(
  database: Database,
  names = declared.map(({ name }) => name),
): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const { name, key } of declared.filter((table) => names.includes(table.name))) {
    const row = validatorTables.includes(name) ? withoutLooks : "row_to_json(t)";
    const text = `select (${row})::text as row from ${name} t order by ${key.join(", ")}, row`;
    dump[name] = (await queriesOf(database).query<{ row: string }>({ text, values: [] })).map(
      ({ row }) => row,
    );
  }
  return dump;
}
