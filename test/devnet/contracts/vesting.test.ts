import { beforeEach, describe, expect, it } from "vitest";
import { spendGrantBody, Vesting, whitelistBody } from "../../../server/devnet/story/contracts/vesting.js";
import { Answer, addressSlice } from "../../../shared/ton/contracts/get-method.js";
import type { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { ContractChain, paidTo, testAccount } from "../../helpers/contracts/contract-chain.js";

const chain = new ContractChain();
const [sender, owner, friend, stranger] = [1, 2, 3, 4].map(testAccount) as [
  Address,
  Address,
  Address,
  Address,
];
const period = 1000;

let vesting: Vesting;
let startTime: number;
beforeEach(async () => {
  startTime = chain.now + 10;
  const terms = { sender, owner, ownerKey: new Uint8Array(32).fill(8), amount: 100n * ton };
  vesting = new Vesting({
    ...terms,
    startTime,
    duration: 10 * period,
    unlockPeriod: period,
    cliff: 2 * period,
  });
  await chain.send({ from: sender, to: vesting.address, value: 100n * ton, init: vesting.init });
});

/** The amount that reaches the receiver when the owner spends this much. Locked money must be able to bounce. */
async function spent(amount: bigint, to = stranger, at?: number): Promise<bigint> {
  const body = spendGrantBody({ to, value: amount, bounce: to === friend }, 5);
  const sent = await chain.send({ from: owner, to: vesting.address, body, ...(at !== undefined && { at }) });
  return paidTo(to, sent);
}
const lockedAt = async (time: number) => {
  const answer = await Answer.of(chain, vesting.address, "get_locked_amount", [
    { type: "int", value: BigInt(time) },
  ]);
  return answer.int(0);
};
const isWhitelisted = async (address: Address) =>
  (await Answer.of(chain, vesting.address, "is_whitelisted", [addressSlice(address)])).flag(0);

describe("a vesting wallet of the story", () => {
  it("returns its initial terms", async () => {
    const data = await Answer.of(chain, vesting.address, "get_vesting_data");
    expect([0, 1, 2, 3, 4].map((index) => data.int(index))).toEqual(
      [startTime, 10 * period, period, 2 * period].map(BigInt).concat(100n * ton),
    );
    expect([data.address(5), data.address(6), data.isNull(7)]).toEqual([sender, owner, true]);
  });

  it("releases its money period by period after the cliff", async () => {
    const times = [0, 2 * period - 1, 2 * period, 9 * period, 10 * period];
    const locked = await Promise.all(times.map((seconds) => lockedAt(startTime + seconds)));
    expect(locked).toEqual([100n, 100n, 80n, 10n, 0n].map((amount) => amount * ton));
    expect(await spent(5n * ton)).toBe(0n);
    expect(await spent(15n * ton, stranger, startTime + 2 * period)).toBe(15n * ton);
    expect(await spent(15n * ton)).toBe(0n);
    expect(await spent(80n * ton, stranger, startTime + 10 * period)).toBe(80n * ton);
  });

  it("sends locked money to the whitelist, which the sender extends, and back to the sender", async () => {
    const body = whitelistBody([friend, testAccount(7), testAccount(8)], 6);
    await chain.send({ from: owner, to: vesting.address, body });
    expect(await isWhitelisted(friend)).toBe(false);
    const answers = await chain.send({ from: sender, to: vesting.address, body });
    expect(answers.map(({ to, op }) => to.equals(sender) && op)).toContain(0xf258a69b);
    expect(await Promise.all([friend, testAccount(8), stranger].map(isWhitelisted))).toEqual([
      true,
      true,
      false,
    ]);
    expect(await spent(5n * ton, friend)).toBe(5n * ton);
    expect(await spent(5n * ton, sender)).toBeGreaterThanOrEqual(5n * ton);
    expect(await spent(5n * ton, stranger)).toBe(0n);
  });

  it("obeys its owner only", async () => {
    const body = spendGrantBody({ to: sender, value: ton }, 5);
    const sent = await chain.send({ from: stranger, to: vesting.address, body });
    expect(paidTo(sender, sent)).toBe(0n);
  });
});
