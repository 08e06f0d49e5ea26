import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDevnet } from "../../../server/process/devnet-library.js";
import { variants } from "../../helpers/effort.js";
import { folderInRun } from "../../helpers/once-per-run.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";

const someone = `0:${"2".repeat(64)}`;

describe("startDevnet with a fork", () => {
  let network: DevnetService;
  const config = join(folderInRun("tonwire-network-"), "network.json");
  beforeAll(async () => {
    const liteserver = { liteserverPort: 0, liteserverConfig: config };
    network = await startDevnetService({ mining: "message", clock: "wall", ...liteserver });
    await network.run("devnet.faucet", { address: someone, amount: "7000000000" });
  });
  afterAll(() => network?.close());

  test.each(variants(["network"], ["url"]))("begins where the %s stands", async (kind) => {
    const fork = kind === "url" ? { url: network.url, key: network.key } : { network: config };
    const devnet = await startDevnet({ fork, seed: "fork", index: false });
    try {
      const answer = await fetch(`${devnet.url}/api/v2/getAddressBalance?address=${someone}`);
      expect(await answer.json()).toMatchObject({ ok: true, result: "7000000000" });
      expect(devnet.wallets).toHaveLength(6);
      await devnet.mine();
    } finally {
      await devnet.close();
    }
  });

  test.each([
    [{}, "the option fork needs a network or a url"],
    [{ network: "nowhere.json" }, /nowhere\.json/],
    [{ network: config, block: 0 }, "fork.block is 0; allowed: an integer from 1 to 2147483646"],
    [{ network: config, from: 3 }, "the option fork has no member from"],
    [{ network: config, block: 1_000_000 }, /network\.json has no block 1000000 yet: its newest one is \d+/],
  ])("refuses %j", async (fork, problem) => {
    await expect(startDevnet({ fork, index: false })).rejects.toThrow(problem);
  });
});
