import { expect, it, onTestFinished } from "vitest";
import { startDevnetService } from "../../helpers/devnet-service.js";
import { until } from "../../helpers/until.js";

type Contract = { address: string; kind: string; description: string };
type Run = { exit_code: number; stack: [string, unknown][] };
type Elections = { phase: string; verifiable: boolean; validators: Record<"address" | "stake", string>[] };

it("on a devnet with elections Max's pool and Nora's single nominator take part in the first one", async () => {
  const service = await startDevnetService({ story: true, devnetElections: "short" });
  onTestFinished(() => service.close());
  const contractsNow = async () => (await service.run<{ contracts: Contract[] }>("devnet.info")).contracts;
  const find = (contracts: Contract[], kind: string) => contracts.find((each) => each.kind === kind);
  const balance = async (name: string) => {
    const { address } = (await contractsNow()).find(({ description }) => description === name)!;
    return Number(BigInt(await service.run<string>("getAddressBalance", { address })) / 1_000_000_000n);
  };
  await until("the pool", async () => find(await contractsNow(), "nominator_pool") !== undefined);
  const contracts = await contractsNow();
  const { address } = find(contracts, "nominator_pool")!;
  const single = find(contracts, "single_nominator")!.address;
  const run = (method: string) =>
    service.run<Run>("runGetMethod", { address, method, stack: [] }).then(({ stack }) => stack);
  const numbers = async () =>
    (await run("get_pool_data")).slice(0, 4).map(([, value]) => BigInt(value as string));
  const validatorAmount = 100_000_000_000_000n;
  await until("the end of the story", async () => (await numbers())[3] === validatorAmount);
  expect(await service.run("devnet.skipPhase")).toMatchObject({ phase: "open" });
  // state, nominators, stake_amount_sent, validator_amount: Iris has left, and what is left is staked, less a TON.
  const [state, nominators, sent, ofMax] = await numbers();
  expect([state, nominators, ofMax]).toEqual([2n, 2n, validatorAmount]);
  expect(sent! / 1_000_000_000n).toBe(249_992n);
  expect(await balance("Wallet of Iris")).toBeGreaterThan(149_000);
  for (const [name, least] of [
    ["Wallet of Gus", 189_000],
    ["Wallet of Hana", 59_000],
  ] as const) {
    expect(await balance(name)).toBeGreaterThan(least);
    expect(await balance(name)).toBeLessThan(least + 2000);
  }

  const { validators, phase, verifiable } = await service.run<Elections>("devnet.elections");
  expect([phase, verifiable, validators.length]).toEqual(["open", true, 5]);
  const stakeOf = (holder: string) => validators.find((each) => each.address === holder)?.stake;
  expect(stakeOf(address)).toBe(String(sent));
  expect(BigInt(stakeOf(single)!) / 1_000_000_000n).toBe(249_999n);
});
