import SQL from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../server/store/database.js";
import { unitsOfAccounts } from "../../../server/store/queries/blocks/units-of-accounts.js";
import { mergeOldSlots } from "../../../server/store/slots/cold-slots.js";
import { oneRow } from "../../../server/store/sql/one-row.js";
import { flatten } from "../../../shared/methods/define.js";
import { type IndexApp, indexRegistry, startIndexApp } from "../../helpers/http/index-app.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { type Explained, ExplainedSql, type PlanNode } from "../../helpers/store/explained-sql.js";
import { filterPairs } from "../../helpers/store/filter-pairs.js";
import { GrowingIndex, momentIn } from "../../helpers/store/growing-index.js";
import { LargeOwners, ownerOf } from "../../helpers/store/large-owners.js";
import { madeRow } from "../../helpers/store/made-row.js";
import { leaveStatistics, nodesOf } from "../../helpers/store/measured-reads.js";
import { ownerSamples, samplesOfMethod } from "../../helpers/store/owner-samples.js";
import { bytesNamed, type Party, shards } from "../../helpers/store/party-rows.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { storeRows } from "../../helpers/store/rows.js";

const slots = 3;
/** Two owners have 24 events in common, and each has many others. */
const few = { holders: 0, jettons: 0, items: 0, orders: 0, multisigs: 0, domains: 0, stakes: 0 };
const sizes = { ...few, actions: 900, transactions: 450, events: 900 };
const linking = Array.from({ length: 2000 }, (_, at) => ({
  ...{ address: bytesNamed(`linking ${at}`), url: `https://${at}.example`, name: `Name ${at}` },
  ...{ type: 0, valid: true, extra: {} },
}));

/** One owner has three wallets of them, each of the others one. */
const holder = bytesNamed("holder");
const wallets = Array.from({ length: 2000 }, (_, at) =>
  madeRow("jettonWallets", {
    ...{ address: bytesNamed(`wallet ${at}`), owner: at < 3 ? holder : bytesNamed(`holder ${at}`) },
    ...{ jetton: bytesNamed("jetton"), balance: BigInt(at), first_seen_lt: 1n, last_transaction_lt: 1n },
  }),
);

/** One collection has many items, each of the others one. */
const collection = bytesNamed("collection of many");
const items = Array.from({ length: 10_000 }, (_, at) =>
  madeRow("nftItems", {
    ...{ address: bytesNamed(`item ${at}`), init: true, index: BigInt(at), content: {} },
    ...{ collection_address: at < 400 ? collection : bytesNamed(`collection ${at}`) },
    ...{ first_seen_lt: 1n, last_transaction_lt: BigInt(at) },
  }),
);

const limit = 10;
/** Rows that are looked at where an index has others too, and those of a page. */
const mostLooked = 300 + 4 * limit;
/** Of the pairs of filters one in so many is read; a longer run reads all of larger owners. */
const oneOf = 5;
const pairs = flatten(indexRegistry.v3)
  .filter(([method]) =>
    ["transactions", "messages", "actions", "traces", "events", "jetton.transfers"].includes(method),
  )
  .flatMap(([method, { params }]) => {
    const samples = {
      ...ownerSamples("large", momentIn(slots, 0.3), momentIn(slots, 0.7)),
      ...samplesOfMethod("large", method),
    };
    const queries = filterPairs(params, samples, { limit, withLists: false });
    return queries.map((query) => `${method.replace(".", "/")}?${query}`);
  })
  .filter((_, at) => at % oneOf === 0);

const wanted = (names: Readonly<Record<string, Party>>) =>
  Object.entries(names).map(([name, party]) => `${name}=${ownerOf("large", party).toRaw()}`);
const times = [`start_utime=${momentIn(slots, 0.3).now}`, `end_utime=${momentIn(slots, 0.7).now}`];

describePostgres("Of accounts with many rows, reads look at few", (_fresh, server) => {
  let database: Database;
  let sql: ExplainedSql;
  let app: IndexApp;
  beforeAll(async () => {
    database = openPatiently(await server().databaseWithSchema());
    const index = new GrowingIndex(database);
    await index.begin();
    await index.growTo(slots);
    const owners = new LargeOwners(database, slots);
    await owners.begin();
    await owners.grow(sizes);
    await storeRows(database, {
      addressMetadata: linking.map((each) => madeRow("addressMetadata", each)),
      jettonWallets: wallets,
      nftItems: items,
    });
    await leaveStatistics(database, { areSlotsChanged: true });
    sql = new ExplainedSql(database.sql({ connections: 1, statementTimeoutMs: 120_000 }));
    app = await startIndexApp({ ...database, sql: () => sql });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  async function explained(path: string): Promise<Explained[]> {
    let status = 0;
    const found = await sql.explain(async () => {
      [status] = await app.get(path);
    });
    expect(status).toBe(200);
    return found;
  }

  async function lookedAt(table: string, path: string): Promise<number> {
    const scans = (await explained(path)).flatMap(({ plan }) => scansOf(table, plan));
    return scans.reduce((sum, node) => sum + node["Actual Loops"] * rowsOf(node), 0);
  }

  /** Reads that look at more rows by one search. */
  async function dearReads(): Promise<string[]> {
    const dear: string[] = [];
    for (const path of pairs) {
      const found = await sql.explain(() => app.get(path));
      const nodes = found.flatMap(({ plan }) => nodesOf(plan)).filter((node) => node["Relation Name"]);
      const most = Math.max(0, ...nodes.map((node) => node["Actual Loops"] * rowsOf(node)));
      if (most > mostLooked) dear.push(`${most} ${path}`);
    }
    return dear;
  }

  test.each([
    ["jetton/transfers", { owner_address: "owner", jetton_master: "master" }],
    ["jetton/transfers", { owner_address: "owner", jetton_wallet: "wallet" }],
    ["jetton/burns", { owner_address: "owner", jetton_master: "master" }],
    ["nft/transfers", { owner_address: "owner", item_address: "item" }],
    ["nft/transfers", { owner_address: "owner", collection_address: "collection" }],
  ] as const)("%s of an owner and another account by time: %j", async (list, accounts) => {
    for (const time of times) {
      const query = [...wanted(accounts), time, `limit=${limit}`].join("&");
      // The page in the order of lt, the rows of its times, and the rows of its keys.
      expect(await lookedAt(list.replace("/", "_"), `${list}?${query}`)).toBeLessThanOrEqual(4 * limit);
    }
  });

  test.each([
    ["owner", "true"],
    ["owner", "false"],
    ["partner", "true"],
    ["partner", "false"],
  ] as const)("actions of the %s in traces that it began or not: %s", async (party, isInitiated) => {
    const query = [...wanted({ account: party }), `initiated_by_account=${isInitiated}`, `limit=${limit}`];
    // A page of each kind of action.
    expect(await lookedAt("action", `actions?${query.join("&")}`)).toBeLessThanOrEqual(8 * limit);
  });

  test.each([
    ["jetton/burns", "asc"],
    ["jetton/transfers", "desc"],
  ])("%s of an owner, of which the first slot fills a page: %s", async (list, sort) => {
    const query = [...wanted({ owner_address: "owner" }), `sort=${sort}`, `limit=${limit}`].join("&");
    // The page, and the beginning of the next slot.
    expect(await lookedAt(list.replace("/", "_"), `${list}?${query}`)).toBeLessThan(slots * limit);
  });

  test.each([
    `workchain=0&shard=${shards[0].toString(16)}`,
    `shard=${shards[0].toString(16)}&sort=asc`,
    `workchain=-1&${times[0]}`,
    `workchain=0&${times[1]}`,
  ])("blocks by %s", async (filter) => {
    // A page of two slots, and those that are behind it or of another workchain.
    expect(await lookedAt("blocks", `blocks?${filter}&limit=${limit}`)).toBeLessThanOrEqual(4 * limit);
  });

  test("the items of a collection that has many", async () => {
    const address = Buffer.from(collection.subarray(1)).toString("hex");
    const path = `nft/items?collection_address=0:${address}&limit=${limit}`;
    // The page, and the items among the accounts that it shows.
    expect(await lookedAt("nft_items", path)).toBeLessThanOrEqual(2 * limit);
  });

  test("balances of blocks, over several slots", async () => {
    const points = 40;
    const query = [...wanted({ address: "owner" }), `limit=${points}`].join("&");
    const rows = await lookedAt("transactions", `account/balanceHistory?${query}`);
    expect(rows).toBeLessThanOrEqual(points + slots + limit);
  });

  test("names of contracts without a link to metadata", async () => {
    const [search] = await explained("search?q=grown&limit=50");
    const lookups = scansOf("address_metadata", search!.plan).filter((node) => node["Actual Loops"] > 1);
    expect(lookups.map((node) => node["Shared Hit Blocks"] + node["Shared Read Blocks"])).toEqual([0]);
  });

  test("the wallets of an owner that missed blocks", async () => {
    const found = await sql.explain(() =>
      sql.transaction(async (queries) => {
        const { last } = await oneRow<{ last: number }>(queries, SQL`select last from indexed_range`);
        await unitsOfAccounts(queries, [holder], "jettonWallets", { first: last, last });
      }),
    );
    const scans = found.flatMap(({ plan }) => scansOf("jetton_wallets", plan));
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.reduce((sum, node) => sum + node["Actual Loops"] * rowsOf(node), 0)).toBeLessThanOrEqual(3);
  });

  test("two filters, whatever they are", async () => {
    expect(pairs.length).toBeGreaterThan(100);
    expect(await dearReads()).toEqual([]);
  });

  test("two filters, whatever they are, once old slots are merged", async () => {
    expect(await mergeOldSlots(database.sql({ connections: 2 }), { pauseMs: 1 })).toBe(true);
    await leaveStatistics(database, { areSlotsChanged: true });
    expect(await dearReads()).toEqual([]);
  });
});

/** How many rows a node looks at each time. */
function rowsOf(node: PlanNode): number {
  return node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
}

/** The nodes that look at rows of a table. */
function scansOf(table: string, plan: PlanNode): PlanNode[] {
  return nodesOf(plan).filter((node) => node["Relation Name"]?.startsWith(table));
}
