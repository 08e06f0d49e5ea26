import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, onTestFinished, test } from "vitest";
import { replaceMeta } from "../../server/store/queries/upkeep/index-meta.js";
import { datedTables } from "../../server/store/queries/upkeep/rows-by-day.js";
import { itemAt } from "../../shared/values/lookups.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { gatewayTo } from "../helpers/peers/mainnet-gateway.js";
import { TonwireProcess } from "../helpers/services/command.js";
import { CommandHere, tonwireHere } from "../helpers/services/command-here.js";
import { here } from "../helpers/services/role-processes.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { storedTexts } from "../helpers/store/parquet-texts.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { sharedStory } from "../helpers/stories/shared-story.js";
import { storyIndex } from "../helpers/stories/story-index.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };

type Cells = Record<string, string | null>;

/** Rows of a query of DuckDB, all values as texts. */
async function duckdb(sql: string): Promise<Cells[]> {
  const instance = await DuckDBInstance.create(":memory:");
  onTestFinished(() => instance.closeSync());
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(sql);
  return reader
    .getRowObjects()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
      ),
    );
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".parquet"))
    .sort();

describeServers("Parquet files of an index", (_, server) => {
  async function place() {
    const databaseUrl = await server().databaseWithSchema(storyIndex);
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const sql = database.sql();
    await replaceMeta(sql, "network", "devnet");
    const folder = temporaryFolder();
    const flags = ["--dir", folder, "--database-url", databaseUrl, "--log-level", "silent"];
    const run = (table: string, ...more: string[]) => tonwireHere(["export", table, ...flags, ...more]);
    const source = (table: string) =>
      `read_parquet('${folder}/${table}/**/*.parquet', hive_partitioning = true)`;
    return { databaseUrl, sql, folder, flags, run, source };
  }

  test("have every value of their tables, also integers of 78 digits", slow, async () => {
    const { sql, run, source } = await place();
    const long = 2n ** 256n - 1n;
    await sql.query({
      text: "update nft_transfers set nft_item_index = $1 where nft_item_index = 0",
      values: [long],
    });
    for (const [name, dated] of datedTables) {
      expect(await run(name)).toMatchObject({ code: 0, stderr: "" });
      const { stored, found } = await storedTexts(sql, dated);
      expect(found(await duckdb(`select * exclude (day) from ${source(name)}`))).toEqual(stored);
      expect(stored.length, name).toBeGreaterThan(0);
    }
    const [index] = await duckdb(
      `select nft_item_index, nft_item_index_text from ${source("nft_transfers")} where nft_item_index is null limit 1`,
    );
    expect(index).toEqual({ nft_item_index: null, nft_item_index_text: String(long) });
  });

  test("are asked by DuckDB as v3 is, with the same answer", slow, async () => {
    const { databaseUrl, run, source } = await place();
    await run("transactions");
    const story = await sharedStory();
    onTestFinished(() => story.close());
    const api = await here.startApi({ databaseUrl, globalConfig: await gatewayTo(story.api) });
    type Answer = { transactions: Record<string, unknown>[] };
    const path = "/api/v3/transactions?limit=1000&sort=asc";
    const answer = await until("the index", async () => {
      const [status, found] = (await api.ask(path)) as [number, Answer];
      return status === 200 && found.transactions.length > 0 ? found : undefined;
    });
    const wanted = answer.transactions.map((row) => ({
      account: row["account"],
      hash: row["hash"],
      lt: row["lt"],
      now: String(row["now"]),
      total_fees: row["total_fees"],
      end_status: row["end_status"],
      trace_id: row["trace_id"],
      descr: (row["description"] as { type: string }).type,
      gas: (row["description"] as { compute_ph?: { gas_used?: string } }).compute_ph?.gas_used ?? null,
    }));
    const read = await duckdb(`
      select account, hash, lt, now, total_fees, end_status, trace_id, descr, compute_gas_used as gas
      from ${source("transactions")} where lt <= ${itemAt(wanted, -1).lt}`);
    const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(read)).toEqual(sorted(wanted));
  });

  test("are by days, go on after a kill, and are written once", slow, async () => {
    const { folder, flags, run, source, sql } = await place();
    const shift = "update blocks set gen_utime = gen_utime + 86400 * (mc_block_seqno / 30)";
    await sql.query({ text: shift, values: [] });
    const killed = new TonwireProcess(["export", "messages", ...flags]);
    await until("a file", () => readdirSync(folder).length > 0 && filesIn(folder).length > 0);
    killed.send("SIGKILL");
    await killed.ended;
    const before = filesIn(folder);
    const times = before.map((path) => statSync(join(folder, path)).mtimeMs);
    expect(await run("messages")).toMatchObject({ code: 0 });
    expect(before.map((path) => statSync(join(folder, path)).mtimeMs)).toEqual(times);
    const [{ n }] = (await duckdb(`select count(*) as n from ${source("messages")}`)) as [Cells];
    const [stored] = await sql.query<{ n: bigint }>({
      text: "select count(*) as n from messages",
      values: [],
    });
    expect(n).toBe(String(stored!.n));
    const days = await duckdb(`
      select day, min(m.mc_seqno) as first from ${source("messages")} m group by day order by day`);
    expect(days.length).toBeGreaterThan(1);
    const all = filesIn(folder);
    // A file that is missing is written again, and no other.
    rmSync(join(folder, all[0]!));
    expect(await run("messages")).toMatchObject({ code: 0 });
    expect(filesIn(folder)).toEqual(all);
    const [again] = await duckdb(`select count(*) as n from ${source("messages")}`);
    expect(again).toEqual({ n });
    const part = temporaryFolder();
    expect(await run("messages", "--from", "40", "--to", "62", "--dir", part)).toMatchObject({ code: 0 });
    expect(filesIn(join(part, "messages")).map((path) => path.split("/")[1])).toEqual([
      "40-59.parquet",
      "60-62.parquet",
    ]);
    // Blocks that a file has are not written again.
    expect(await run("messages", "--from", "50", "--to", "80", "--dir", part)).toMatchObject({ code: 0 });
    expect(filesIn(join(part, "messages")).map((path) => path.split("/")[1])).toEqual([
      "40-59.parquet",
      "60-62.parquet",
      "63-66.parquet",
    ]);
  });

  test("are refused for other tables and days that the index does not have", slow, async () => {
    const { run, sql } = await place();
    expect(await run("api_keys")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/api_keys cannot be exported; allowed: blocks, .*transactions, messages/),
    });
    await sql.query({ text: "update index_ranges set from_seqno = 5", values: [] });
    expect(await run("blocks", "--from", "4")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the blocks before 5 are not in the index: --from must not be less"),
    });
    expect(await run("blocks", "--from", "9", "--to", "8")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--from is 9; allowed: at most 8"),
    });
  });

  test("follow the index until their last block is stored", slow, async () => {
    const { databaseUrl, folder, flags, sql } = await place();
    const [{ last }] = (await sql.query({ text: "select last from indexed_range", values: [] })) as [
      { last: number },
    ];
    const following = new CommandHere(["export", "blocks", ...flags, "--follow", "--to", String(last + 2)]);
    await following.printed(/(exports blocks)/);
    const story = await sharedStory();
    onTestFinished(() => story.close());
    await story.controls.mine(2);
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    await indexAll(database, story.api, { network: "devnet" });
    expect(await following.ended).toBe(0);
    expect(itemAt(filesIn(folder), -1)).toContain(`-${last + 2}.parquet`);
  });
});
