import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dashboard, metricsIn, rules } from "../helpers/deploy/deployed-files.js";
import { freePort } from "../helpers/free-port.js";
import { ok, Receiver } from "../helpers/peers/webhook-receiver.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { mayStopPostgres } from "../helpers/store/postgres.js";
import { startStandby } from "../helpers/store/standby.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";
import { RecordedSeries } from "./recorded-series.js";

const havePromtool = spawnSync("promtool", ["--version"]).status === 0;
const address = `0:${"5A".repeat(32)}`;

/** Metrics that may be absent while all is well, and why. Panels of other metrics must not be empty. */
const absent: Readonly<Record<string, string>> = {
  tonwire_backfill_blocks_per_second: "no backfill is planned",
  tonwire_backfill_missing_blocks: "no backfill is planned",
  tonwire_fallbacks_total: "nothing has failed for which there is a fallback",
  tonwire_liteserver_errors_total: "no liteserver has failed",
  tonwire_shared_limits: "there is no Redis",
};

const metricsOf = async ({ adminUrl }: TestService) => (await fetch(`${adminUrl}/metrics`)).text();

/** Opens a stream about the address. Resolves when events can come. */
async function openStream({ url, key }: TestService): Promise<void> {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const { body, status } = await fetch(`${url}/api/streaming/v2/sse`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body: JSON.stringify({ types: ["transactions"], addresses: [address] }),
    signal: ending.signal,
  });
  expect(status).toBe(200);
  await body!.getReader().read();
}

describeOwnPostgres("The dashboard", (_, server) => {
  test.runIf(havePromtool && mayStopPostgres)(
    "has no empty panel with processes under load, but for those with a reason",
    { timeout: 600_000 },
    async () => {
      const databaseUrl = await server().databaseWithSchema();
      const standby = await startStandby(databaseUrl);
      onTestFinished(() => standby.stop());
      const globalConfig = join(temporaryFolder(), "devnet.json");
      const everything = await startDevnetService({
        databaseUrl,
        databaseReadUrls: [standby.url],
        index: true,
        data: temporaryFolder(),
        liteserverPort: 0,
        liteserverConfig: globalConfig,
        adminPort: await freePort(),
      });
      onTestFinished(() => everything.close());
      const reader = await startService({ network: "testnet", globalConfig, adminPort: await freePort() });
      onTestFinished(() => reader.close());
      // Its calls of v3 fail.
      const broken = await startService({
        databaseUrl: `postgres://nobody@127.0.0.1:${await freePort()}/none`,
        index: true,
        adminPort: await freePort(),
      });
      onTestFinished(() => broken.close());
      const receiver = await Receiver.start();
      receiver.answer = ok;
      await streamsReady(everything);
      await openStream(everything);
      await everything.run("v3.webhooks.create", { url: receiver.url, kind: "blocks" });
      const used = /^tonwire_database_standby_used\S* 1$/m;
      await until("the standby", async () => used.test(await metricsOf(everything)));

      const recorded = new RecordedSeries();
      const sent = (text: string) =>
        /^tonwire_streams_events_total\S* [1-9]/m.test(text) &&
        /^tonwire_webhook_attempts_total\{outcome="ok"\} [1-9]/m.test(text) &&
        /^tonwire_index_blocks_per_second (?!0$)/m.test(text);
      for (let scrape = 0; scrape < 3; scrape++) {
        await everything.run("devnet.faucet", { address });
        await everything.mine();
        for (let call = 0; call < 3; call++) {
          await everything.get(`/api/v3/transactions?account=${address}&limit=${call + 1}`);
        }
        // More than callers without a key may make in a second.
        const many = Array.from({ length: 20 }, () =>
          everything.get("/api/v2/getMasterchainInfo", { key: null }),
        );
        await Promise.all(many);
        await reader.get(`/api/v2/getAddressBalance?address=${address}`, { key: null });
        await broken.get("/api/v3/blocks");
        await until("events", async () => sent(await metricsOf(everything)));
        recorded.add({
          everything: await metricsOf(everything),
          reader: await metricsOf(reader),
          broken: await metricsOf(broken),
        });
      }

      const drawn = dashboard().panels.flatMap(({ targets = [] }) =>
        targets.map(({ expr }) => concrete(expr)),
      );
      // What alerts watch exists too, with the labels by which they choose.
      const watched = rules().flatMap(({ expr }) => metricsIn(expr).map(selectorOf));
      const empty = recorded.empty([...new Set([...drawn, ...watched])]);
      const missing = empty.flatMap((expr) => metricsIn(expr).map(({ name }) => name));
      expect(missing.filter((name) => !(name in absent))).toEqual([]);
    },
  );
});

/** An expression with the values that Grafana puts into it. */
const concrete = (expr: string) => expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*");

function selectorOf({ name, labels }: { name: string; labels: Record<string, string> }): string {
  const chosen = Object.entries(labels).map(([label, values]) => `${label}=~"${values}"`);
  return chosen.length === 0 ? name : `${name}{${chosen.join(", ")}}`;
}
