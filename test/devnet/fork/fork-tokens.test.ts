// Tokens of a network that a devnet forks, found when v3 is asked for them.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Participants, participantsOf } from "../../../server/devnet/story/participants.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import { folderInRun } from "../../helpers/once-per-run.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { startStoryService } from "../../helpers/stories/story-service.js";

describe("tokens of a fork", () => {
  let network: DevnetService;
  let people: Participants;
  const config = join(folderInRun("tonwire-fork-"), "network.json");
  beforeAll(async () => {
    people = participantsOf(publishedSeed, await devnetWallets(publishedSeed));
    network = await startStoryService(undefined, { liteserverPort: 0, liteserverConfig: config });
  });
  afterAll(() => network?.close());

  it("explores", async () => {
    for (const settings of [{ fork: config }, { forkUrl: network.url, forkKey: network.key }]) {
      const fork = await startDevnetService({ ...settings, devnetSeed: "fork", index: true, mining: "manual" });
      for (const [name, { address }] of Object.entries(people) as any) {
        for (const [path, member] of [["jetton/wallets", "jetton_wallets"], ["nft/items", "nft_items"]] as const) {
          const q = `/api/v3/${path}?owner_address=${address.toRaw()}`;
          const t = performance.now();
          const [a, b] = await Promise.all([network.get(q), fork.get(q)]) as any;
          console.log(name, path, a.json[member].length, b.json[member]?.length, JSON.stringify(b.json.found ?? b.json), Math.round(performance.now()-t));
        }
      }
      console.log(await fork.run("getMasterchainInfo"));
      await fork.close();
    }
  });
});
