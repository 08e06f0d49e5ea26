import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";

/** A value that a node has; an empty text if it has none. */
type OfNode = { node: string; result: string };

/** The value of an expression, as text, on the server or, of a divided index, on each node. Fails if one cannot be reached. */
export async function onEachNode(queries: Queries, expression: string): Promise<OfNode[]> {
  const text = `select coalesce((${expression})::text, '')`;
  const { result } = await oneRow<{ result: string }>(queries, SQL`${raw(text)} as result`);
  const own = { node: "", result };
  if (!(await queries.isDivided())) return [own];
  const others = await queries.query<OfNode & { success: boolean }>(SQL`
    select nodename || ':' || nodeport as node, success, result from run_command_on_workers(${text})`);
  const failed = others.find(({ success }) => !success);
  if (failed) throw new Error(`the node ${failed.node} of the cluster: ${failed.result}`);
  return [own, ...others];
}
