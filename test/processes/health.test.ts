import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../helpers/free-port.js";
import { startService } from "../helpers/service.js";
import { until } from "../helpers/until.js";

const patience = { timeout: 300_000 };

test("A service with a devnet is well once the index has its first block", patience, async () => {
  const service = await startService({ index: true, adminPort: await freePort() });
  onTestFinished(() => service.close());
  const health = async () => {
    const { status, text, headers } = await service.get("/healthcheck", { key: null });
    return [status, text, headers.get("retry-after")];
  };
  // The database inside takes its time; what does without it is answered at once.
  const reasons = [
    "The database is starting",
    "The database is being connected",
    "The database has no index yet",
    "The index has no block yet",
  ];
  const [status, reason] = await health();
  expect(status).toBe(503);
  expect(reasons).toContain(reason);
  expect((await service.get("/api/v2/getMasterchainInfo")).status).toBe(200);
  const admin = await fetch(`${service.adminUrl}/healthcheck`);
  expect([admin.status, reasons.includes(await admin.text())]).toEqual([503, true]);

  await until("health", async () => (await health())[0] === 200, 120_000);
  expect(await health()).toEqual([200, "OK", null]);
  expect(await (await fetch(`${service.adminUrl}/healthcheck`)).text()).toBe("OK");
  const { last } = (await service.get("/api/v3/masterchainInfo")).json as { last: { seqno: number } };
  expect(last.seqno).toBeGreaterThan(0);
  const { index } = await (await fetch(`${service.adminUrl}/status`)).json();
  expect(index).toMatchObject({ role: "writer", seqno: last.seqno, lag_sec: 0, failure: null });
});
