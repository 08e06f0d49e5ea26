import { expect, it, onTestFinished } from "vitest";
import { startDevnetService } from "../../helpers/devnet-service.js";
import { until } from "../../helpers/until.js";

type Contract = { address: string; kind: string; description: string };
type Run = { exit_code: number; stack: [string, unknown][] };

it("on a devnet with elections Max has a pool with two nominators, which a third one has left", async () => {
  const service = await startDevnetService({ story: true, devnetElections: "short" });
  onTestFinished(() => service.close());
  const pool = async () => {
    const { contracts } = await service.run<{ contracts: Contract[] }>("devnet.info");
    return contracts.find(({ kind }) => kind === "nominator_pool");
  };
  const balance = async (name: string) => {
    const { contracts } = await service.run<{ contracts: Contract[] }>("devnet.info");
    const { address } = contracts.find(({ description }) => description === name)!;
    return Number(BigInt(await service.run<string>("getAddressBalance", { address })) / 1_000_000_000n);
  };
  await until("the pool", async () => (await pool()) !== undefined);
  const { address } = (await pool())!;
  const run = (method: string) =>
    service.run<Run>("runGetMethod", { address, method, stack: [] }).then(({ stack }) => stack);
  const numbers = async () => (await run("get_pool_data")).map(([, value]) => value as string);
  // All three join in one block.
  await until("the leave", async () => BigInt((await numbers())[1]!) === 2n);
  await until("Iris's money", async () => (await balance("Wallet of Iris")) > 99_000);
  // state, nominators, stake_amount_sent, validator_amount, …, reward share
  expect((await numbers()).slice(0, 4).map(BigInt)).toEqual([0n, 2n, 0n, 50_000_000_000_000n]);
  for (const [name, least] of [
    ["Wallet of Gus", 79_000],
    ["Wallet of Hana", 69_000],
  ] as const) {
    expect(await balance(name)).toBeGreaterThan(least);
    expect(await balance(name)).toBeLessThan(least + 2000);
  }
});
