import { expect, it, onTestFinished } from "vitest";
import { startDevnetService } from "../../helpers/services/devnet-service.js";
import { storyEnded } from "../../helpers/stories/story.js";

type Contract = { address: string; kind: string; name: string };
type Run = { exit_code: number; stack: [string, unknown][] };
type Elections = { phase: string; verifiable: boolean; validators: Record<"address" | "stake", string>[] };

it("on a devnet with elections Max's pool and Nora's single nominator take part in the first one", async () => {
  const service = await startDevnetService({ story: true, devnetElections: "short" });
  onTestFinished(() => service.close());
  await storyEnded(service, { elections: true });
  const { contracts } = await service.run<{ contracts: Contract[] }>("devnet.info");
  const addressOf = (wanted: Partial<Contract>) =>
    contracts.find((each) => each.kind === wanted.kind || each.name === wanted.name)!.address;
  const balance = async (name: string) => {
    const address = addressOf({ name });
    return Number(BigInt(await service.run<string>("getAddressBalance", { address })) / 1_000_000_000n);
  };
  const [address, single] = [addressOf({ kind: "nominator_pool" }), addressOf({ kind: "single_nominator" })];
  const run = (method: string) =>
    service.run<Run>("runGetMethod", { address, method, stack: [] }).then(({ stack }) => stack);
  const numbers = async () =>
    (await run("get_pool_data")).slice(0, 4).map(([, value]) => BigInt(value as string));
  const validatorAmount = 100_000_000_000_000n;
  expect(await service.run("devnet.skipPhase")).toMatchObject({ phase: "open" });
  // state, nominators, stake_amount_sent, validator_amount: Iris has left, and the rest is staked, less one TON.
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
