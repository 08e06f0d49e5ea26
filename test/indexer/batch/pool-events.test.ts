import { describe, expect, test } from "vitest";
import { type NominatorPool, readNominatorPool } from "../../../server/contracts/nominator-pool.js";
import { nominatorEvents, poolValidatorEvent } from "../../../server/indexer/batch/pool-events.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { anySlice, bytesKey, Dictionary } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { stakeHolder } from "../../helpers/elections/elections.js";

const ann = stakeHolder(1, 0);
const ben = stakeHolder(2, 0);
const validator = stakeHolder(3);

type Shares = readonly (readonly [who: typeof ann, balance: bigint, pending: bigint])[];
type Made = { shares?: Shares; requests?: readonly (typeof ann)[]; validatorAmount?: bigint; junk?: boolean };

/** The storage of a pool. */
function storage({ shares = [], requests = [], validatorAmount = 0n, junk = false }: Made): Cell {
  const nominators = Dictionary.empty(bytesKey(32), anySlice).update([
    ...shares.map(([{ hash }, balance, pending]) => {
      const entry = beginCell().storeCoins(balance).storeCoins(pending).endCell().parse();
      return [hash, entry] as [Uint8Array, typeof entry];
    }),
    ...(junk ? [[new Uint8Array(32), beginCell().storeUint(15, 4).endCell().parse()] as const] : []),
  ] as [Uint8Array, ReturnType<Cell["parse"]>][]);
  const wanted = Dictionary.empty(bytesKey(32), anySlice).update(
    requests.map(({ hash }) => [hash, beginCell().endCell().parse()]),
  );
  const terms = beginCell()
    .storeBytes(validator.hash)
    .storeUint(4000, 16)
    .storeUint(40, 16)
    .storeCoins(1000n)
    .storeCoins(100n)
    .endCell();
  return beginCell()
    .storeUint(2, 8)
    .storeUint(shares.length, 16)
    .storeCoins(777n)
    .storeCoins(validatorAmount)
    .storeRef(terms)
    .storeMaybeRef(nominators.root)
    .storeMaybeRef(wanted.root)
    .storeUint(1_800_000_000, 32)
    .storeUint(77, 256)
    .storeUint(1, 8)
    .storeUint(1_800_000_500, 32)
    .storeUint(300, 32)
    .storeBit(false)
    .endCell();
}

const pool = (made: Made): NominatorPool => readNominatorPool(storage(made));
/** The events in short. */
const events = (before: Made, after: Made, isReward = false) =>
  nominatorEvents(pool(before), pool(after), { isReward }).map((event) => ({
    ...{ who: event.nominator.toRaw(), type: event.type, amount: event.amount },
    deltas: [event.balanceDelta, event.pendingDelta],
    before: [event.before.balance, event.before.pending, event.before.hasRequest],
    after: [event.after.balance, event.after.pending, event.after.hasRequest],
  }));

describe("The storage of a nominator pool", () => {
  test("is read without the pool, nominators in ascending order", () => {
    expect(
      pool({
        shares: [
          [ben, 5n, 6n],
          [ann, 3n, 0n],
        ],
        requests: [ben],
        validatorAmount: 9n,
      }),
    ).toEqual({
      ...{ state: 2, nominatorsCount: 2, stakeAmountSent: 777n, validatorAmount: 9n, validator },
      ...{ validatorRewardShare: 4000, maxNominatorsCount: 40, stakeAt: 1_800_000_000 },
      ...{ minValidatorStake: 1000n, minNominatorStake: 100n },
      nominators: [
        { address: ann, balance: 3n, pendingBalance: 0n },
        { address: ben, balance: 5n, pendingBalance: 6n },
      ],
      withdrawRequests: [ben],
      setChanges: {
        count: 1,
        savedHash: beginCell().storeUint(77, 256).endCell().parse().loadBytes(32),
        at: 1_800_000_500,
      },
      stakeHeldFor: 300,
    });
  });

  test("is read as far as its entries can be read", () => {
    const { nominators } = pool({ shares: [[ann, 3n, 0n]], junk: true });
    expect(nominators.map(({ address }) => address)).toEqual([ann]);
    expect(() => readNominatorPool(beginCell().storeUint(1, 30).endCell())).toThrow(CellError);
  });
});

describe("A returned stake", () => {
  test("is a reward, and then the activation of pending deposits", () => {
    const before = { shares: [[ann, 1000n, 50n]] as const };
    const after = { shares: [[ann, 1060n, 0n]] as const };
    expect(events(before, after, true)).toEqual([
      {
        ...{ who: ann.toRaw(), type: "reward", amount: 10n, deltas: [10n, 0n] },
        ...{ before: [1000n, 50n, false], after: [1010n, 50n, false] },
      },
      {
        ...{ who: ann.toRaw(), type: "pending_deposit_activation", amount: 50n, deltas: [50n, -50n] },
        ...{ before: [1010n, 50n, false], after: [1060n, 0n, false] },
      },
    ]);
  });

  test("may be less than was staked, and may have earned nothing", () => {
    const before = {
      shares: [
        [ann, 1000n, 0n],
        [ben, 5n, 7n],
      ] as const,
    };
    const after = {
      shares: [
        [ann, 900n, 0n],
        [ben, 12n, 0n],
      ] as const,
    };
    expect(events(before, after, true)).toMatchObject([
      { who: ann.toRaw(), type: "reward", amount: -100n, deltas: [-100n, 0n] },
      { who: ben.toRaw(), type: "pending_deposit_activation", before: [5n, 7n, false] },
    ]);
    expect(events(before, before, true)).toEqual([]);
  });
});

describe("Another transaction", () => {
  test("is a deposit or a withdrawal of each nominator whose sum changed", () => {
    const before = { shares: [[ann, 1000n, 0n]] as const };
    const after = {
      shares: [
        [ann, 1000n, 30n],
        [ben, 40n, 0n],
      ] as const,
    };
    expect(events(before, after)).toEqual([
      {
        ...{ who: ann.toRaw(), type: "deposit", amount: 30n, deltas: [0n, 30n] },
        ...{ before: [1000n, 0n, false], after: [1000n, 30n, false] },
      },
      {
        ...{ who: ben.toRaw(), type: "deposit", amount: 40n, deltas: [40n, 0n] },
        ...{ before: [0n, 0n, false], after: [40n, 0n, false] },
      },
    ]);
    expect(events(after, before)).toMatchObject([
      { type: "withdrawal", amount: 30n, deltas: [0n, -30n] },
      { type: "withdrawal", amount: 40n, deltas: [-40n, 0n], after: [0n, 0n, false] },
    ]);
  });

  test("may be a request to withdraw, also by an account without an entry", () => {
    const before = { shares: [[ann, 5n, 0n]] as const };
    const after = { shares: [[ann, 5n, 0n]] as const, requests: [ben, ann] };
    expect(events(before, after)).toEqual([
      {
        ...{ who: ann.toRaw(), type: "withdrawal_request", amount: 0n, deltas: [0n, 0n] },
        ...{ before: [5n, 0n, false], after: [5n, 0n, true] },
      },
      {
        ...{ who: ben.toRaw(), type: "withdrawal_request", amount: 0n, deltas: [0n, 0n] },
        ...{ before: [0n, 0n, false], after: [0n, 0n, true] },
      },
    ]);
    expect(events(after, before)).toEqual([]);
    const paid = { shares: [[ann, 3n, 0n]] as const, requests: [ann] };
    expect(events(before, paid).map(({ type }) => type)).toEqual(["withdrawal", "withdrawal_request"]);
  });
});

describe("The validator's share", () => {
  const event = (before: bigint, after: bigint, isReward: boolean, opcode?: number) => {
    const [was, is] = [pool({ validatorAmount: before }), pool({ validatorAmount: after })];
    const found = poolValidatorEvent(was, is, { isReward, opcode });
    return found && [found.type, found.amount, found.balanceDelta, found.before, found.after];
  };

  test("changes by rewards, penalties, deposits and withdrawals, and else without an event", () => {
    expect(event(5n, 8n, true)).toEqual(["reward", 3n, 3n, 5n, 8n]);
    expect(event(8n, 5n, true)).toEqual(["penalty", 3n, -3n, 8n, 5n]);
    expect(event(5n, 8n, false, 4)).toEqual(["deposit", 3n, 3n, 5n, 8n]);
    expect(event(8n, 5n, false, 5)).toEqual(["withdrawal", 3n, -3n, 8n, 5n]);
    expect(event(8n, 5n, false, 6)).toBeUndefined();
    expect(event(5n, 5n, true)).toBeUndefined();
  });
});
