import { describe, expect, it, onTestFinished } from "vitest";
import { ton } from "../helpers/chain/devnet.js";
import { isLong } from "../helpers/effort.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";

type Supply = { mc_seqno: number; total: string };
type Account = { account: string; balance: string };

describe("v3.supply", () => {
  it("is the sum of all balances and of the fees that the elector has yet to get", async () => {
    const service = await sharedService("indexed");
    onTestFinished(() => service.close());
    const sumOf = async () => {
      const accounts = await service.run<Account[]>("v3.topAccountsByBalance", { limit: 1000 });
      return accounts.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
    };
    await untilIndexed(service, await service.mine(3));
    const before = await service.run<Supply>("v3.supply");
    expect(BigInt(before.total)).toBe(await sumOf());
    await service.run("devnet.faucet", { address: `0:${"4".repeat(64)}`, amount: "5000000000" });
    const head = await service.mine(4);
    await untilIndexed(service, head);
    const after = await service.run<Supply>("v3.supply");
    // Without rewards for blocks nothing is created.
    expect(after).toEqual({ mc_seqno: head, total: before.total });
    // The elector gets fees once they are 1 TON.
    const fees = BigInt(after.total) - (await sumOf());
    expect(fees).toBeGreaterThan(0n);
    expect(fees).toBeLessThan(ton);
    expect(await service.run("v3.supply", { seqno: before.mc_seqno })).toEqual(before);
    const answer = await service.get(`/api/v3/supply?seqno=${head}`);
    expect([answer.status, answer.json]).toEqual([200, after]);
    expect((await service.get("/api/v3/supply?seqno=99999")).status).toBe(404);
  });

  it.runIf(isLong)("grows by the rewards for blocks", async () => {
    const service = await startDevnetService({ index: true, devnetRewards: true });
    onTestFinished(() => service.close());
    const [first, second] = [await service.mine(), await service.mine(2)];
    const [before, after] = await Promise.all(
      [first, second].map((seqno) => service.run<Supply>("v3.supply", { seqno })),
    );
    const reward = 2_700_000_000n;
    expect(BigInt(after!.total) - BigInt(before!.total)).toBe(reward * BigInt(second - first));
  });
});
