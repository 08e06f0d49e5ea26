import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../server/config/settings.js";
import { configWith } from "../../server/config/settings.js";
import { createIndexer } from "../../server/process/jobs/indexer.js";
import { createService } from "../../server/process/service/service.js";
import { devnetWithGateway } from "../helpers/services/role-processes.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { until } from "../helpers/until.js";

describePostgres("The health of processes whose index lags", (_fresh, server) => {
  test("has a limit by default where calls are answered, once it was level", {
    timeout: 300_000,
  }, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const databaseUrl = await server().database();
    let aheadMs = 0;
    const environment = { logTo: { write: () => {} }, now: () => Date.now() + aheadMs };
    const settings = { network: "devnet", databaseUrl, globalConfig, port: 0, adminPort: 0 } as const;
    const api = async (more: Partial<Config> = {}) => {
      const service = createService(configWith({ ...settings, ...more }), environment, "read");
      onTestFinished(() => service.close());
      const { url } = await service.listen();
      return async () => {
        const answer = await fetch(`${url}/healthcheck?only=all`);
        return `${answer.status} ${await answer.text()}`;
      };
    };
    const index = createIndexer(configWith(settings), environment);
    await index.listen();
    const usual = await api();
    const patient = await api({ healthMaxLag: 1_000_000_000 });
    await until("health", async () => (await usual()) === "200 OK");
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const notes = () =>
      database.sql().query<{ value: string }>(SQL`select value from index_meta where key = 'caught_up_at'`);
    await until("the note of the first time", async () => (await notes()).length === 1);
    await index.close();

    await devnet.mine(2);
    // It may learn of the blocks late, and counts from then on.
    const lags = async (health: () => Promise<string>) => {
      aheadMs += 1_000_000;
      return /^503 index lags \d+ s$/.test(await health());
    };
    await until("the limit", () => lags(usual));
    expect(await patient()).toBe("200 OK");

    // An index that was never level is new.
    await database.sql().query(SQL`delete from index_meta where key = 'caught_up_at'`);
    const early = await api();
    await until("the new one to know the index", async () => (await early()) === "200 OK");
    const strict = await api({ healthMaxLag: 100 });
    await until("the limit", () => lags(strict));
    expect(await early()).toBe("200 OK");
  });
});
