import { expect, onTestFinished, test } from "vitest";
import { type Config, configWith } from "../../../server/config/settings.js";
import { createRedetection } from "../../../server/process/jobs/redetect.js";
import type { Sql } from "../../../server/store/database.js";
import { openPglite } from "../../../server/store/pglite/pglite.js";
import { replaceMeta } from "../../../server/store/queries/upkeep/index-meta.js";
import { isLong } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { gatewayTo } from "../../helpers/peers/mainnet-gateway.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { sharedStory } from "../../helpers/stories/shared-story.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { copyStoryService } from "../../helpers/stories/story-service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

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

test.runIf(isLong)("An index in a folder is redetected while its service is stopped", async () => {
  const data = temporaryFolder();
  await copyStoryService(data);
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

describePostgres("An index in a server", (_, server) => {
  test("is redetected", async () => {
    const databaseUrl = await server().databaseWithSchema(storyIndex);
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const story = await sharedStory();
    onTestFinished(() => story.close());
    const globalConfig = await gatewayTo(story.api);
    const sql = database.sql();
    const before = await walletsIn(sql);
    expect(before).toBeGreaterThan(0);
    await forget(sql);
    await replaceMeta(sql, "network", "devnet");
    expect(await redetect({ databaseUrl, globalConfig })).toMatchObject(finished);
    expect(await walletsIn(sql)).toBe(before);
  });
});
