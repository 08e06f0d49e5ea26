import SQL, { raw } from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate.js";
import { openPostgres } from "../../server/store/postgres.js";
import { receivedMessages } from "../../server/store/queries/pending.js";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { type Explained, ExplainedSql, type PlanNode } from "../helpers/explained-sql.js";
import { GrowingIndex, grown } from "../helpers/growing-index.js";
import { grownTokens } from "../helpers/growing-tokens.js";
import { type IndexApp, startIndexApp } from "../helpers/index-app.js";
import { havePostgres, TestPostgres } from "../helpers/postgres.js";
import { allowSlowTests } from "../helpers/slow-tests.js";

allowSlowTests();

const limit = 10;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const { busy, partner, rare, seqno } = grown;
const [hash, otherHash, thirdHash] = grown.hashes.map(hex);
const [message, otherMessage, thirdMessage] = grown.messages.map(hex);
const shard = grown.shard.toString(16);
const times = `start_utime=${grown.times.start_utime}&end_utime=${grown.times.end_utime}`;
const lts = `start_lt=${grown.lts.start_lt}&end_lt=${grown.lts.end_lt}`;
const body = encodeURIComponent(Buffer.from(grown.body).toString("base64"));
const opcode = grown.opcode;
const { oldOpcode, oldShard } = grown;
const oldBody = encodeURIComponent(Buffer.from(grown.oldBody).toString("base64"));
const since = `start_utime=${grown.times.start_utime}`;

const { busyMaster, rareMaster, busyWallet, busyCollection, rareCollection, busyItem } = grownTokens;
const { busyMultisig, rareMultisig, sales } = grownTokens;
/** Of lists of token events, which are searched alike: the first one is measured by all of them. */
const ofEvents = [
  "",
  "sort=asc",
  times,
  since,
  lts,
  `end_lt=${grown.lts.end_lt}`,
  `owner_address=${busy}`,
  `owner_address=${busy}&${times}`,
  `owner_address=${busy}&${since}`,
  `owner_address=${busy}&owner_address=${partner}&owner_address=${rare}`,
  `owner_address=${rare}`,
  `owner_address=${rare}&sort=asc`,
];
const directed = ["in", "out"].flatMap((direction) =>
  [busy, rare].map((owner) => `owner_address=${owner}&direction=${direction}`),
);
const ofJettons = [
  `jetton_wallet=${busyWallet}`,
  `jetton_master=${busyMaster}`,
  `jetton_master=${busyMaster}&${since}`,
  `jetton_master=${rareMaster}`,
  `jetton_master=${busyMaster}&owner_address=${busy}`,
  `jetton_master=${busyMaster}&owner_address=${rare}`,
];

/** Queries of each method; none if it reads nothing of the index that another one does not read. */
const reads: Record<string, readonly string[]> = {
  masterchainInfo: [""],
  blocks: [
    "",
    since,
    "seqno=60",
    `workchain=0&shard=${shard}&seqno=60`,
    "mc_seqno=60",
    `root_hash=${hex(grown.rootHash)}`,
    times,
    lts,
  ],
  masterchainBlockShardState: ["seqno=60"],
  masterchainBlockShards: ["seqno=60"],
  transactions: [
    "",
    "sort=asc",
    times,
    since,
    lts,
    `end_lt=${grown.lts.end_lt}`,
    `account=${busy}`,
    `account=${busy}&${times}`,
    `account=${busy}&${since}`,
    `account=${busy}&offset=350`,
    `account=${busy}&sort=asc&offset=350`,
    `account=${busy}&account=${partner}&offset=350`,
    `account=${busy}&account=${partner}&account=${rare}`,
    `account=${rare}`,
    `account=${rare}&sort=asc`,
    `exclude_account=${busy}`,
    `hash=${hash}`,
    `hash=${hash}&hash=${otherHash}&hash=${thirdHash}`,
    `lt=${grown.lts.start_lt + 1n}`,
    `mc_seqno=${seqno}`,
    `workchain=0&shard=${shard}&seqno=${seqno}`,
    `workchain=0&seqno=${seqno}`,
    `seqno=${seqno}`,
    `workchain=0&shard=${shard}`,
    `workchain=0&shard=${oldShard.toString(16)}`,
    `workchain=0&shard=${oldShard.toString(16)}&${lts}`,
    `workchain=0&shard=${oldShard.toString(16)}&${since}`,
    `workchain=0&shard=${oldShard.toString(16)}&end_utime=2000000000&sort=asc`,
    `shard=${oldShard.toString(16)}`,
    `shard=${oldShard.toString(16)}&${since}`,
    "workchain=-1",
    "workchain=0",
    "workchain=5",
    `msg_hash=${message}`,
    `opcode=0x${oldOpcode.toString(16)}`,
    `opcode=${opcode}`,
    `opcode=${opcode}&direction=in`,
    `body_hash=${body}`,
    `body_hash=${oldBody}`,
    `source=${busy}`,
    `destination=${busy}`,
    `source=${busy}&destination=${partner}`,
    `source=${rare}`,
  ],
  transactionsByMasterchainBlock: [`seqno=${seqno}`],
  transactionsByMessage: [
    `msg_hash=${message}`,
    `msg_hash=${message}&msg_hash=${otherMessage}&msg_hash=${thirdMessage}`,
    `msg_hash=${hex(grown.external)}`,
    `body_hash=${body}`,
    `body_hash=${oldBody}`,
    `opcode=${opcode}`,
  ],
  adjacentTransactions: [`hash=${hash}`, `hash=${hash}&direction=in`],
  messages: [
    "",
    times,
    since,
    lts,
    `msg_hash=${message}`,
    `msg_hash=${message}&msg_hash=${otherMessage}&msg_hash=${thirdMessage}`,
    `msg_hash=${hex(grown.external)}`,
    `body_hash=${body}`,
    `body_hash=${oldBody}`,
    `opcode=0x${oldOpcode.toString(16)}`,
    `opcode=${opcode}`,
    `opcode=${opcode}&direction=in`,
    `source=${busy}`,
    `destination=${busy}`,
    `source=${busy}&destination=${partner}`,
    `source=${rare}`,
    "source=null",
    "only_externals=true",
    `start_utime=1&end_lt=${grown.slotEnd}`,
    "exclude_externals=true",
  ],
  traces: [
    "",
    times,
    lts,
    `account=${busy}`,
    `account=${busy}&${times}`,
    `account=${busy}&${since}`,
    `account=${busy}&start_lt=1&end_utime=${grown.times.end_utime}`,
    `account=${busy}&mc_seqno=${seqno}`,
    `account=${rare}`,
    ...grown.traceIds.map((id) => `trace_id=${hex(id)}`),
    `tx_hash=${hash}`,
    `tx_hash=${hash}&tx_hash=${otherHash}&tx_hash=${thirdHash}`,
    `msg_hash=${message}`,
    `mc_seqno=${seqno}`,
  ],
  actions: [
    "",
    times,
    lts,
    "action_type=jetton_transfer",
    "action_type=jetton_transfer&action_type=ton_transfer",
    `account=${busy}`,
    `account=${busy}&${times}`,
    `account=${rare}`,
    `action_id=${hex(grown.action)}`,
    ...grown.traceIds.map((id) => `trace_id=${hex(id)}`),
    `tx_hash=${hash}`,
    `msg_hash=${message}`,
    `mc_seqno=${seqno}`,
    "include_transactions=true",
  ],
  events: ["", `account=${rare}`],
  balanceChanges: [`trace_id=${hex(grown.traceIds[0]!)}`, `action_id=${hex(grown.action)}`],
  accountStates: [`address=${rare}`],
  walletStates: [`address=${rare}`],
  addressBook: [`address=${rare}`, `address=${busy}&address=${partner}`],
  topAccountsByBalance: [""],
  "jetton.masters": ["", `address=${busyMaster}`, `admin_address=${busy}`, `admin_address=${rare}`],
  "jetton.wallets": [
    "",
    "sort=asc",
    "exclude_zero_balance=true",
    `owner_address=${busy}`,
    `owner_address=${busy}&sort=asc`,
    `owner_address=${busy}&jetton_address=${busyMaster}`,
    `owner_address=${rare}`,
    `jetton_address=${busyMaster}`,
    `jetton_address=${rareMaster}`,
  ],
  "jetton.transfers": [...ofEvents, ...directed, ...ofJettons],
  "jetton.burns": ["", `owner_address=${busy}`, `owner_address=${rare}`, `jetton_master=${busyMaster}`],
  "nft.collections": [
    "",
    `collection_address=${busyCollection}`,
    `owner_address=${busy}`,
    `owner_address=${rare}`,
  ],
  "nft.items": [
    "",
    "sort=asc",
    `address=${busyItem}`,
    `owner_address=${busy}`,
    `owner_address=${busy}&include_on_sale=true`,
    `owner_address=${busy}&collection_address=${busyCollection}`,
    `owner_address=${rare}`,
    `collection_address=${busyCollection}`,
    `collection_address=${rareCollection}`,
    `collection_address=${busyCollection}&index=5`,
  ],
  "nft.sales": [`address=${rare}`, sales.map((address) => `address=${address}`).join("&")],
  "dns.records": [`wallet=${busy}&limit=10`, `wallet=${rare}`, `domain=${grown.domain}`],
  "dns.activeAuctions": [`bidder=${busy}&limit=10`, `bidder=${busy}&state=won&limit=10`, `bidder=${rare}`],
  "multisig.wallets": [
    `address=${rareMultisig}`,
    `wallet_address=${rare}`,
    `wallet_address=${rare}&include_orders=false`,
  ],
  "multisig.orders": [
    `address=${rare}`,
    `multisig_address=${rareMultisig}`,
    `multisig_address=${busyMultisig}`,
    `multisig_address=${busyMultisig}&sort=asc`,
  ],
  vesting: [
    `contract_address=${rare}`,
    `wallet_address=${rare}`,
    `wallet_address=${rare}&check_whitelist=true`,
  ],
  "nft.transfers": [
    "",
    `owner_address=${busy}`,
    `owner_address=${rare}&direction=in`,
    `item_address=${busyItem}`,
    `collection_address=${busyCollection}`,
    `collection_address=${rareCollection}`,
    `collection_address=${busyCollection}&owner_address=${busy}`,
  ],
  // By `receivedMessages`, below, for which these need a chain.
  pendingTransactions: [],
  pendingTraces: [],
  pendingActions: [],
  // Like accountStates.
  addressInformation: [],
  walletInformation: [],
  // Without the index.
  metadata: [],
  decode: [],
  message: [],
  estimateFee: [],
  runGetMethod: [],
};

/** After so many runs a server that may choose a plan for all values has chosen. */
const warmUps = 6;
/** A connection gives names to 500 texts, and only statements with a name are explained. */
const readsPerConnection = 60;
const sizes = [4, 16, 64] as const;
const maxGrowth = 1.3;
const maxRemoved = 10 * limit;
/** A page of ten traces has 40 transactions with 70 messages. */
const maxRows = 20 * limit;

type Read = [name: string, run: (app: IndexApp, sql: ExplainedSql) => Promise<unknown>];

const all: Read[] = [
  ...Object.entries(reads).flatMap(([method, queries]) =>
    queries.map((query): Read => {
      const path = `${method.replace(".", "/")}?${query}`;
      return [path, (app) => app.result(path)];
    }),
  ),
  [
    "received messages",
    (_, sql) => sql.transaction((queries) => receivedMessages(queries, grown.messages), { snapshot: true }),
  ],
];

test("The reads that are measured are of every v3 method", () => {
  const names = flatten(registry.v3).map(([name]) => name);
  expect(Object.keys(reads).sort()).toEqual(names.sort());
});

describe.skipIf(!havePostgres())("As the index grows from 4 to 16 and 64 slots", () => {
  const seen = new Map<string, Explained[][]>();
  let server: TestPostgres;
  let database: Database;
  beforeAll(async () => {
    server = await TestPostgres.start();
    const url = await server.database();
    database = openPostgres(url);
    await migrate(database.sql());
    const index = new GrowingIndex(database);
    await index.begin();
    for (const size of sizes) {
      await index.growTo(size);
      await leaveStatistics(database);
      for (let at = 0; at < all.length; at += readsPerConnection)
        await measure(url, all.slice(at, at + readsPerConnection));
    }
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  async function measure(url: string, reads: readonly Read[]): Promise<void> {
    const reader = openPostgres(url);
    const sql = new ExplainedSql(reader.sql({ connections: 1, statementTimeoutMs: 120_000 }));
    const app = await startIndexApp({ ...reader, sql: () => sql });
    for (const [name, run] of reads) {
      for (let i = 0; i < warmUps; i++) await run(app, sql);
      seen.set(name, [...(seen.get(name) ?? []), await sql.explain(() => run(app, sql))]);
    }
    await app.close();
    await reader.close();
  }

  test.each(all)("%s reads about as many pages", (name) => {
    const [, middle, large] = seen.get(name)!;
    // Small trees grow deeper: each search may read a page more.
    expect(buffersOf(large!)).toBeLessThanOrEqual(maxGrowth * buffersOf(middle!) + searchesOf(middle!));
  });

  test.each(all)("%s reads nothing in vain", (name) => {
    // Tables of the smaller index are small enough to be scanned.
    for (const { text, plan } of seen.get(name)!.at(-1)!)
      for (const node of nodesOf(plan)) {
        expect(rowsOf(node), JSON.stringify([text, node])).toBeLessThanOrEqual(maxRows);
        expect(removedBy(node), JSON.stringify([text, node])).toBeLessThanOrEqual(maxRemoved);
      }
  });
});

/** Autovacuum sees to tables that have rows; to their parents it never does. */
async function leaveStatistics(database: Database): Promise<void> {
  const sql = database.sql({ connections: 1 });
  const tables = await sql.query<{ name: string }>(SQL`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  for (const { name } of tables) await sql.query(SQL`vacuum (analyze) ${raw(name)}`);
}

function buffersOf(explained: readonly Explained[]): number {
  return explained.reduce((sum, { plan }) => sum + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], 0);
}

/** How often an index is searched from its root. */
function searchesOf(explained: readonly Explained[]): number {
  return explained
    .flatMap(({ plan }) => nodesOf(plan))
    .filter((node) => node["Node Type"].includes("Index"))
    .reduce((sum, node) => sum + node["Actual Loops"], 0);
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function rowsOf(node: PlanNode): number {
  return node["Actual Rows"] * node["Actual Loops"];
}

function removedBy(node: PlanNode): number {
  const perLoop =
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Join Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  return perLoop * node["Actual Loops"];
}
