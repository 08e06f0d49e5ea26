import type { Database } from "../../server/store/database.js";
import { queriesOf } from "./queries-of.js";

const keys: Readonly<Record<string, string>> = {
  blocks: "workchain, shard, seqno",
  shard_state: "mc_seqno, workchain, shard",
  transactions: "lt, hash",
  messages: "tx_lt, tx_hash, direction, msg_hash",
  message_contents: "hash",
  account_states: "hash",
  latest_account_states: "account",
  contract_methods: "code_hash",
  traces: "trace_id",
  open_edges: "msg_hash",
};

/** Everything an index has of a chain, as text: two indexes are equal when these are. */
export async function dumpTables(
  database: Database,
  names = Object.keys(keys),
): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const name of names) {
    const text = `select row_to_json(t)::text as row from ${name} t order by ${keys[name]}`;
    dump[name] = (await queriesOf(database).query<{ row: string }>({ text, values: [] })).map(
      ({ row }) => row,
    );
  }
  return dump;
}
