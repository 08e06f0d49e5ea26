import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { replayOf } from "../helpers/chain/open-replay.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { programArguments } from "../helpers/services/program.js";
import { dumpSorted } from "../helpers/store/citus.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { type ChainData, describeWithChain } from "../helpers/test-data.js";

const program = programArguments(new URL("killed-indexer.ts", import.meta.url));
const patience = { timeout: 900_000 };

/**
 * Indexes in a process that is killed after it has committed this number of batches; returns its exit code or signal.
 */
async function indexUntilKilled(chain: ChainData, place: string, batches: number): Promise<number | string> {
  const args = [...program, chain.folder, place, String(batches)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [code, signal] = await once(child, "exit");
  return code ?? signal;
}

async function indexWithKills(chain: ChainData, place: string, kills: readonly number[]): Promise<void> {
  for (const batches of kills) expect(await indexUntilKilled(chain, place, batches)).toBe("SIGKILL");
  expect(await indexUntilKilled(chain, place, Number.POSITIVE_INFINITY)).toBe(0);
}

async function cleanTables(chain: ChainData): Promise<Record<string, string[]>> {
  const database = await openPglite();
  await indexAll(database, replayOf(chain.folder));
  const tables = await dumpSorted(database);
  await database.close();
  return tables;
}

describeWithChain("An indexer that is killed again and again", (chain) => {
  describeServers("on", (_fresh, server) => {
    test("ends with the tables of one that was left alone", patience, async () => {
      const url = await server().database();
      await indexWithKills(chain, url, [1, 3, 2, 5]);
      const database = openPatiently(url);
      expect(await dumpSorted(database)).toEqual(await cleanTables(chain));
      await database.close();
    });
  });

  describe("on PGlite in a folder", () => {
    test("ends with the tables of one that was left alone", patience, async () => {
      const folder = join(temporaryFolder(), "index");
      await indexWithKills(chain, folder, [1, 4, 2]);
      const database = await openPglite(folder);
      expect(await dumpSorted(database)).toEqual(await cleanTables(chain));
      await database.close();
    });
  });
});
