import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../helpers/free-port.js";
import { startService } from "../helpers/service.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 300_000 };

test("A service with a devnet is healthy once the index has caught up", slow, async () => {
  const service = await startService({ index: true, adminPort: await freePort() });
  onTestFinished(() => service.close());
  const health = async () => {
    const { status, text, headers } = await service.get("/healthcheck", { key: null });
    return [status, text, headers.get("retry-after")];
  };
  // The embedded database starts slowly; calls without it are answered at once.
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
