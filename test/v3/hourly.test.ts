import { describe, expect, it, onTestFinished } from "vitest";
import type { Transaction } from "../../client/api.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";

type Hour = { utime: number; transactions: number; fees: string };

describe("v3.hourlyTotals", () => {
  it("sums up the transactions of each hour that has blocks, the newest first", async () => {
    const service = await startDevnetService({ index: true });
    onTestFinished(() => service.close());
    for (const seconds of [0, 3600, 3 * 3600]) {
      if (seconds > 0) await service.run("devnet.advanceTime", { seconds });
      await service.run("devnet.faucet", { address: `0:${"4".repeat(64)}`, amount: "1000000000" });
    }
    const head = await service.mine();
    await untilIndexed(service, head);
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      limit: 1000,
    });
    const expected = new Map<number, Hour>();
    for (const { now, total_fees } of transactions) {
      const utime = now - (now % 3600);
      const { transactions: many, fees } = expected.get(utime) ?? { transactions: 0, fees: "0" };
      expected.set(utime, { utime, transactions: many + 1, fees: String(BigInt(fees) + BigInt(total_fees)) });
    }
    const { hours } = await service.run<{ hours: Hour[] }>("v3.hourlyTotals");
    expect(hours).toEqual([...expected.values()].sort((a, b) => b.utime - a.utime));
    expect(hours.length).toBeGreaterThanOrEqual(3);
    for (const { fees } of hours) expect(BigInt(fees)).toBeGreaterThan(0n);

    const answer = await service.get("/api/v3/hourlyTotals?hours=1");
    expect([answer.status, answer.json]).toEqual([200, { hours: hours.slice(0, 1) }]);
    for (const wrong of ["0", "49", "-1", "x"])
      expect((await service.get(`/api/v3/hourlyTotals?hours=${wrong}`)).status).toBe(422);
  });
});
