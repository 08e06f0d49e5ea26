import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { type Config, configWith } from "../../server/config/settings.js";
import { createRedetection } from "../../server/process/redetect.js";
import type { Sql } from "../../server/store/database.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { isLong } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { storyIndexed } from "../helpers/stories/story.js";
import { copyStoryChain } from "../helpers/stories/story-devnet.js";
import { copyStoryService, startStoryService } from "../helpers/stories/story-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

const walletsIn = async (sql: Sql) => {
  const [row] = await sql.query<{ count: bigint }>({
    text: "select count(*) from jetton_wallets",
    values: [],
  });
  return Number(row!.count);
};

/** Makes the index one that was filled without recognition. */
const forget = (sql: Sql) =>
  sql.transaction((transaction) => transaction.script("truncate jetton_masters, jetton_wallets"));

async function redetect(config: Partial<Config>) {
  const adminPort = await freePort();
  const job = createRedetection(configWith({ network: "devnet", adminPort, ...config }), {
    logTo: { write: () => {} },
  });
  try {
    const { adminUrl } = await job.listen();
    await job.done;
    return await (await fetch(`${adminUrl}/status`)).json();
  } finally {
    await job.close();
  }
}

const finished = {
  redetection: { accounts: expect.any(Number), missing: 0, remaining_sec: 0 },
  failure: null,
};

test("An index in a folder is redetected while its service is stopped", async () => {
  const data = temporaryFolder();
  await copyStoryService(data);
  if (!existsSync(`${data}/index`)) await (await startStoryService(data)).close();
  const withDatabase = async <T>(use: (sql: Sql) => Promise<T>): Promise<T> => {
    const database = await openPglite(`${data}/index`);
    return use(database.sql()).finally(() => database.close());
  };
  const before = await withDatabase(walletsIn);
  expect(before).toBeGreaterThan(0);
  await withDatabase(forget);
  expect(await redetect({ data })).toMatchObject(finished);
  expect(await withDatabase(walletsIn)).toBe(before);
});

async function walletsOf(service: DevnetService): Promise<unknown[]> {
  const { json } = await service.get("/api/v3/jetton/wallets");
  return (json as { jetton_wallets?: unknown[] }).jetton_wallets ?? [];
}

describeServers("An index in a server", (_, server) => {
  test.runIf(isLong)("is redetected beside the process that writes and serves it", async () => {
    const databaseUrl = await server().database();
    const folder = temporaryFolder();
    const [data, globalConfig] = [`${folder}/data`, `${folder}/devnet.json`];
    await copyStoryChain(data);
    const service = await startDevnetService({
      data,
      databaseUrl,
      index: true,
      story: true,
      liteserverPort: 0,
      liteserverConfig: globalConfig,
    });
    onTestFinished(() => service.close());
    await storyIndexed(service);
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const wallets = await walletsOf(service);
    expect(wallets.length).toBeGreaterThan(0);
    await forget(database.sql());
    expect(await redetect({ databaseUrl, globalConfig })).toMatchObject(finished);
    await until("the wallets", async () => (await walletsOf(service)).length === wallets.length);
  });
});
