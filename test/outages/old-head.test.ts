import { expect, onTestFinished, test } from "vitest";
import { replayOf } from "../helpers/chain/open-replay.js";
import { freePort } from "../helpers/free-port.js";
import { mainnetGateway } from "../helpers/peers/mainnet-gateway.js";
import { startService } from "../helpers/services/service.js";
import { describeWithChain } from "../helpers/test-data.js";
import { until } from "../helpers/until.js";

describeWithChain("Liteservers that all stand still at the same block", (chain) => {
  test("are reported, and logged once", async () => {
    const { last, lastUtime } = await replayOf(chain.folder).getMasterchainInfoExt();
    let ageSec = 60;
    const { globalConfig } = await mainnetGateway(chain);
    const service = await startService(
      { network: "mainnet", globalConfig, adminPort: await freePort() },
      { now: () => (lastUtime + ageSec) * 1000 },
    );
    onTestFinished(() => service.close());
    /** The public status, and the reason that the operator sees. */
    const health = async () => [
      (await service.get("/healthcheck", { key: null })).status,
      await admin("/healthcheck"),
    ];
    const admin = async (path: string) => (await fetch(`${service.adminUrl}${path}`)).text();
    const warnings = () => service.logLines.filter((line) => line.includes("is too old")).length;
    const recoveries = () => service.logLines.filter((line) => line.includes("is recent again")).length;
    await until("health", async () => (await health())[0] === 200);
    expect(JSON.parse(await admin("/status")).liteservers.head).toEqual({ seqno: last.seqno, age_sec: 60 });
    expect(await admin("/metrics")).toContain("tonwire_head_age_seconds 60\n");
    expect(warnings()).toBe(0);

    ageSec = 61;
    expect(await health()).toEqual([503, "The newest block of the liteservers is 61 s old"]);
    ageSec = 100;
    expect(await health()).toEqual([503, "The newest block of the liteservers is 100 s old"]);
    expect(JSON.parse(await admin("/status")).liteservers.head.age_sec).toBe(100);
    expect(await admin("/metrics")).toContain("tonwire_head_age_seconds 100\n");
    expect([warnings(), recoveries()]).toEqual([1, 0]);

    // Calls are still answered, at the old block.
    expect((await service.get("/api/v2/getMasterchainInfo", { key: null })).status).toBe(200);
    ageSec = 5;
    expect(await health()).toEqual([200, "OK"]);
    expect([warnings(), recoveries()]).toEqual([1, 1]);
  });
});
