import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isLong } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { TonwireProcess } from "../helpers/services/command.js";
import { startService } from "../helpers/services/service.js";
import { smallDisk } from "../helpers/small-disk.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 300_000 };

test("A service with a devnet is healthy once the index has caught up", slow, async () => {
  const service = await startService({ index: true, adminPort: await freePort() });
  onTestFinished(() => service.close());
  const health = async () => {
    const { status, text, headers } = await service.get("/healthcheck", { key: null });
    return [status, text, headers.get("retry-after")];
  };
  // The embedded database starts slowly; calls without it are answered immediately.
  const reasons = [
    "The database is starting",
    "The database is being connected",
    "The database has no index yet",
    "The index is catching up with the devnet: block 0 of 1",
    "The index is catching up with the devnet: block 0 of 1 so far",
  ];
  const adminHealth = async () => {
    const answer = await fetch(`${service.adminUrl}/healthcheck`);
    return [answer.status, await answer.text()];
  };
  for (const [status, reason] of [await health(), await adminHealth()])
    if (status !== 200) expect([status, reasons]).toEqual([503, expect.arrayContaining([reason])]);
  expect((await service.get("/api/v2/getMasterchainInfo")).status).toBe(200);

  await until("health", async () => (await health())[0] === 200);
  expect(await health()).toEqual([200, "OK", null]);
  expect(await adminHealth()).toEqual([200, "OK"]);
  const { last } = (await service.get("/api/v3/masterchainInfo")).json as { last: { seqno: number } };
  expect(last.seqno).toBeGreaterThan(0);
  const index = await until("its numbers", async () => {
    const status = await (await fetch(`${service.adminUrl}/status`)).json();
    return status.index.failure === null && status.index;
  });
  expect(index).toMatchObject({ role: "writer", seqno: last.seqno, lag_sec: 0 });
});

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
  for (const healthOnly of ["all", "v2"] as const) {
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

test("A process that is asked to stop goes on answering while balancers leave it", slow, async () => {
  const process = new TonwireProcess([
    ...["start", "--port", "0", "--admin-port", "0", "--index", "false"],
    ...["--story", "false", "--stop-delay", "3600"],
  ]);
  const url = await process.printed(/serves \S+ at (\S+)\n/);
  process.send("SIGTERM");
  const health = async () => (await fetch(`${url}/healthcheck`)).text();
  await until("the end of health", async () => (await health()) === "Service is stopping");
  expect((await fetch(`${url}/api/v2/getMasterchainInfo`)).status).toBe(200);
  process.send("SIGTERM");
  await process.ended;
});
