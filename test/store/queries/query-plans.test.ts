import SQL from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Queries, Sql, Statement } from "../../../server/store/database.js";
import { readExtras } from "../../../server/store/queries/accounts/account-extras.js";
import { readAccounts, richestAccounts } from "../../../server/store/queries/accounts/accounts.js";
import { listBlocks } from "../../../server/store/queries/blocks/block-list.js";
import { indexedEnds, shardHeads } from "../../../server/store/queries/blocks/blocks.js";
import { masterchainBlockExists } from "../../../server/store/queries/blocks/masterchain-blocks.js";
import { messageKeys } from "../../../server/store/queries/cluster/message-keys.js";
import type { MessageListFilter } from "../../../server/store/queries/messages/message-filter.js";
import { listMessages } from "../../../server/store/queries/messages/messages.js";
import { OffsetBookmarks } from "../../../server/store/queries/slots/offset-bookmarks.js";
import { readSlots } from "../../../server/store/queries/slots/slots.js";
import { listDnsAuctions, listDnsRecords } from "../../../server/store/queries/tokens/dns.js";
import { listActions } from "../../../server/store/queries/traces/actions.js";
import { listTraces, type TraceFilter } from "../../../server/store/queries/traces/traces.js";
import type { TransactionFilter } from "../../../server/store/queries/transactions/transaction-filter.js";
import {
  adjacentTransactions,
  listTransactions,
  transactionsOfTraces,
} from "../../../server/store/queries/transactions/transactions.js";
import { keepText } from "../../../server/store/sql/row-bytes.js";
import type { Direction, Page } from "../../../server/store/sql/where.js";
import { databaseKinds, type FreshDatabase } from "../../helpers/store/databases.js";
import { accountOf, bytesOf, hashOf, storeRows } from "../../helpers/store/rows.js";
import { sampleBodies, sampleIndex, sampleOpcodes } from "../../helpers/store/sample-index.js";

const page = { limit: 10, offset: 20, sort: "desc" } as const;
const hash = hashOf("any");
const [a, b] = [accountOf("a"), accountOf("b")];
const opcode = sampleOpcodes[2]!;
const times = { start_utime: 100, end_utime: 110 };
const lts = { start_lt: 10n, end_lt: 20n };

const transactions: TransactionFilter[] = [
  {},
  times,
  lts,
  { account: [a] },
  { account: [a], ...times },
  { account: [a, b], ...lts },
  { exclude_account: [a] },
  { hash: [hash] },
  { lt: 5n },
  { mc_seqno: 3 },
  { workchain: 0, shard: 2n ** 62n, seqno: 3 },
  { workchain: 0, shard: 2n ** 62n },
  { shard: 2n ** 62n },
  { workchain: 0 },
  { seqno: 3 },
  { msg_hash: [hash], direction: "in" },
  { body_hash: sampleBodies[0]! },
  { opcode },
  { source: a },
  { destination: a, opcode },
];
const messages: MessageListFilter[] = [
  {},
  times,
  lts,
  { msg_hash: [hash] },
  { body_hash: sampleBodies[0]! },
  { source: a },
  { destination: a },
  { source: null },
  { source: null, destination: a },
  { opcode, direction: "in" },
  { only_externals: true },
];
const blocks = [
  {},
  times,
  lts,
  { seqno: 3 },
  { workchain: -1, shard: -(2n ** 63n), seqno: 3 },
  { mc_seqno: 3 },
  { root_hash: hash },
  { file_hash: hash },
];
const traces: TraceFilter[] = [
  {},
  times,
  lts,
  { account: a },
  { account: a, ...times },
  { account: a, mc_seqno: 3 },
  { trace_id: [hash] },
  { tx_hash: [hash] },
  { msg_hash: [hash] },
  { mc_seqno: 3 },
];

const types = { wanted: ["call_contract", "ton_transfer"], ancestors: [] };
const namedTypes = { wanted: ["ton_transfer"], ancestors: [], areNamed: true };
const actions: Parameters<typeof listActions>[1][] = [
  { types },
  { types, ...times },
  { types, ...times, ...lts },
  { types: namedTypes },
  { types: namedTypes, ...times },
  { types, account: a },
  { types, account: a, ...times },
  { types, account: a, ...lts },
  { types, action_id: [hash] },
  { types, mc_seqno: 3 },
];

const dnsAuctions = {
  bidder: bytesOf(a),
  state: "won",
  now: 100n,
  after: { endTime: 5n, item: bytesOf(b) },
} as const;

type Ask = (queries: Queries) => Promise<unknown>;
type List = (
  queries: Queries,
  asked: Page & { sort: Direction },
  bookmarks: OffsetBookmarks,
) => Promise<unknown>;
const lists: [string, List][] = [
  ...transactions.map((filter): [string, List] => [
    `transactions by ${namesOf(filter)}`,
    (queries, ...more) => listTransactions(queries, filter, ...more, keepText),
  ]),
  ...messages.map((filter): [string, List] => [
    `messages by ${namesOf(filter)}`,
    (queries, ...more) => listMessages(queries, filter, ...more, keepText),
  ]),
  ...blocks.map((filter): [string, List] => [
    `blocks by ${namesOf(filter)}`,
    (queries, ...more) => listBlocks(queries, filter, ...more),
  ]),
];
const asked: [string, Ask][] = [
  ...lists.map(([name, list]): [string, Ask] => [
    name,
    (queries) => list(queries, page, new OffsetBookmarks()),
  ]),
  ...traces.map((filter): [string, Ask] => [
    `traces by ${namesOf(filter)}`,
    (queries) => listTraces(queries, filter, page),
  ]),
  ...actions.map((filter): [string, Ask] => [
    `actions by ${namesOf(filter)}${filter.types.areNamed ? ", named" : ""}`,
    (queries) => listActions(queries, filter, page),
  ]),
  ["transactions of traces", (queries) => transactionsOfTraces(queries, [{ id: hash, from: 1n, to: 9n }])],
  ["adjacent transactions", (queries) => adjacentTransactions(queries, hash, "in", keepText)],
  ["heads of shards", (queries) => shardHeads(queries, 3)],
  ["the ends of the index", indexedEnds],
  ["a masterchain block", (queries) => masterchainBlockExists(queries, 3)],
  ["accounts", (queries) => readAccounts(queries, { addresses: [a], codeHashes: [hash] }, "both")],
  ["the richest accounts", (queries) => richestAccounts(queries, page)],
  ["the address book", (queries) => readExtras(queries, [bytesOf(a)], ["book"])],
  ["domains by their name", (queries) => listDnsRecords(queries, { domain: "a.ton" }, page)],
  ["domains by wallet", (queries) => listDnsRecords(queries, { wallet: bytesOf(a) }, page)],
  ["auctions of domains", (queries) => listDnsAuctions(queries, dnsAuctions, page)],
];

function namesOf(filter: object): string {
  return Object.keys(filter).join(", ") || "nothing";
}

type Plan = { "Node Type": string; "Relation Name"?: string; "Index Cond"?: string; Plans?: Plan[] };

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

/** Lists too long to read whole for a page. */
const readInOrder = new Set([
  ...[
    "nothing",
    "start_utime, end_utime",
    "start_lt, end_lt",
    "account",
    "account, start_utime, end_utime",
  ].map((filter) => `transactions by ${filter}`),
  ...["mc_seqno", "workchain, shard, seqno", "workchain, shard"].map((filter) => `transactions by ${filter}`),
  ...["nothing", "start_utime, end_utime", "source", "destination", "opcode, direction"].map(
    (filter) => `messages by ${filter}`,
  ),
  "blocks by nothing",
  "blocks by start_utime, end_utime",
  "traces by account",
  "traces by account, start_utime, end_utime",
  "traces by nothing",
  "traces by start_utime, end_utime",
  ...["types", "types, start_utime, end_utime", "types, named", "types, account", "types, mc_seqno"].map(
    (filter) => `actions by ${filter}`,
  ),
  "actions by types, account, start_utime, end_utime",
  "the richest accounts",
  "the address book",
  "domains by wallet",
  "auctions of domains",
]);

/** Tables read by a sequential scan; index_ranges has a few rows only. */
function scanned(plan: Plan): string[] {
  const own = plan["Node Type"] === "Seq Scan" && plan["Relation Name"] !== "index_ranges";
  return [...(own ? [plan["Relation Name"]!] : []), ...(plan.Plans ?? []).flatMap(scanned)];
}

describe.each(databaseKinds)("no query on %s scans a whole table", (_, open) => {
  let fresh: FreshDatabase;
  let queries: Sql;
  beforeAll(async () => {
    fresh = await open();
    queries = fresh.database.sql();
    await storeRows(fresh.database, sampleIndex());
  });
  afterAll(() => fresh.close());

  /** The plans of all queries of `ask`, with some methods of the planner disabled. */
  function plansOf(ask: Ask, forbidden: readonly string[]): Promise<Plan[]> {
    return queries.transaction(async (transaction) => {
      for (const way of forbidden) await transaction.script(`set local enable_${way} = off`);
      const statements: Statement[] = [];
      await ask({
        isDivided: () => transaction.isDivided(),
        query: async <Row>(statement: Statement) => {
          statements.push(statement);
          return transaction.query<Row>(statement);
        },
      });
      const found: Plan[] = [];
      for (const { text, values } of statements) {
        const explain = { text: `explain (verbose, format json) ${text}`, values };
        const [row] = await transaction.query<{ "QUERY PLAN": { Plan: Plan }[] }>(explain);
        found.push(row!["QUERY PLAN"][0]!.Plan);
      }
      return found;
    });
  }

  it.each(asked)("for %s", async (_, ask) => {
    // The planner scans small tables; disabling that shows whether an index serves the query.
    const plans = await plansOf(ask, ["seqscan"]);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.flatMap(scanned)).toEqual([]);
  });

  it.each(asked.filter(([name]) => readInOrder.has(name)))(
    "and pages of %s are read in order",
    async (_, ask) => {
      const plans = await plansOf(ask, ["seqscan", "bitmapscan", "sort"]);
      // Parts that the search needs first, such as slots, have no limit. A page of several slots has one for each, and sorts those rows.
      const limits = plans.flatMap(nodes).filter((node) => node["Node Type"] === "Limit");
      const limit = limits.find(
        (node) =>
          !nodes(node)
            .slice(1)
            .some((inner) => limits.includes(inner)),
      )!;
      // An incremental sort of rows equal in the first columns is allowed: those are few.
      expect(nodes(limit).map((node) => node["Node Type"])).not.toContain("Sort");
    },
  );

  it.each(asked.filter(([name]) => name.startsWith("messages by ") && !name.includes("msg_hash")))(
    "and pages of %s have each message once without grouping",
    async (_, ask) => {
      const plans = await plansOf(ask, ["seqscan"]);
      const limit = plans.flatMap(nodes).find((node) => node["Node Type"] === "Limit")!;
      const kinds = nodes(limit).map((node) => node["Node Type"]);
      expect(kinds.filter((kind) => ["Aggregate", "Group", "Unique"].includes(kind))).toEqual([]);
    },
  );

  it("and external messages to an account are found by their route, as most of its messages are not external", async () => {
    for (const filter of [
      { source: null, destination: a },
      { only_externals: true, destination: a },
    ]) {
      const ask: Ask = (queries) => listMessages(queries, filter, page, new OffsetBookmarks(), keepText);
      const plans = await plansOf(ask, ["seqscan", "bitmapscan", "sort"]);
      const searches = plans.flatMap(nodes).filter((node) => node["Relation Name"]?.startsWith("messages_"));
      expect(searches.map((node) => node["Index Cond"])).toContainEqual(
        expect.stringMatching(/COALESCE\((\w+\.)?source/i),
      );
    }
  });

  it.each<[string, MessageListFilter]>([
    ["all", {}],
    ["those of some lt", lts],
    ["those of some times", times],
    ["those of an account", { source: a }],
    ["those with an opcode", { opcode }],
  ])("and shards of a cluster find the first messages of %s in order", async (_, filter) => {
    const byTime = filter.start_utime !== undefined;
    const ask: Ask = async (queries) => {
      const slots = await readSlots(queries);
      const { keys } = messageKeys(filter, { sort: "desc", byTime, located: undefined, slots });
      await queries.query(keys(page, undefined, slots.slice(0, 1)));
    };
    const plan = (await plansOf(ask, ["seqscan", "bitmapscan", "sort"])).at(-1)!;
    expect(nodes(plan).map((node) => node["Node Type"])).not.toContain("Sort");
  });

  it.each(asked)("and the JSON of %s is made without a function call per row", async (_, ask) => {
    expect(JSON.stringify(await plansOf(ask, []))).not.toContain("wire_");
  });

  it.each(lists)("for %s, when a reader goes on after a new block", async (_, list) => {
    const plans = await plansOf(
      async (queries) => {
        const bookmarks = new OffsetBookmarks({ fromOffset: 0 });
        await queries.query(SQL`delete from index_ranges`);
        await queries.query(SQL`
          insert into index_ranges (from_seqno, to_seqno, done_to, state) values (1, 2147483647, 5, 1)`);
        await list(queries, { limit: 1, offset: 0, sort: "desc" }, bookmarks);
        await queries.query(SQL`update index_ranges set done_to = 6`);
        await list(queries, { limit: 1, offset: 2, sort: "desc" }, bookmarks);
      },
      ["seqscan"],
    );
    expect(plans.flatMap(scanned)).toEqual([]);
  });

  it("and a scan would be noticed", async () => {
    const [row] = await queries.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
      SQL`explain (format json) select * from blocks where tx_count = 1`,
    );
    expect(scanned(row!["QUERY PLAN"][0]!.Plan)).toEqual(["blocks_0"]);
  });
});
