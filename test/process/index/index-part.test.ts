import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isLong } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { startService } from "../../helpers/services/service.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

/** A service that keeps its chain and its index in a folder. */
async function serviceIn(data: string) {
  const service = await startService({ data, index: true, adminPort: await freePort() });
  onTestFinished(() => service.close());
  const health = async () => {
    const { status, text } = await service.get("/healthcheck?only=all");
    return `${status} ${text}`;
  };
  const adminHealth = async () => {
    const answer = await fetch(`${service.adminUrl}/healthcheck?only=all`);
    return `${answer.status} ${await answer.text()}`;
  };
  const failures = () => service.logLines.filter((line) => line.includes("the index failed"));
  return { service, health, adminHealth, failures };
}

/** Creating an embedded database takes seconds, or minutes on a loaded machine. */
const slow = { timeout: 600_000 };
const openMs = 300_000;

it.runIf(isLong)(
  "an index that cannot be opened is reported, and opened once that is possible",
  slow,
  async () => {
    const data = temporaryFolder();
    // The index folder cannot be created below a file; the test removes the file later.
    writeFileSync(join(data, "index"), "");
    const { service, health, adminHealth, failures } = await serviceIn(data);
    const reason = `503 ENOTDIR: not a directory, scandir '${data}/index'`;
    await until("the reason", async () => (await adminHealth()) === reason);
    expect(await health()).toBe("503 The index cannot be opened");
    rmSync(join(data, "index"));
    await until("the index", async () => (await health()).startsWith("200"), openMs);
    expect((await service.get("/api/v3/masterchainInfo")).status).toBe(200);
    expect(failures().filter((line) => line.includes("ENOTDIR"))).toHaveLength(1);
  },
);

it("a folder that this version cannot read is reported in a sentence", async () => {
  const data = temporaryFolder();
  mkdirSync(join(data, "index"));
  writeFileSync(join(data, "index", "PG_VERSION"), "17\n");
  const { health, adminHealth, failures } = await serviceIn(data);
  const reason = `${data}/index holds a database of PostgreSQL 17, not of 18: without it the index is made anew`;
  await until("the reason", async () => (await adminHealth()) === `503 ${reason}`);
  expect(await health()).toBe("503 The index cannot be opened");
  expect(failures().map((line) => JSON.parse(line))).toMatchObject([{ msg: `the index failed: ${reason}` }]);
  expect(failures()[0]).not.toContain("stack");
});

it("a second service on one data folder fails to start, and does not affect the first", async () => {
  const data = temporaryFolder();
  const { service } = await serviceIn(data);
  await expect(startService({ data, index: true })).rejects.toMatchObject({
    isSetupError: true,
    message: expect.stringContaining(`${data}/index.lock is held by process ${process.pid}`),
  });
  expect((await service.get("/api/v2/getMasterchainInfo")).status).toBe(200);
});
