import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DevnetInfoResult, JettonWallets as JettonWalletsResult } from "../../../client/api.js";
import { startDevnetService } from "../../helpers/services/devnet-service.js";
import { SeveralProcesses } from "../../helpers/services/several-processes.js";
import { untilIndexed } from "../../helpers/services/until-indexed.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { startStoryService } from "../../helpers/stories/story-service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

test("all processes of a service show its fork, and count each request to the network once", async () => {
  const config = join(temporaryFolder(), "network.json");
  const liteserver = { liteserverPort: 0, liteserverConfig: config };
  const network = await startDevnetService({ mining: "message", clock: "wall", ...liteserver });
  onTestFinished(() => network.close());
  const { wallets } = await network.run<DevnetInfoResult>("devnet.info");
  const service = await SeveralProcesses.start(2, { flags: ["--fork", config, "--devnet-seed", "fork"] });
  for (const { address, balance } of wallets)
    expect(await service.rpc("getAddressBalance", { address })).toBe(balance);
  const infos = await Promise.all(
    Array.from({ length: 6 }, () => service.rpc<DevnetInfoResult>("devnet.info")),
  );
  for (const { fork } of infos) expect(fork).toMatchObject({ source: "network.json", proven: true });
  // A process may still ask for something between the two answers.
  await until("the same count of requests in both", async () => {
    const { fork } = (await service.status()) as unknown as { fork: { requests: number; waiting: number } };
    if (fork.waiting > 0 || fork.requests < wallets.length) return false;
    return (await service.metrics()).includes(`\ntonwire_fork_requests_total ${fork.requests}\n`);
  });
});

describePostgres("a fork of several processes with an index", (_, databases) => {
  test("shows tokens of its network in all of them once one has found them", {
    timeout: 300_000,
  }, async () => {
    const config = join(temporaryFolder(), "network.json");
    const network = await startStoryService(undefined, { liteserverPort: 0, liteserverConfig: config });
    onTestFinished(() => network.close());
    const service = await SeveralProcesses.start(2, {
      databaseUrl: await databases().database(),
      flags: ["--fork", config, "--devnet-seed", "fork"],
    });
    await untilIndexed(service, 1);
    const { wallets } = await network.run<DevnetInfoResult>("devnet.info");
    const read = async (from: Pick<SeveralProcesses, "get">) => {
      const { json } = await from.get(`/api/v3/jetton/wallets?owner_address=${wallets[0]!.address}`);
      return json as JettonWalletsResult;
    };
    const answers = [await read(service)];
    answers.push(...(await Promise.all(Array.from({ length: 5 }, () => read(service)))));
    const { jetton_wallets } = (
      await network.get(`/api/v3/jetton/wallets?owner_address=${wallets[0]!.address}`)
    ).json as JettonWalletsResult;
    expect(jetton_wallets.length).toBeGreaterThan(0);
    for (const answer of answers)
      expect(answer).toMatchObject({ jetton_wallets, found: { partial: true, by: ["transactions"] } });
  });
});
