import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../server/config/settings.js";
import { isLong, variants } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { devnetWithGateway, here } from "../helpers/services/role-processes.js";
import { startService } from "../helpers/services/service.js";
import { smallDisk } from "../helpers/small-disk.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { mayStopPostgres } from "../helpers/store/postgres.js";
import { startStandby } from "../helpers/store/standby.js";
import { until } from "../helpers/until.js";

const { startApi, startIndex } = here;
const slow = { timeout: 300_000 };

test.runIf(isLong)("A service without room for its index reports it immediately", slow, async (context) => {
  const disk = smallDisk(192);
  if (!disk) return context.skip("needs a user who may mount a disk");
  const service = await startService({ index: true, data: join(disk.folder, "data") });
  onTestFinished(() => service.close());
  const health = async (query = "") => {
    const { status, text } = await service.get(`/healthcheck${query}`, { key: null });
    return `${status} ${text}`;
  };
  await until("health", async () => (await health()) === "200 OK");
  disk.fill(48);
  await service.rpc("devnet.mine");
  await until(
    "the failure",
    async () => (await health("?only=writes")) === "503 The index cannot be written",
  );
  expect(await health("?only=v2")).toBe("200 OK");
  expect(await health("?only=v3")).toBe("200 OK");
  expect((await service.get("/api/v2/getMasterchainInfo")).status).toBe(200);
  disk.empty();
  await until("health", async () => (await health()) === "200 OK");
});

test("A service whose database was never there answers v2, and says so", slow, async () => {
  const databaseUrl = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
  for (const healthOnly of variants<Config["healthOnly"]>(["v3"], ["any"])) {
    const service = await startService({ index: true, databaseUrl, healthOnly });
    onTestFinished(() => service.close());
    const status = async (path: string) => (await service.get(path, { key: null })).status;
    expect(await status("/api/v3/blocks")).toBe(503);
    expect(await status("/api/v2/getMasterchainInfo")).toBe(200);
    expect(await status("/healthcheck")).toBe(healthOnly === "v3" ? 503 : 200);
    expect((await service.get("/healthcheck?only=any")).text).toBe(
      "degraded\nv2: OK\nv3: The index cannot be opened\nwrites: The index cannot be opened",
    );
    expect(await status("/api/v2/healthcheck?only=v2")).toBe(200);
    expect(await status("/healthcheck?only=all")).toBe(503);
    expect(await status("/healthcheck?only=v4")).toBe(422);
  }
});

type Checked = { ask(path: string): Promise<readonly [status: number, text: string]> };

/** The answers to checks of each scope on the public port. */
async function checks({ ask }: Checked): Promise<Record<string, string>> {
  const scopes = ["any", "v2", "v3", "writes", "all"];
  const entries = scopes.map(async (scope) => {
    const [status, text] = await ask(`/healthcheck?only=${scope}`);
    return [scope, `${status} ${text}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function untilChecks(of: Checked, expected: Record<string, string>): Promise<void> {
  let seen = {};
  await until(
    () => `the checks, not ${JSON.stringify(seen)}`,
    async () => {
      seen = await checks(of);
      return isDeepStrictEqual(seen, expected);
    },
  );
}

const away = "database is not available";
const keysAway = "The newest keys cannot be read";
const chainAway = "The devnet cannot be reached";
const allOk = { any: "200 OK", v2: "200 OK", v3: "200 OK", writes: "200 OK", all: "200 OK" };

describeOwnPostgres("The health of processes whose database is stopped", (_, server) => {
  test.runIf(mayStopPostgres && isLong)(
    "names what is answered, with a standby and without one",
    slow,
    async () => {
      const { devnet, globalConfig } = await devnetWithGateway();
      const databaseUrl = await server().database();
      const standby = await startStandby(databaseUrl);
      onTestFinished(() => standby.stop());
      const place = { databaseUrl, globalConfig };
      const index = await startIndex(place);
      const spare = await startIndex(place);
      const api = await startApi(place, "--database-read-urls", standby.url);
      const lone = await startApi(place);
      await devnet.mine();
      for (const each of [api, lone]) await untilChecks(each, allOk);
      await until("the standby to be used", async () =>
        /^tonwire_database_standby_used\S* 1$/m.test(await api.metrics()),
      );

      const standsBy = "this process stands by: another process writes the index";
      const [waiting, writing] = await until("one to stand by", () => {
        const found = [index, spare].filter(({ process }) => process.stderr.includes(standsBy));
        return found.length === 1 && [found[0]!, found[0] === spare ? index : spare];
      });
      await until("the writer", () => writing!.process.stderr.includes("caught up"));

      await server().halt();
      await untilChecks(api, {
        any: `200 degraded\nv2: OK\nv3: OK\nwrites: ${away}\n${keysAway}`,
        v2: "200 OK",
        v3: "200 OK",
        writes: `503 ${away}`,
        all: `503 ${away}`,
      });
      expect((await api.ask("/api/v3/blocks"))[0]).toBe(200);
      const v3Away = `degraded\nv2: OK\nv3: ${away}\nwrites: ${away}\n${keysAway}`;
      await untilChecks(lone, {
        any: `200 ${v3Away}`,
        v2: "200 OK",
        v3: `503 ${away}`,
        writes: `503 ${away}`,
        all: `503 ${away}`,
      });
      expect((await lone.ask("/api/v3/blocks"))[0]).toBe(503);
      expect(await lone.ask("/api/v2/healthcheck")).toEqual([200, '"OK"']);
      // The operator sees the cause. The process that writes can do nothing else.
      expect(await lone.health("any")).toEqual([200, expect.stringMatching(/^v3: .* is not available: /m)]);
      await until("the writer to notice", async () => (await index.health("any"))[0] === 503);
      expect(await api.metrics()).toMatch(/^tonwire_answers\{part="v3"\} 1$/m);
      expect(await api.metrics()).toMatch(/^tonwire_answers\{part="writes"\} 0$/m);
      expect(await lone.status()).toMatchObject({ answers: { v2: "OK" } });
      // The sentences of the log follow from the same states.
      const lost = "the database of the index is lost: ";
      for (const [of, sentence] of [
        [api, "standbys answer v3 until it is back"],
        [lone, "calls that read it are refused with 503 until it is back"],
      ] as const)
        await until(`"${sentence}"`, () => of.process.stderr.includes(lost + sentence));
      expect(api.process.stderr).not.toContain("refused with 503");
      await until("the writer to have lost its role", () =>
        writing!.process.stderr.includes("this process no longer writes the index: its database is lost"),
      );
      expect(writing!.process.stderr).not.toContain(standsBy);
      expect(waiting!.process.stderr).not.toContain("caught up");

      // Without the chain too, the standby answers on; a process without one answers nothing.
      await devnet.close();
      await untilChecks(api, {
        any: `200 degraded\nv2: ${chainAway}\nv3: OK\nwrites: ${away}\n${keysAway}`,
        v2: `503 ${chainAway}`,
        v3: "200 OK",
        writes: `503 ${away}`,
        all: `503 ${chainAway}`,
      });
      await until("it to be out", async () =>
        isDeepStrictEqual(await lone.ask("/healthcheck"), [503, chainAway]),
      );

      await server().run();
      await untilChecks(lone, {
        any: `200 degraded\nv2: ${chainAway}\nv3: OK\nwrites: OK`,
        v2: `503 ${chainAway}`,
        v3: "200 OK",
        writes: "200 OK",
        all: `503 ${chainAway}`,
      });
    },
  );
});

test("A service whose liteservers are away answers v3", slow, async () => {
  const { devnet, globalConfig } = await devnetWithGateway();
  const service = await startService({
    network: "testnet",
    globalConfig,
    index: true,
    healthMaxHeadAge: 1_000_000_000,
    anonymousRps: "unlimited",
  });
  onTestFinished(() => service.close());
  const ask = async (path: string) => {
    const { status, text } = await service.get(path, { key: null });
    return [status, text] as const;
  };
  await untilChecks({ ask }, allOk);
  await devnet.close();
  const lost = "No liteserver can be used";
  await untilChecks(
    { ask },
    {
      any: `200 degraded\nv2: ${lost}\nv3: OK\nwrites: OK`,
      v2: `503 ${lost}`,
      v3: "200 OK",
      writes: "200 OK",
      all: `503 ${lost}`,
    },
  );
  expect((await ask("/api/v3/blocks"))[0]).toBe(200);
  expect((await ask(`/api/v2/getAddressBalance?address=0:${"5A".repeat(32)}`))[0]).toBe(503);
  expect(await ask("/api/v2/healthcheck")).toEqual([200, '"OK"']);
});
