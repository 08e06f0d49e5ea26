import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { balancer } from "../helpers/deploy/deployed-files.js";
import { haveNginx, startNginx } from "../helpers/deploy/nginx.js";
import { mayFreeze } from "../helpers/frozen.js";
import { haveRedis, TestRedis } from "../helpers/peers/redis.js";
import {
  type Api,
  devnetWithGateway,
  key,
  startApi,
  startIndex,
} from "../helpers/services/role-processes.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { havePgBouncer, openPgBouncer } from "../helpers/store/pgbouncer.js";
import { mayStopPostgres, openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { startStandby } from "../helpers/store/standby.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { exportIndex } from "../helpers/toncenter/export.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 1_800_000 };
type Paths = readonly (() => string)[];
/** Processes that have no other server to ask get this limit. The others keep the default, because a busy machine takes long. */
const deadline = ["--call-timeout-ms", "10000"];
const lanes = 4;
const callsOfLane = 40;

type Frozen = { freeze(): void; thaw(): void };
type Counts = { calls: number; statuses: Record<string, number>; slowestMs: number };

/** Differs from call to call, as equal calls share an answer. */
let turn = 0;
const balance = () => `/api/v2/getAddressBalance?address=0:${turn.toString(16).padStart(64, "0")}`;
const paths = [
  () => `/api/v3/transactions?limit=${(turn % 20) + 1}&offset=${Math.floor(turn / 20)}`,
  () => `/api/v3/blocks?limit=${(turn % 20) + 1}&offset=${Math.floor(turn / 20)}`,
  () => "/api/v3/masterchainInfo",
  balance,
];

/** Answers of calls that follow each other on several lanes, by API and status. */
async function steadyCalls(url: string, headers: Record<string, string>, paths: Paths): Promise<Counts> {
  const counts: Counts = { calls: 0, statuses: {}, slowestMs: 0 };
  const lane = async () => {
    for (let call = 0; call < callsOfLane; call++) {
      const path = paths[turn++ % paths.length]!();
      const since = performance.now();
      const answer = await fetch(url + path, { headers });
      await answer.text();
      counts.calls++;
      counts.slowestMs = Math.max(counts.slowestMs, Math.round(performance.now() - since));
      const kind = `${path.slice(5, 7)} ${answer.status}`;
      counts.statuses[kind] = (counts.statuses[kind] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return counts;
}

/** The calls while a server hangs. Prints their numbers: they are what operators have to expect. */
async function callsWhile(
  name: string,
  frozen: Frozen,
  url: string,
  headers: Record<string, string>,
  asked: Paths = paths,
) {
  frozen.freeze();
  try {
    const counts = await steadyCalls(url, headers, asked);
    console.info(`${name}: ${JSON.stringify(counts)}`);
    return counts.statuses;
  } finally {
    frozen.thaw();
  }
}

const processOf = ({ process }: Pick<Api, "process">): Frozen => ({
  freeze: () => process.send("SIGSTOP"),
  thaw: () => process.send("SIGCONT"),
});

test.runIf(mayFreeze)(
  "while a liteserver hangs, another one is asked, and without one calls end with an error",
  slow,
  async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    // A devnet is read from one liteserver, other networks from several ones, which differ by their keys.
    const network = "testnet";
    const folder = temporaryFolder();
    const withoutIndex = ["--index", "false"];
    const liteservers = await Promise.all(
      ["one.json", "other.json"].map(async (name) => {
        const config = join(folder, name);
        const flags = ["--liteserver-port", "0", "--liteserver-config", config];
        const { process } = await startApi({ globalConfig, network }, ...withoutIndex, ...flags);
        return { config, process };
      }),
    );
    const configs = liteservers.map(({ config }) => JSON.parse(readFileSync(config, "utf8")));
    const both = join(folder, "both.json");
    writeFileSync(
      both,
      JSON.stringify({ ...configs[0], liteservers: configs.flatMap(({ liteservers }) => liteservers) }),
    );
    const doubled = await startApi({ globalConfig: both, network }, ...withoutIndex);
    const alone = await startApi(
      { globalConfig: liteservers[0]!.config, network },
      ...[...withoutIndex, ...deadline],
    );
    const seqno = await devnet.mine();
    const isAt = async ({ ask }: Api) => {
      const [, answer]: [number, { result?: { last: { seqno: number } } }] = await ask(
        "/api/v2/getMasterchainInfo",
      );
      return answer.result?.last.seqno === seqno;
    };
    for (const api of [doubled, alone]) await until("the newest block", () => isAt(api));

    const all = lanes * callsOfLane;
    for (const { process } of liteservers) {
      const found = await callsWhile("a liteserver", processOf({ process }), doubled.url, {}, [balance]);
      expect(found).toEqual({ "v2 200": all });
      await until("the newest block", () => isAt(doubled));
    }
    const found = await callsWhile("the only liteserver", processOf(liteservers[0]!), alone.url, {}, [
      balance,
    ]);
    const refused = (found["v2 503"] ?? 0) + (found["v2 504"] ?? 0);
    expect(refused + (found["v2 200"] ?? 0)).toBe(all);
    expect(refused).toBeGreaterThan(0);
    await until("the newest block", () => isAt(alone));
  },
);

const withNginx = haveNginx && havePgBouncer() && (await haveRedis());

describeOwnPostgres("While a server hangs", (_, server) => {
  test.runIf(mayFreeze && mayStopPostgres && withNginx)(
    "no call fails for which another one can answer, and others are refused",
    slow,
    async () => {
      const { devnet, globalConfig } = await devnetWithGateway();
      const databaseUrl = await server().database();
      const standby = await startStandby(databaseUrl);
      onTestFinished(() => standby.stop());
      const redis = await TestRedis.start();
      const poolerOfStandby = await openPgBouncer(standby.url, "transaction");
      const poolerOfPrimary = await openPgBouncer(databaseUrl, "session");
      const bus = ["--bus", "redis", "--redis-url", redis.url];
      await startIndex({ databaseUrl, globalConfig }, ...bus);
      // Its callers have a limit, which it counts in Redis.
      const direct = await startApi(
        { databaseUrl, globalConfig },
        ...["--database-read-urls", standby.url, "--anonymous-rps", "100000", ...bus],
      );
      const pooled = await startApi(
        { databaseUrl: poolerOfPrimary.url, globalConfig },
        ...["--database-read-urls", poolerOfStandby.url, "--database-read-pooled", "true"],
      );
      const alone = await startApi({ databaseUrl, globalConfig }, ...deadline);
      const hosts = [direct, pooled].map(({ url }) => new URL(url).host);
      const nginx = await startNginx((port) =>
        balancer()
          .replace("listen 8080;", `listen 127.0.0.1:${port};`)
          .replace(/server api-(\d):8081/g, (_all, number) => `server ${hosts[Number(number) - 1]}`),
      );
      onTestFinished(() => nginx.stop());
      const last = await devnet.mine();
      const isUsed = async ({ status }: Api) => JSON.stringify(await status()).includes('"state":"used"');
      const whole = async () => {
        for (const api of [direct, pooled, alone])
          await until("the index", async () => (await api.lastSeqno()) === last);
        for (const api of [direct, pooled]) await until("the standby", () => isUsed(api));
      };
      const primary: Frozen = { freeze: () => server().freeze(), thaw: () => server().thaw() };
      const sharedRedis: Frozen = { freeze: () => redis.pause(), thaw: () => redis.resume() };
      onTestFinished(primary.thaw);
      onTestFinished(standby.thaw);

      const ofKey = { "X-API-Key": key };
      const all = (lanes * callsOfLane) / paths.length;
      const rows: [string, Frozen, { url: string }, Record<string, string>][] = [
        ["a standby", standby, direct, {}],
        ["a standby behind a pooler", standby, pooled, ofKey],
        ["the pooler of a standby", poolerOfStandby, pooled, ofKey],
        ["the pooler of the primary", poolerOfPrimary, pooled, ofKey],
        ["the primary, which notifies", primary, pooled, ofKey],
        ["the primary", primary, direct, {}],
        ["Redis, with limits and bus", sharedRedis, direct, {}],
        ["a process behind nginx", processOf(pooled), nginx, {}],
      ];
      for (const [name, frozen, { url }, headers] of rows) {
        await whole();
        const found = await callsWhile(name, frozen, url, headers);
        expect([name, found]).toEqual([name, { "v3 200": 3 * all, "v2 200": all }]);
      }

      const foreignUrl = await server().database();
      const [own, foreign] = [databaseUrl, foreignUrl].map((url) => openPatiently(url));
      for (const database of [own!, foreign!]) onTestFinished(() => database.close());
      await exportIndex(queriesOf(own!), queriesOf(foreign!));
      const layout = ["--database-layout", "toncenter", "--health-max-lag", "1000000"];
      const overForeign = await startApi({ databaseUrl: foreignUrl, globalConfig }, ...layout, ...deadline);
      const isRead = async () => (await overForeign.health())[0] === 200;
      const withoutStandby: [string, Api][] = [
        ["the primary, without a standby", alone],
        ["the database of ton-indexer", overForeign],
      ];
      for (const [name, { url }] of withoutStandby) {
        await whole();
        await until("the index of ton-indexer", isRead);
        const found = await callsWhile(name, primary, url, ofKey);
        expect([name, found["v2 200"]]).toEqual([name, all]);
        // Cached answers need no database.
        expect([name, (found["v3 200"] ?? 0) + (found["v3 503"] ?? 0)]).toEqual([name, 3 * all]);
        expect(found["v3 503"]).toBeGreaterThan(0);
      }
      await whole();
      await until("the index of ton-indexer", isRead);
    },
  );
});
