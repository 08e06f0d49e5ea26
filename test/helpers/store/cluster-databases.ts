import { divideIndex } from "../../../server/store/cluster/divide.js";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { askOnce } from "./ask-once.js";
import type { Content, FreshDatabase } from "./databases.js";
import { openPatiently } from "./postgres.js";
import { createDatabase, databaseName, dropDatabase, dropLeftOnce } from "./test-databases.js";

/** The coordinator of a Citus cluster. Tests make databases of their own on all of its nodes. */
export const citusUrl = process.env["TONWIRE_TEST_CITUS"];

/** A database on all nodes of the cluster: the address of the coordinator, and those of the others. */
type ClusterDatabase = { url: string; nodes: readonly string[]; drop(): Promise<void> };

type Node = { nodename: string; nodeport: number };

/** A new, empty database on each node, which the coordinator knows. */
export async function makeOnCluster(): Promise<ClusterDatabase> {
  const nodes: Node[] = await askOnce(
    citusUrl!,
    "select nodename, nodeport from pg_dist_node where groupid <> 0",
  );
  const servers = [citusUrl!, ...nodes.map(urlOf)];
  await dropLeftOnce("cluster", servers);
  const name = databaseName();
  const urls: string[] = [];
  for (const server of servers) urls.push(await createDatabase(server, name));
  for (const each of urls) await askOnce(each, "create extension citus");
  const [url, ...others] = urls;
  const { hostname, port } = new URL(citusUrl!);
  await askOnce(url!, `select citus_set_coordinator_host('${hostname}', ${port || 5432})`);
  for (const { nodename, nodeport } of nodes)
    await askOnce(url!, `select citus_add_node('${nodename}', ${nodeport})`);
  return {
    url: url!,
    nodes: others,
    async drop() {
      for (const server of servers) await dropDatabase(server, name);
    },
  };
}

/** A database with an empty index that is divided among the nodes, and with content in it. */
export async function makeDivided(content?: Content): Promise<ClusterDatabase> {
  const made = await makeOnCluster();
  await divideAt(made.url);
  // On further connections: sessions read as they begin whether the index is divided.
  if (content) await useOnce(made.url, (database) => content.fill(database));
  return made;
}

export async function openDivided(
  content?: Content,
): Promise<FreshDatabase & Pick<ClusterDatabase, "url" | "nodes">> {
  const { url, nodes, drop } = await makeDivided(content);
  const database = openPatiently(url);
  return {
    url,
    nodes,
    database,
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** Makes an empty index that is divided. */
export function divideAt(url: string): Promise<void> {
  return useOnce(url, async (database) => {
    const sql = database.sql({ connections: 1 });
    await migrate(sql);
    await divideIndex(sql);
  });
}

async function useOnce(url: string, use: (database: Database) => Promise<void>): Promise<void> {
  const database = openPatiently(url);
  try {
    await use(database);
  } finally {
    await database.close();
  }
}

function urlOf({ nodename, nodeport }: Node): string {
  const url = new URL(citusUrl!);
  url.hostname = nodename;
  url.port = String(nodeport);
  return url.href;
}
