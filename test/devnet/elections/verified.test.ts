import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Config } from "../../../server/config/settings.js";
import { startDevnetService } from "../../helpers/services/devnet-service.js";
import { startService } from "../../helpers/services/service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

/** A service that believes nothing but the zero state that the configuration names. */
async function startVerifier(globalConfig: string, settings: Partial<Config> = {}) {
  const service = await startService({
    ...{ network: "testnet", globalConfig, anonymousRps: "unlimited", healthMaxHeadAge: 1_000_000_000 },
    ...settings,
  });
  onTestFinished(() => service.close());
  const get = async <T>(path: string) =>
    ((await service.get(`/api/v2/${path}`, { key: null })).json as { result?: T }).result;
  const head = async () => (await get<{ last: { seqno: number } }>("getMasterchainInfo"))?.last.seqno ?? 0;
  return { get, reaches: (seqno: number) => until("the head", async () => (await head()) >= seqno) };
}

/** Without a later init block, trust starts at the zero state. */
function fromZeroState(globalConfig: string): void {
  const config = JSON.parse(readFileSync(globalConfig, "utf8")) as { validator: { init_block?: unknown } };
  delete config.validator.init_block;
  writeFileSync(globalConfig, JSON.stringify(config));
}

it("a service that verifies everything follows an electing devnet through many sets of validators", async () => {
  const globalConfig = join(temporaryFolder(), "devnet.json");
  const liteserver = { liteserverPort: 0, liteserverConfig: globalConfig };
  const devnet = await startDevnetService({ devnetElections: "short", ...liteserver });
  onTestFinished(() => devnet.close());
  fromZeroState(globalConfig);
  const rotate = async (rounds: number) => {
    let last = 0;
    for (let phase = 0; phase < 3 * rounds; phase++)
      last = (await devnet.run<{ block: { seqno: number } }>("devnet.skipPhase")).block.seqno;
    return last;
  };
  const setOf = async () => devnet.run<{ set: object }>("devnet.elections").then(({ set }) => set);

  const early = await startVerifier(globalConfig);
  await early.reaches(await devnet.mine());
  const first = await setOf();
  // One goes along, the other comes when five sets have gone.
  await early.reaches(await rotate(2));
  const last = await rotate(3);
  expect(await setOf()).not.toEqual(first);
  const late = await startVerifier(globalConfig);
  for (const verifier of [early, late]) {
    await verifier.reaches(last);
    const path = `getConfigParam?config_id=34&seqno=${last}`;
    const own = (await devnet.get(`/api/v2/${path}`)).json as { result: object };
    expect(await verifier.get(path)).toMatchObject({
      config: (own.result as { config: object }).config,
    });
  }
});
