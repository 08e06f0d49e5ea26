import SQL from "sql-template-tag";
import { empty, type Fragment } from "../../where.js";

/**
 * For a statement about one account: the condition that rows of a divided table are its, so that one shard answers the whole
 * statement. Other indexes have no such column.
 */
export function ofShardOf(isDivided: boolean, account: Uint8Array): Fragment {
  return isDivided ? SQL`and account = ${account}` : empty;
}
