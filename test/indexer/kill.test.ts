import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openPglite } from "../../server/store/pglite.js";
import { openPostgres } from "../../server/store/postgres.js";
import { describePostgres } from "../helpers/describe-databases.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { type ChainData, describeWithChain } from "../helpers/test-data.js";
import { replayOf } from "../replay/open-replay.js";
import { indexAll } from "./index-chain.js";
import { dumpTables } from "./tables.js";

const program = fileURLToPath(new URL("killed-indexer.ts", import.meta.url));
const patience = { timeout: 300_000 };

/** Indexes in a process that is killed when it has committed so many groups; whether it came to the end before. */
async function indexUntilKilled(chain: ChainData, place: string, groups: number): Promise<boolean> {
  const child = spawn(process.execPath, ["--import", "tsx", program, chain.folder, place], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  let seen = 0;
  let done = false;
  for await (const line of createInterface(child.stdout)) {
    if (line === "done") done = true;
    else if (++seen === groups) child.kill("SIGKILL");
  }
  await ended;
  return done;
}

async function indexWithKills(chain: ChainData, place: string, kills: readonly number[]): Promise<number> {
  let killed = 0;
  for (const groups of kills) if (!(await indexUntilKilled(chain, place, groups))) killed++;
  while (!(await indexUntilKilled(chain, place, Number.POSITIVE_INFINITY)));
  return killed;
}

async function cleanTables(chain: ChainData): Promise<Record<string, string[]>> {
  const database = await openPglite();
  await indexAll(database, replayOf(chain.folder));
  const tables = await dumpTables(database);
  await database.close();
  return tables;
}

describeWithChain("An indexer that is killed again and again", (chain) => {
  describePostgres("on", (_fresh, server) => {
    test("ends with the tables of one that was left alone", patience, async () => {
      const url = await server().database();
      expect(await indexWithKills(chain, url, [1, 3, 2, 5])).toBe(4);
      const database = openPostgres(url);
      expect(await dumpTables(database)).toEqual(await cleanTables(chain));
      await database.close();
    });
  });

  describe("on PGlite in a folder", () => {
    test("ends with the tables of one that was left alone", patience, async () => {
      const folder = join(temporaryFolder(), "index");
      expect(await indexWithKills(chain, folder, [1, 4, 2])).toBe(3);
      const database = await openPglite(folder);
      expect(await dumpTables(database)).toEqual(await cleanTables(chain));
      await database.close();
    });
  });
});
