import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../server/config/settings.js";
import { isLong, variants } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { startService } from "../helpers/services/service.js";
import { smallDisk } from "../helpers/small-disk.js";
import { until } from "../helpers/until.js";

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
  await until("the failure", async () => (await health()) === "503 The index cannot be written");
  expect(await health("?only=v2")).toBe("200 OK");
  expect((await service.get("/api/v2/getMasterchainInfo")).status).toBe(200);
  disk.empty();
  await until("health", async () => (await health()) === "200 OK");
});

test("A service without its database is healthy for v2 alone", slow, async () => {
  const databaseUrl = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
  for (const healthOnly of variants<Config["healthOnly"]>(["v2"], ["all"])) {
    const service = await startService({ index: true, databaseUrl, healthOnly });
    onTestFinished(() => service.close());
    const status = async (path: string) => (await service.get(path, { key: null })).status;
    expect(await status("/api/v3/blocks")).toBe(503);
    expect(await status("/api/v2/getMasterchainInfo")).toBe(200);
    expect(await status("/healthcheck")).toBe(healthOnly === "all" ? 503 : 200);
    expect(await status("/api/v2/healthcheck?only=v2")).toBe(200);
    expect(await status("/healthcheck?only=all")).toBe(503);
    expect(await status("/healthcheck?only=v4")).toBe(422);
  }
});
