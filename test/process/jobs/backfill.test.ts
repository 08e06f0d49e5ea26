import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { planRanges } from "../../../server/indexer/work/ranges.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { isLong, variants } from "../../helpers/effort.js";
import { classifier } from "../../helpers/index/classifier.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { mainnetGateway } from "../../helpers/peers/mainnet-gateway.js";
import { tonwireHere } from "../../helpers/services/command-here.js";
import { startBackfill } from "../../helpers/services/role-processes.js";
import { describeServers } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { describeWithChain } from "../../helpers/test-data.js";
import { until } from "../../helpers/until.js";

const slow = { timeout: 600_000 };

describeWithChain("tonwire backfill over the first blocks of mainnet", (chain) => {
  const { newest } = chain;
  const range = (from = 1, to = newest) => ["--from", String(from), "--to", String(to)];

  describeServers("in several processes", (fresh, server) => {
    async function place(change?: (api: LiteApi) => LiteApi) {
      const { globalConfig } = await mainnetGateway(chain, change);
      const databaseUrl = await server().database();
      const database = openPatiently(databaseUrl);
      onTestFinished(() => database.close());
      return { place: { databaseUrl, globalConfig, network: "mainnet" }, database };
    }

    test.runIf(isLong)(
      "fills the same tables as a single process, even if one process is killed",
      slow,
      async () => {
        let giveAll = () => {};
        const all = new Promise<void>((resolve) => {
          giveAll = resolve;
        });
        const { place: where, database } = await place((api) => ({
          ...api,
          async getBlock(query, call) {
            if (query.id.workchain === masterchain && query.id.seqno > newest / 2) await all;
            return api.getBlock(query, call);
          },
        }));
        // Smaller ranges than the command plans, so that the processes can share them.
        await migrate(database.sql());
        await planRanges(database.sql(), { from: 1, to: newest, blocks: Math.ceil(newest / 20) });
        const killed = await startBackfill(where, ...range());
        const states = () =>
          queriesOf(database).query<{ state: number }>(SQL`select state from index_ranges`);
        await until("some blocks", async () => (await states()).some(({ state }) => state === 2));
        const { status, metrics } = await killed.admin();
        const progress = async () => (await status()).backfill;
        await until("progress to be told of", async () => ((await progress())?.missing ?? newest) < newest);
        expect(await progress()).toMatchObject({ blocks: newest });
        expect(await metrics()).toContain(`\ntonwire_backfill_blocks ${newest}\n`);
        killed.process.send("SIGKILL");
        expect(await killed.process.ended).toBe("SIGKILL");
        const left = (await states()).filter(({ state }) => state !== 2);
        expect(left).not.toEqual([]);

        // Skips the time until the killed worker counts as dead.
        await database
          .sql()
          .query(SQL`update index_ranges set heartbeat = now() - interval '1 min' where state = 1`);
        giveAll();
        const others = [await startBackfill(where, ...range()), await startBackfill(where, ...range())];
        expect(await Promise.all(others.map(({ process }) => process.ended))).toEqual([0, 0]);
        for (const { process } of others) expect(process.stdout).toContain("all blocks are filled in\n");
        expect(await database.sql().query(SQL`select * from indexed_range`)).toEqual([
          { first: 1, last: newest },
        ]);
        const clean = await fresh();
        await indexAll(clean, replayOf(chain.folder), { classifier });
        expect(await dumpTables(database)).toEqual(await dumpTables(clean));

        const again = await tonwireHere(["backfill", ...range(), ...flagsOf(where)]);
        expect(again).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("all blocks are filled in\n"),
        });
      },
    );

    test("refuses blocks beyond the chain, and the index of another chain", slow, async () => {
      const { place: where, database } = await place();
      const beyond = await tonwireHere(["backfill", ...range(1, newest + 1), ...flagsOf(where)]);
      expect([beyond.code, beyond.stderr]).toEqual([
        1,
        expect.stringContaining(
          `tonwire: --to is ${newest + 1}, but the newest masterchain block is ${newest}\n`,
        ),
      ]);
      const only = await tonwireHere(["backfill", ...range(newest), ...flagsOf(where)]);
      expect(only.code).toBe(0);
      await database.sql().query(SQL`update index_meta set value = 'testnet' where key = 'network'`);
      for (const command of variants([["backfill", ...range()]], [["index"]])) {
        const other = await tonwireHere([...command, ...flagsOf(where)]);
        expect([other.code, other.stderr]).toEqual([
          1,
          expect.stringContaining(
            "tonwire: the database is an index of another chain: its network is testnet, not mainnet\n",
          ),
        ]);
      }
    });
  });
});

function flagsOf({
  databaseUrl,
  globalConfig,
  network,
}: Record<"databaseUrl" | "globalConfig" | "network", string>) {
  return [
    "--database-url",
    databaseUrl,
    "--global-config",
    globalConfig,
    "--network",
    network,
    "--admin-port",
    "0",
  ];
}
