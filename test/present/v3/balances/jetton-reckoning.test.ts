import { describe, expect, it } from "vitest";
import { lastOfPeriods, presentBalances } from "../../../../server/present/v3/balances/balance-history.js";
import { reckonBalances, sumOfChanges } from "../../../../server/present/v3/balances/jetton-reckoning.js";
import type { JettonStep } from "../../../../server/store/queries/tokens/jetton-steps.js";
import { serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";

const bodyOf = (op: number, amount: bigint) =>
  serializeBoc(beginCell().storeUint(op, 32).storeUint(0, 64).storeCoins(amount).endCell());
const received = (amount: bigint) => ({ body: bodyOf(0x178d4519, amount) });
const burned = (amount: bigint) => ({ body: bodyOf(0x595f07bc, amount) });
const unknown = { body: bodyOf(1, 5n) };

/** Steps from the oldest to the newest, as they happened; returned with the newest first. */
function stepsOf(...special: Partial<JettonStep>[]): JettonStep[] {
  const steps = special.map((each, at) => ({
    lt: BigInt(at + 1) * 10n,
    now: BigInt(at) * 50_000n,
    block_workchain: 0,
    block_shard: -(2n ** 63n),
    block_seqno: at,
    mc_block_seqno: at,
    may_change: true,
    is_first: at === 0,
    body: null,
    bounced: false,
    ...each,
  }));
  return steps.reverse();
}

const reckon = (steps: JettonStep[], balance: bigint) => {
  const { points, knownSince } = reckonBalances(steps, { balance, is_mintless: false });
  return [points.map((point) => point.balance), knownSince];
};

describe("balances of a jetton wallet, reckoned back", () => {
  it("reach from the last one to the first transaction", () => {
    const steps = stepsOf(received(7n), burned(2n), { may_change: false }, received(5n));
    expect(reckon(steps, 10n)).toEqual([[10n, 5n, 5n, 7n], undefined]);
    expect(sumOfChanges(steps.slice(0, 3), false)).toBe(3n);
    expect(reckon([], 3n)).toEqual([[], undefined]);
  });

  it("end at a message that the standard does not have", () => {
    const steps = stepsOf(received(7n), unknown, received(5n));
    expect(reckon(steps, 20n)).toEqual([[20n, 15n], 20n]);
    expect(sumOfChanges(steps, false)).toBeUndefined();
    expect(sumOfChanges(steps.slice(0, 1), false)).toBe(5n);
  });

  it("end where older transactions were not read, or were of an earlier wallet at this address", () => {
    expect(reckon(stepsOf({ ...received(7n), is_first: false }, received(5n)), 20n)).toEqual([
      [20n, 15n],
      10n,
    ]);
    const twice = stepsOf(received(7n), burned(7n), { ...received(2n), is_first: true });
    expect(reckon(twice, 2n)).toEqual([[2n], 30n]);
  });

  it("are only the last one, if the messages cannot have made it", () => {
    expect(reckon(stepsOf(received(7n), received(5n)), 13n)).toEqual([[13n], 20n]);
    expect(reckon(stepsOf(received(7n), received(5n)), 4n)).toEqual([[4n], 20n]);
  });

  it("are one for each day or block within bounds, in pages", () => {
    const steps = stepsOf(received(1n), received(1n), received(1n), { ...received(1n), block_seqno: 2 });
    const { points } = reckonBalances(steps, { balance: 4n, is_mintless: false });
    const balances = (...rest: [Parameters<typeof lastOfPeriods>[1], Parameters<typeof lastOfPeriods>[2]]) =>
      lastOfPeriods(points, ...rest).map(({ balance }) => balance);
    expect(balances("block", {})).toEqual([4n, 2n, 1n]);
    expect(balances("day", {})).toEqual([4n, 2n]);
    expect(balances("day", { end_lt: 30n })).toEqual([3n, 2n]);
    expect(balances("block", { start_utime: 50_000, end_utime: 100_000 })).toEqual([3n, 2n]);
    const page = presentBalances(lastOfPeriods(points, "block", {}), 2);
    expect(page.history.map(({ balance }) => balance)).toEqual(["4", "2"]);
    expect(page.history[0]!.block_ref).toEqual({ workchain: 0, shard: "8000000000000000", seqno: 2 });
    expect(page.next_end_lt).toBe("10");
  });
});
