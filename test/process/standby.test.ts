import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../server/config/settings.js";
import { isLong } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { mayFreeze } from "../helpers/frozen.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { havePgBouncer, startPgBouncer } from "../helpers/store/pgbouncer.js";
import { mayStopPostgres } from "../helpers/store/postgres.js";
import { startStandby } from "../helpers/store/standby.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };
const address = `0:${"5A".repeat(32)}`;
const states = `/api/v3/accountStates?address=${address}`;

type Status = { index: { seqno: number; standbys?: { state: string; lag_ms: number }[] } };

/** A devnet whose index is in the database. */
async function serviceOn(databaseUrl: string, settings: Partial<Config>): Promise<DevnetService> {
  const service = await startDevnetService({
    databaseUrl,
    index: true,
    adminPort: await freePort(),
    ...settings,
  });
  onTestFinished(() => service.close());
  return service;
}

const statusOf = async ({ adminUrl }: DevnetService) =>
  (await (await fetch(`${adminUrl}/status`)).json()) as Status;

const healthOf = async ({ adminUrl }: DevnetService) => {
  const answer = await fetch(`${adminUrl}/healthcheck?only=all`);
  return `${answer.status} ${await answer.text()}`;
};

const metricOf = async ({ adminUrl }: DevnetService, name: string) =>
  new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "m").exec(
    await (await fetch(`${adminUrl}/metrics`)).text(),
  )?.[1];

describeOwnPostgres("A service with a standby", (_, server) => {
  test.runIf(mayStopPostgres)(
    "answers from it, and never with less than a caller has seen",
    slow,
    async () => {
      const databaseUrl = await server().databaseWithSchema();
      const standby = await startStandby(databaseUrl);
      onTestFinished(() => standby.stop());
      const settings = {
        databaseReadUrls: [standby.url],
        databaseMaxReplayLagMs: 600_000,
        healthMaxLag: 1_000_000,
        slowMs: 1,
      };
      const service = await serviceOn(databaseUrl, settings);
      await untilIndexed(service, 1);
      const seqnoOf = async () => (await statusOf(service)).index.seqno;
      const used = async () =>
        (await statusOf(service)).index.standbys?.map(({ state }) => state).join() === "used";
      await until("the standby to be used", used);
      const seen = async (path: string, seqno?: number) => {
        const headers = seqno === undefined ? {} : { "X-Index-Seqno": String(seqno) };
        const { status, headers: got, json } = await service.get(path, { headers });
        return { status, at: Number(got.get("X-Index-Seqno")), json };
      };
      const first = await service.mine();
      await until("the index", async () => (await seqnoOf()) === first);
      await until("the replay", async () => (await seen(states)).at === first);
      expect((await seen(states)).json).toMatchObject({ accounts: [] });

      // A busy machine has the primary answer as well, whose answers are kept: each call is another one.
      let asked = 0;
      const absent = () => `0:${(asked++).toString(16).padStart(64, "0")}`;
      const other = () => `${states}&address=${absent()}`;
      await until("a line of a read from the standby", async () => {
        await seen(other());
        return service.logLines.some((line) => line.includes(`"door":"${new URL(standby.url).hostname}`));
      });

      await standby.pause();
      await service.run("devnet.faucet", { address });
      const seqno = await service.mine();
      await until("the index", async () => (await seqnoOf()) === seqno);
      // The standby has the earlier block, whose answers are not taken for the newest ones.
      const path = await until("the standby's answers", async () => {
        const each = other();
        for (let times = 0; times < 2; times++) {
          const answer = await seen(each);
          if (answer.at !== first) return undefined;
          expect(answer).toMatchObject({ status: 200, json: { accounts: [] } });
        }
        return each;
      });
      const newest = { status: 200, at: seqno, json: { accounts: [{ status: "uninit" }] } };
      expect(await seen(path, seqno)).toMatchObject(newest);
      // The primary's is.
      expect(await seen(path)).toMatchObject(newest);
      // A block asked for by its number is looked for in the primary before it counts as absent.
      const shards = `/api/v3/masterchainBlockShards?seqno=${seqno}`;
      expect(await seen(shards)).toMatchObject({ status: 200, at: seqno });
      expect((await seen(`/api/v3/blocks?workchain=-1&seqno=${seqno}`)).json).toMatchObject({
        blocks: [{ seqno }],
      });
      expect((await seen(`/api/v3/masterchainBlockShards?seqno=${seqno + 1}`)).status).toBe(404);
      // JSON-RPC names the block as well.
      await until("the standby's answer by JSON-RPC", async () => {
        const params = { address: [absent()] };
        const call = { jsonrpc: "2.0", id: 1, method: "v3.accountStates", params };
        const { headers } = await service.post("/jsonRPC", call);
        return Number(headers.get("X-Index-Seqno")) === first;
      });

      await standby.resume();
      await until("the replay", async () => (await seen(states)).at === seqno);
      expect((await seen(states)).json).toMatchObject({ accounts: [{ status: "uninit" }] });
      for (const name of ["tonwire_database_standby_used", "tonwire_database_notifies"])
        await until(name, async () => (await metricOf(service, name)) === "1");

      if (mayFreeze) {
        standby.freeze();
        onTestFinished(() => standby.thaw());
        // Different calls, as equal ones share an answer.
        const pages = Array.from({ length: 40 }, (_, n) => `/api/v3/transactions?limit=${n + 1}`);
        const answers = await Promise.all(pages.map((page) => seen(page)));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        expect(await metricOf(service, "tonwire_database_standby_used")).toBe("0");
        standby.thaw();
        await until("it to be used again", used);
      }

      await standby.stop();
      expect(await seen(states)).toMatchObject({ status: 200, at: seqno });
      if (!isLong) return;
      await until("it to be left out", async () => !(await used()));
      await until("the log", () =>
        service.logLines.some((line) => line.includes("no answers are read from the standby")),
      );
      expect(await healthOf(service)).toBe("200 OK");
    },
  );

  test.runIf(havePgBouncer() && isLong)(
    "is also the database itself behind a pooler in transaction mode",
    slow,
    async () => {
      const databaseUrl = await server().database();
      const settings = {
        databaseReadUrls: [await startPgBouncer(databaseUrl, "transaction")],
        databaseReadPooled: true,
      };
      const service = await serviceOn(databaseUrl, settings);
      await service.run("devnet.faucet", { address });
      const seqno = await service.mine();
      await untilIndexed(service, seqno);
      expect((await service.get(states)).json).toMatchObject({ accounts: [{ status: "uninit" }] });
      expect((await service.get(states)).headers.get("X-Index-Seqno")).toBe(String(seqno));
    },
  );

  test.runIf(havePgBouncer() && isLong)(
    "does not write through such a pooler, but through one in session mode",
    slow,
    async () => {
      const databaseUrl = await server().database();
      const pooled = await serviceOn(await startPgBouncer(databaseUrl, "transaction"), {});
      const sentence = "503 --database-url leads through a pooler in transaction or statement mode";
      await until("the refusal", async () => (await healthOf(pooled)).startsWith(sentence));
      const inSession = await serviceOn(await startPgBouncer(databaseUrl, "session"), {});
      await until("the index", async () => (await healthOf(inSession)) === "200 OK");
      expect((await inSession.get(states)).status).toBe(200);
    },
  );
});

test.each([
  [{ databaseReadUrls: ["postgres://127.0.0.1:1/none"] }, "--database-read-urls are standbys"],
  [{ mergedTablespace: "past" }, "--merged-tablespace is one"],
])("Without a database, no standby is configured and no tablespace: %j", async (settings, sentence) => {
  await expect(startDevnetService({ index: true, ...settings })).rejects.toMatchObject({
    message: `${sentence} of --database-url, which is not set`,
  });
});
