import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { configWith } from "../../server/config/settings.js";
import { createIndexer } from "../../server/process/jobs/indexer.js";
import { isLong } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { mainnetGateway } from "../helpers/peers/mainnet-gateway.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { dumpTables } from "../helpers/store/tables.js";
import { type ChainData, describeWithChain } from "../helpers/test-data.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };
/** The blocks have thousands of transactions, and the machine may be busy. */
const indexMs = 300_000;

type Ask = (path: string) => Promise<unknown>;
type Block = { workchain: number; shard: string; seqno: number; tx_count: number };

/** All pages of a list. */
async function listed<T>(ask: Ask, name: string): Promise<T[]> {
  const rows: T[] = [];
  for (;;) {
    const answer = await ask(`/api/v3/${name}?limit=1000&offset=${rows.length}`);
    const page = (answer as Record<string, T[]>)[name]!;
    rows.push(...page);
    if (page.length < 1000) return rows;
  }
}

/** Answers of a service: transactions by block, and their number. */
async function answered(ask: Ask) {
  const blocks = await listed<Block>(ask, "blocks");
  return {
    blocks: new Map(blocks.map((block) => [idOf(block), block.tx_count])),
    transactions: (await listed(ask, "transactions")).length,
  };
}

/** The expected values from the record. */
function expected(chain: ChainData) {
  const blocks = chain.recordedBlocks();
  return {
    blocks: new Map(blocks.map((block) => [idOf(block), block.n_txs])),
    transactions: blocks.reduce((sum, { n_txs }) => sum + n_txs, 0),
  };
}

const idOf = ({ workchain, shard, seqno }: Pick<Block, "workchain" | "shard" | "seqno">) =>
  `${workchain},${shard.toUpperCase()},${seqno}`;

type Range = { first?: { seqno: number }; last?: { seqno: number } };

/** Waits for the newest block; returns the first and last block of the index. */
async function range(ask: Ask, newest: number): Promise<[first: number, last: number]> {
  return until(
    "the newest block",
    async () => {
      const { first, last } = (await ask("/api/v3/masterchainInfo")) as Range;
      return last?.seqno === newest && [first!.seqno, last.seqno];
    },
    indexMs,
  );
}

const asking =
  (service: TestService): Ask =>
  async (path) =>
    (await service.get(path, { key: null })).json;

const isWell = (service: TestService) =>
  until("health", async () => (await service.get("/healthcheck?only=all", { key: null })).status === 200);

/** Whether the given members have the expected values. */
function matches(status: object | null, members: Readonly<Record<string, unknown>>): boolean {
  const entries = status as Record<string, unknown> | null;
  return Object.entries(members).every(([name, value]) => entries?.[name] === value);
}

describeWithChain("The first blocks of mainnet behind a liteserver", (chain) => {
  const { newest } = chain;

  /** A service in this process that reads the recorded blocks. */
  async function started(settings: object): Promise<TestService> {
    const { globalConfig } = await mainnetGateway(chain);
    const service = await startService({
      network: "mainnet",
      globalConfig,
      index: true,
      anonymousRps: "unlimited",
      callTimeoutMs: 400_000,
      // The recorded blocks are years old.
      healthMaxHeadAge: 1_000_000_000,
      ...settings,
    });
    onTestFinished(() => service.close());
    return service;
  }

  test.runIf(isLong)("are indexed by a single process from the block of --from", slow, async () => {
    const service = await started({ from: 1 });
    const ask = asking(service);
    expect(await range(ask, newest)).toEqual([1, newest]);
    expect(await answered(ask)).toEqual(expected(chain));
    await isWell(service);
    expect(service.logLines.join("")).toContain("the index is kept in memory and grows with the chain");
  });

  test("are served by v2 only if the index is disabled", slow, async () => {
    const service = await started({ index: false });
    await isWell(service);
    expect((await service.get("/api/v2/getMasterchainInfo", { key: null })).status).toBe(200);
    expect((await service.get("/api/v3/blocks", { key: null })).status).toBe(404);
  });

  describePostgres("with separate processes", (_fresh, server) => {
    test.runIf(isLong)("stop an index of other blocks, and leave it unchanged", slow, async () => {
      const { globalConfig } = await mainnetGateway(chain);
      const databaseUrl = await server().database();
      const database = openPatiently(databaseUrl);
      onTestFinished(() => database.close());
      const adminPort = await freePort();
      const start = async () => {
        const config = {
          network: "mainnet",
          globalConfig,
          databaseUrl,
          adminPort,
          from: newest - 9,
        } as const;
        const logLines: string[] = [];
        const logTo = { write: (line: string) => void logLines.push(line) };
        const indexer = createIndexer(configWith(config), { logTo });
        await indexer.listen();
        const index = async () => {
          const status = await fetch(`http://127.0.0.1:${adminPort}/status`);
          return ((await status.json()) as { index: { seqno: number; failure: string | null } | null }).index;
        };
        const health = async () =>
          (await fetch(`http://127.0.0.1:${adminPort}/healthcheck?only=writes`)).text();
        return { indexer, index, health, logLines };
      };
      const first = await start();
      await until("the newest block", async () => (await first.index())?.seqno === newest);
      await first.indexer.close();
      await database.sql().query(SQL`
        update blocks set root_hash = file_hash where workchain = -1 and seqno = ${newest}`);
      const before = await dumpTables(database);
      const second = await start();
      onTestFinished(() => second.indexer.close());
      const failure = `the chain's newest masterchain block is ${newest}, another one than is stored`;
      const stands = { role: "stopped", seqno: newest, failure };
      await until("the failure", async () => matches(await second.index(), stands));
      await until("health to tell", async () => (await second.health()).includes(failure));
      expect(second.logLines.filter((line) => line.includes("the index failed"))).toHaveLength(1);
      expect(await dumpTables(database)).toEqual(before);
    });
  });
});
