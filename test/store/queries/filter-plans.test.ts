import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../server/store/database.js";
import { everyRead } from "../../helpers/http/every-read.js";
import { type IndexApp, startIndexApp } from "../../helpers/http/index-app.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { ExplainedSql, type PlanNode } from "../../helpers/store/explained-sql.js";
import { nodesOf } from "../../helpers/store/measured-reads.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { storyIndex } from "../../helpers/stories/story-index.js";

/** Parameters by which a list has the rows of an account. */
const ofOwner =
  /^(account|source|destination|wallet|bidder|pool|nominator|validator|jetton\w*|(owner|admin|collection|item|multisig|wallet|contract)_address)$/;

type Node = PlanNode & { "Index Name"?: string; "Index Cond"?: string; Filter?: string };

/** Whether a node looks at all rows of its table. */
const isWhole = ({ "Node Type": type, "Index Cond": condition, Filter: filter }: Node) =>
  type === "Seq Scan" ||
  (condition === undefined &&
    (type === "Bitmap Index Scan" || (/^Index/.test(type) && filter !== undefined)));

describePostgres("A list of an owner's rows", (_fresh, server) => {
  let database: Database;
  let sql: ExplainedSql;
  let app: IndexApp;
  beforeAll(async () => {
    const url = new URL(await server().databaseWithSchema(storyIndex));
    // The planner scans small tables, also for joins once they were analysed; disabling that shows whether an index serves the
    // query. It makes all queries seem dear.
    url.searchParams.set(
      "options",
      "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off",
    );
    database = openPatiently(url.href);
    // When the story was analysed, if it was, depends on the moment.
    for (const text of [
      "delete from pg_statistic",
      "update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'public'::regnamespace",
    ])
      await queriesOf(database).query({ text, values: [] });
    sql = new ExplainedSql(database.sql({ connections: 1, statementTimeoutMs: 120_000 }));
    app = await startIndexApp({ ...database, sql: () => sql });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  /** The nodes that look at all rows of a table, by their reads. */
  async function wholeTables(paths: readonly string[]): Promise<Record<string, unknown[]>> {
    const found: Record<string, unknown[]> = {};
    for (const path of paths) {
      const explained = await sql.explain(() => app.get(path));
      const whole = explained.flatMap(({ plan }) => nodesOf(plan) as Node[]).filter(isWhole);
      if (whole.length > 0) found[path] = whole.map((node) => node["Relation Name"] ?? node["Index Name"]);
    }
    return found;
  }

  test("is searched in an index, whose absence is noticed", async () => {
    const paths = (await everyRead(queriesOf(database)))
      // Their plans are in the file beside this one.
      .filter(({ method }) => !/^(transactions|messages|traces|events)/.test(method))
      .flatMap((each) => ownersOf(each.paths));
    expect(paths.length).toBeGreaterThan(20);
    expect(await wholeTables(paths)).toEqual({});
    await queriesOf(database).query({ text: "drop index jetton_wallets_by_owner", values: [] });
    const ofWallets = paths.filter((path) => path.startsWith("jetton/wallets?owner_address"));
    expect(Object.keys(await wholeTables(ofWallets))).toEqual(ofWallets);
  });
});

/** The first read by each owner's parameter alone. */
function ownersOf(paths: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const path of paths) {
    const names = [...new Set(new URLSearchParams(path.split("?")[1]).keys())];
    const key = names.sort().join();
    if (names.length > 0 && names.every((name) => ofOwner.test(name)) && !found.has(key))
      found.set(key, path);
  }
  return [...found.values()];
}
