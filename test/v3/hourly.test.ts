import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../client/api.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";

type Hour = { utime: number; transactions: number; fees: string };

describe("v3.hourlyTotals", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await startDevnetService({ index: true });
  });
  afterAll(() => service?.close());

  /** Pays in the hour that begins so many seconds later. */
  const payAfter = async (seconds: number) => {
    if (seconds > 0) await service.run("devnet.advanceTime", { seconds });
    await service.run("devnet.faucet", { address: `0:${"4".repeat(64)}`, amount: "1000000000" });
  };
  const indexed = async () => untilIndexed(service, await service.mine());
  /** The totals by the transactions of the index, the newest hour first. */
  const expected = async (): Promise<Hour[]> => {
    const { transactions } = await service.run<{ transactions: Transaction[] }>("v3.transactions", {
      limit: 1000,
    });
    const hours = new Map<number, Hour>();
    for (const { now, total_fees } of transactions) {
      const utime = now - (now % 3600);
      const { transactions: many, fees } = hours.get(utime) ?? { transactions: 0, fees: "0" };
      hours.set(utime, { utime, transactions: many + 1, fees: String(BigInt(fees) + BigInt(total_fees)) });
    }
    return [...hours.values()].sort((a, b) => b.utime - a.utime);
  };
  const totals = async (hours?: number) =>
    (await service.run<{ hours: Hour[] }>("v3.hourlyTotals", { ...(hours !== undefined && { hours }) }))
      .hours;

  it("sums up the transactions of each hour that has blocks, the newest first", async () => {
    for (const seconds of [0, 3 * 3600]) await payAfter(seconds);
    await indexed();
    const hours = await totals();
    expect(hours).toEqual(await expected());
    expect(hours.length).toBeGreaterThanOrEqual(2);
    for (const { fees } of hours) expect(BigInt(fees)).toBeGreaterThan(0n);

    const answer = await service.get("/api/v3/hourlyTotals?hours=1");
    expect([answer.status, answer.json]).toEqual([200, { hours: hours.slice(0, 1) }]);
    for (const wrong of ["0", "49", "-1", "x"])
      expect((await service.get(`/api/v3/hourlyTotals?hours=${wrong}`)).status).toBe(422);
  });

  it("adds the blocks that come later, in the same hour and in new ones", async () => {
    const before = await totals(48);
    for (const seconds of [0, 3600]) await payAfter(seconds);
    await indexed();
    const hours = await totals(48);
    expect(hours).toEqual(await expected());
    expect(hours.length).toBe(before.length + 1);
    await payAfter(47 * 3600);
    await indexed();
    // The first hours are more than two days back.
    const newest = (await expected()).filter(({ utime }, _, [first]) => utime > first!.utime - 48 * 3600);
    expect(await totals(48)).toEqual(newest);
    expect(newest.length).toBeLessThan(hours.length + 1);
  });

  it("follows a chain that went back and on in another way", async () => {
    const { id: before } = await service.run<{ id: string }>("devnet.snapshot");
    for (const seconds of [0, 0]) await payAfter(seconds);
    await indexed();
    const left = await totals();
    await service.run("devnet.revert", { id: before });
    await payAfter(0);
    await indexed();
    const hours = await totals();
    expect(hours).toEqual((await expected()).slice(0, hours.length));
    expect(hours[0]!.transactions).toBeLessThan(left[0]!.transactions);
  });
});
