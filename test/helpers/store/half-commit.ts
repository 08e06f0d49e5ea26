import { randomUUID } from "node:crypto";
import { commitLock, commitSequence } from "../../../server/store/cluster/commits.js";
import { askOnce } from "./ask-once.js";

type Cluster = { url: string; nodes: readonly string[] };
type Shard = { table_name: string; shard_name: string; nodeport: number };

/** The shards of these tables, and the nodes that have them. */
export async function shardsOf(url: string, tables: readonly string[]): Promise<Shard[]> {
  const names = tables.map((name) => `'${name}'::regclass`);
  const found = await askOnce(
    url,
    `select table_name::text, shard_name, nodeport from citus_shards where table_name in (${names.join(", ")})`,
  );
  return found as Shard[];
}

/** Whether a node, named by its URL, has a shard. */
export const isOn =
  (node: string) =>
  ({ nodeport }: Shard): boolean =>
    String(nodeport) === new URL(node).port;

/** Sessions of Citus itself may prepare transactions whose triggers write to other tables of the cluster. */
function asCitus(node: string): string {
  const url = new URL(node);
  url.searchParams.set("application_name", "citus_internal gpid=1");
  return url.href;
}

/**
 * A commit that changes all rows of a divided table, and that all nodes have but one: that node has prepared it, and Citus has
 * not reached it since. `finish` is what Citus does once it reaches the node.
 */
export async function commitHalf({ url, nodes }: Cluster, { table, set }: { table: string; set: string }) {
  const shards = await shardsOf(url, [table, "index_version"]);
  const changesOn = (node: string) =>
    shards
      .filter(isOn(node))
      .map(
        ({ table_name: of, shard_name: shard }) => `update ${shard} set ${of === table ? set : "n = n + 1"}`,
      )
      .join("; ");
  const late = nodes.at(-1)!;
  const name = `tonwire_half_${randomUUID()}`;
  await askOnce(asCitus(late), `begin; ${changesOn(late)}; prepare transaction '${name}'`);
  const counts = `select pg_advisory_xact_lock(${commitLock}); select nextval('${commitSequence}')`;
  await askOnce(url, `begin; ${counts}; ${changesOn(url)}; commit`);
  for (const node of nodes.slice(0, -1)) await askOnce(node, changesOn(node));
  let isFinished = false;
  return {
    async finish() {
      if (isFinished) return;
      isFinished = true;
      await askOnce(late, `commit prepared '${name}'`);
    },
  };
}
