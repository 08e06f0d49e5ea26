import { randomUUID } from "node:crypto";
import pg from "pg";
import { divideIndex } from "../../../server/store/cluster/divide.js";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { until } from "../until.js";
import type { Content, FreshDatabase } from "./databases.js";
import { openPatiently } from "./postgres.js";

/** The coordinator of a Citus cluster. Tests make databases of their own on all of its nodes. */
export const citusUrl = process.env["TONWIRE_TEST_CITUS"];

/** A database on all nodes of the cluster: the address of the coordinator, and those of the others. */
type ClusterDatabase = { url: string; nodes: readonly string[]; drop(): Promise<void> };

type Node = { nodename: string; nodeport: number };

/** A new, empty database on each node, which the coordinator knows. */
export async function makeOnCluster(): Promise<ClusterDatabase> {
  const coordinator = new URL(citusUrl!);
  const name = `tonwire_test_${randomUUID().replaceAll("-", "")}`;
  const nodes = await runOn<Node>(
    coordinator,
    "select nodename, nodeport from pg_dist_node where groupid <> 0",
  );
  const urls = [coordinator, ...nodes.map((node) => urlOf(coordinator, node))];
  for (const url of urls) await runOn(url, `create database ${name}`);
  const databases = urls.map((url) => databaseOn(url, name));
  for (const url of databases) await runOn(url, "create extension citus");
  const [first] = databases;
  await runOn(first!, `select citus_set_coordinator_host('${first!.hostname}', ${first!.port || 5432})`);
  for (const { nodename, nodeport } of nodes)
    await runOn(first!, `select citus_add_node('${nodename}', ${nodeport})`);
  return {
    url: first!.href,
    nodes: databases.slice(1).map(({ href }) => href),
    async drop() {
      for (const url of urls) await until(`the end of ${name}`, () => drops(url, name));
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

function urlOf(coordinator: URL, { nodename, nodeport }: Node): URL {
  const url = new URL(coordinator);
  url.hostname = nodename;
  url.port = String(nodeport);
  return url;
}

function databaseOn(server: URL, name: string): URL {
  const url = new URL(server);
  url.pathname = name;
  return url;
}

const inUse = "55006";

/** Whether the database is dropped: on a slow machine a server does not wait for the processes of Citus to end. */
async function drops(server: URL, name: string): Promise<boolean> {
  try {
    await runOn(server, `drop database if exists ${name} with (force)`);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === inUse) return false;
    throw error;
  }
}

async function runOn<Row>(url: URL, text: string): Promise<Row[]> {
  const client = new pg.Client(url.href);
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query(text);
    return rows;
  } finally {
    await client.end();
  }
}
