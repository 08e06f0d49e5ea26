import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Executor } from "../../../server/chain/executor/executor.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { electorAddress } from "../../../server/devnet/genesis/initial-config.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { anySlice, bytesKey, Dictionary } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { ton } from "../../helpers/chain/devnet.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";
import { LoneContract, type Ran } from "../../helpers/contracts/lone-contract.js";
import { stakeOrderBody } from "../../helpers/elections/election-bodies.js";
import {
  defaultTimes,
  electionConfig,
  firstSetTime,
  stakeHolder,
  testKey,
} from "../../helpers/elections/elections.js";
import { ownElector } from "../../helpers/elections/electors.js";
import { letterComment, loneValidatorSet, stakingRequest } from "../../helpers/elections/staking-requests.js";

const validator = stakeHolder(1);
const [ann, ben, cleo, dora] = [11, 12, 13, 14].map((number) => stakeHolder(number, 0)) as [
  Address,
  Address,
  Address,
  Address,
];
const start = firstSetTime + 10;
const stakeAt = firstSetTime + 65_536;
const accepted = 0xf374484c;
const rejected = 0xee6f454c;
const recovered = 0xf96f7324;

/** Nanotons of whole TON. */
const tons = (amount: number) => BigInt(amount) * ton;
const configWith = (current: Cell) => electionConfig({ current }).root!;

let executor: Executor;
let pool: LoneContract;
let now: number;

beforeAll(async () => {
  executor = await sharedExecutor();
});

beforeEach(() => {
  now = start;
  const terms = beginCell()
    .storeBytes(validator.hash)
    // 40 % of each reward, three nominators.
    .storeUint(4000, 16)
    .storeUint(3, 16)
    .storeCoins(tons(1000))
    .storeCoins(tons(100))
    .endCell();
  const data = beginCell()
    .storeUint(0, 8 + 16)
    .storeCoins(0n)
    .storeCoins(0n)
    .storeRef(terms)
    .storeUint(0, 1 + 1 + 32 + 256 + 8 + 32 + 32 + 1)
    .endCell();
  pool = new LoneContract({
    ...{ executor, data, balance: tons(20), config: configWith(loneValidatorSet(1)) },
    code: contractCode("nominator-pool"),
    address: new Address(masterchain, new Uint8Array(32).fill(3)),
  });
});

/** The storage, read without the pool. */
function stored() {
  const slice = pool.data.parse();
  const [state, count] = [slice.loadUint(8), slice.loadUint(16)];
  const [sent, validatorAmount] = [slice.loadCoins(), slice.loadCoins()];
  slice.loadRef();
  const nominators = Dictionary.load(slice, bytesKey(32), anySlice);
  const requests = Dictionary.load(slice, bytesKey(32), anySlice);
  const at = slice.loadUint(32);
  const savedSet = bytesToHex(slice.loadBytes(32));
  const changes = slice.loadUint(8);
  const [changedAt, held] = [slice.loadUint(32), slice.loadUint(32)];
  expect(slice.loadMaybeRef()).toBeUndefined();
  slice.end();
  const amounts = [...nominators.entries()].map(([account, entry]): [string, bigint[]] => [
    bytesToHex(account),
    [entry.loadCoins(), entry.loadCoins()],
  ]);
  return {
    ...{ state, count, sent, validatorAmount, at, savedSet, changes, changedAt, held },
    nominators: new Map(amounts),
    requests: [...requests.keys()].map(bytesToHex),
  };
}

/** amount, pending */
const of = ({ hash }: Address) => stored().nominators.get(bytesToHex(hash));
const receive = (from: Address, value: bigint, body?: Cell): Ran =>
  pool.receive({ from, value, at: ++now, ...(body && { body }) });
const deposit = (from: Address, amount: number) => receive(from, tons(amount) + ton, letterComment("d"));
const withdraw = (from: Address) => receive(from, ton, letterComment("w"));
const fromElector = (op: number, value: bigint) =>
  receive(electorAddress, value, stakingRequest(op).endCell());
const noteChange = () => receive(ann, ton, stakingRequest(6).endCell());
const recover = () => receive(ann, ton, stakingRequest(0x47657424).endCell());

function stake(amount: number, { from = validator, queryId = 1n } = {}): Ran {
  const body = beginCell()
    .storeUint(0x4e73744b, 32)
    .storeUint(queryId, 64)
    .storeCoins(tons(amount))
    .storeBytes(testKey(3).publicKey)
    .storeUint(stakeAt, 32)
    .storeUint(3 << 16, 32)
    .storeUint(7, 256)
    .storeRef(beginCell().storeUint(1, 8).endCell());
  return receive(from, 2n * ton, body.endCell());
}

/** Two changes of the set in force, and the time until the stake may come back. */
function waitForReturn(): void {
  for (const number of [2, 1]) {
    pool.config = configWith(loneValidatorSet(number));
    noteChange();
  }
  now += defaultTimes.stakeHeldFor + 60;
}

/** One round from the stake to the return of this amount. */
function round(staked: number, returned: bigint): void {
  expect(stake(staked).exitCode).toBe(0);
  fromElector(accepted, ton);
  waitForReturn();
  expect(recover().sent).toHaveLength(1);
  fromElector(recovered, returned);
}

function fill(): void {
  receive(validator, tons(5001), stakingRequest(4).endCell());
  deposit(ann, 3000);
  deposit(ben, 1000);
}

describe("A nominator pool", () => {
  it("goes through three rounds with a reward, an activation, withdrawals and penalties", () => {
    fill();
    expect(stored()).toMatchObject({ state: 0, count: 2, validatorAmount: tons(5000), requests: [] });

    // The first round brings 100 TON. Meanwhile there are two deposits and a request.
    const { sent } = stake(9001);
    expect(sent.map(({ to, value }) => [to, value])).toEqual([[electorAddress.toRaw(), tons(9001)]]);
    const body = sent[0]!.body.parse();
    expect([body.loadUint(32), body.loadBigUint(64)]).toEqual([0x4e73744b, 1n]);
    expect(bytesToHex(body.loadBytes(32))).toBe(bytesToHex(testKey(3).publicKey));
    expect(stored()).toMatchObject({ state: 1, sent: tons(9000), at: stakeAt, changes: 0 });
    expect(stored()).toMatchObject({
      savedSet: loneValidatorSet(1).hashHex(),
      held: defaultTimes.stakeHeldFor,
    });
    fromElector(accepted, ton);
    expect(stored().state).toBe(2);
    deposit(cleo, 500);
    deposit(ann, 100);
    withdraw(ben);
    expect([of(ann), of(ben), of(cleo)]).toEqual([
      [tons(3000), tons(100)],
      [tons(1000), 0n],
      [0n, tons(500)],
    ]);
    expect(stored().requests).toEqual([bytesToHex(ben.hash)]);
    waitForReturn();
    expect(recover().sent.map(({ to, value }) => [to, value])).toEqual([[electorAddress.toRaw(), ton]]);
    fromElector(recovered, tons(9100));
    // 40 to the validator, 45 and 15 to the nominators; deposits that were pending count from now on.
    expect(stored()).toMatchObject({ state: 0, sent: 0n, validatorAmount: tons(5040) });
    expect([of(ann), of(ben), of(cleo)]).toEqual([
      [tons(3145), 0n],
      [tons(1015), 0n],
      [tons(500), 0n],
    ]);
    const granted = receive(dora, ton, stakingRequest(2).storeUint(40, 8).endCell());
    expect(granted.sent.map(({ to, value }) => [to, value])).toEqual([
      [ben.toRaw(), tons(1015)],
      [dora.toRaw(), ton],
    ]);
    expect(stored()).toMatchObject({ count: 2, requests: [] });

    // The second one costs 100 TON, which the validator bears.
    stake(8001);
    fromElector(accepted, ton);
    deposit(ben, 300);
    waitForReturn();
    recover();
    fromElector(recovered, tons(7900));
    expect(stored().validatorAmount).toBe(tons(4940));
    expect([of(ann), of(ben), of(cleo)]).toEqual([
      [tons(3145), 0n],
      [tons(300), 0n],
      [tons(500), 0n],
    ]);

    // The third one costs more than the validator has: 500 TON are left to the nominators.
    const back = receive(validator, ton, stakingRequest(5).storeCoins(tons(3940)).endCell());
    expect(back.sent.map(({ to, value }) => [to, value])).toEqual([[validator.toRaw(), tons(3941)]]);
    round(4001, tons(2500));
    expect(stored().validatorAmount).toBe(0n);
    // 3145 - 500 * 3145 / 3945 and so on, rounded down.
    expect([of(ann), of(ben), of(cleo)]).toEqual([
      [2_746_394_169_835n, 0n],
      [261_977_186_311n, 0n],
      [436_628_643_852n, 0n],
    ]);
    const paid = withdraw(ann);
    expect(paid.sent.map(({ to, value }) => [to, value])).toEqual([[ann.toRaw(), 2_747_394_169_835n]]);
    expect(stored().count).toBe(2);
    // The pool has the coins it owes, in addition to the fees of deposits.
    expect(pool.balance).toBeGreaterThan(261_977_186_311n + 436_628_643_852n + tons(20));
  });

  it("accepts sufficient deposits from the basechain, up to the maximum number of nominators", () => {
    expect(deposit(ann, 99).exitCode).not.toBe(0);
    expect(deposit(stakeHolder(11), 500).exitCode).not.toBe(0);
    expect(receive(ann, tons(501), letterComment("x")).exitCode).not.toBe(0);
    for (const nominator of [ann, ben, cleo]) expect(deposit(nominator, 100).exitCode).toBe(0);
    expect(deposit(dora, 100).exitCode).not.toBe(0);
    expect(deposit(ann, 1).exitCode).toBe(0);
    expect(of(ann)).toEqual([tons(101), 0n]);
    expect(stored().count).toBe(3);
  });

  it("stakes for its validator only, with all conditions met", () => {
    fill();
    expect(stake(9001, { from: stakeHolder(2) }).exitCode).not.toBe(0);
    expect(stake(9001, { queryId: 0n }).exitCode).not.toBe(0);
    // Ten TON stay here.
    expect(stake(9014).exitCode).not.toBe(0);
    receive(validator, ton, stakingRequest(5).storeCoins(tons(4001)).endCell());
    expect(stake(4000).exitCode).not.toBe(0);
    receive(validator, tons(4002), stakingRequest(4).endCell());
    expect(stake(9001).exitCode).toBe(0);
    expect(stake(9001).exitCode).not.toBe(0);
  });

  it.each([
    ["rejected", () => fromElector(rejected, tons(9001))],
    [
      "bounced",
      () => {
        const body = beginCell().storeUint(0xffffffff, 32).storeUint(0x4e73744b, 32).endCell();
        pool.receive({ from: electorAddress, value: tons(9001), body, at: now, bounced: true });
      },
    ],
  ])("has its stake back once it is %s", (_, answer) => {
    fill();
    stake(9001);
    answer();
    expect(stored()).toMatchObject({ state: 0, sent: 0n, validatorAmount: tons(5000) });
    expect(stake(9001).exitCode).toBe(0);
  });

  describe("recovers its stake", () => {
    const change = (number: number) => {
      pool.config = configWith(loneValidatorSet(number));
      return noteChange().exitCode;
    };
    beforeEach(() => {
      fill();
      expect(recover().exitCode).not.toBe(0);
      stake(9001);
      expect(recover().exitCode).not.toBe(0);
      fromElector(accepted, ton);
      expect(recover().exitCode).not.toBe(0);
      change(1);
      expect(stored().changes).toBe(0);
      change(2);
      now += defaultTimes.stakeHeldFor + 61;
      expect(recover().exitCode).not.toBe(0);
      change(3);
      expect(stored()).toMatchObject({ changes: 2, savedSet: loneValidatorSet(3).hashHex(), changedAt: now });
    });

    it("after two changes of the set and the time of holding", () => {
      now += defaultTimes.stakeHeldFor + 59;
      expect(recover().exitCode).not.toBe(0);
      expect(recover().exitCode).toBe(0);
    });

    it("after three changes", () => {
      expect(recover().exitCode).not.toBe(0);
      change(4);
      expect(recover().exitCode).toBe(0);
      expect(change(5)).not.toBe(0);
    });
  });

  it("grants one request, and requests only while its coins are here", () => {
    fill();
    stake(9001);
    fromElector(accepted, ton);
    withdraw(ann);
    withdraw(ben);
    const one = stakingRequest(3).storeBytes(ben.hash).endCell();
    expect(receive(dora, ton, one).exitCode).not.toBe(0);
    expect(receive(dora, ton, stakingRequest(2).storeUint(1, 8).endCell()).exitCode).not.toBe(0);
    waitForReturn();
    recover();
    fromElector(recovered, tons(9000));
    expect(stake(9001).exitCode).not.toBe(0);
    expect(receive(dora, ton, one).sent[0]).toMatchObject({ to: ben.toRaw(), value: tons(1000) });
    expect(receive(dora, ton, stakingRequest(2).storeUint(1, 8).endCell()).sent[0]).toMatchObject({
      to: ann.toRaw(),
      value: tons(3000),
    });
    expect(stored()).toMatchObject({ count: 0, requests: [] });
  });

  it("gives the whole reward to the validator without nominators", () => {
    receive(validator, tons(5001), stakingRequest(4).endCell());
    round(4001, tons(4010));
    expect(stored().validatorAmount).toBe(tons(5010));
  });

  it("answers get-methods", () => {
    fill();
    stake(9001);
    fromElector(accepted, ton);
    deposit(ann, 100);
    withdraw(ben);
    const int = (value: bigint | number): StackValue => ({ type: "int", value: BigInt(value) });
    const account = ({ hash }: Address) => BigInt(`0x${bytesToHex(hash)}`);
    const data = pool.get("get_pool_data", now).stack;
    const { changedAt } = stored();
    expect(data.slice(0, 9)).toEqual(
      [2, 2, tons(9000), tons(5000), account(validator), 4000, 3, tons(1000), tons(100)].map(int),
    );
    expect(data.slice(9, 11).map(({ type }) => type)).toEqual(["cell", "cell"]);
    expect(data.slice(11)).toEqual([
      ...[stakeAt, loneValidatorSet(1).hashHex(), 0, changedAt, defaultTimes.stakeHeldFor].map((value) =>
        int(typeof value === "string" ? BigInt(`0x${value}`) : value),
      ),
      { type: "null" },
    ]);
    expect(pool.get("get_nominator_data", now, [int(account(ann))]).stack).toEqual(
      [tons(3000), tons(100), 0].map(int),
    );
    expect(pool.get("get_nominator_data", now, [int(account(cleo))]).exitCode).toBe(86);
    expect(pool.get("has_withdraw_requests", now).stack).toEqual([int(-1)]);
    const shown = (address: Address, ...values: (bigint | number)[]): StackValue => ({
      type: "tuple",
      items: [account(address), ...values].map(int),
    });
    expect(pool.get("list_nominators", now).stack).toEqual([
      {
        type: "tuple",
        items: [
          shown(ann, tons(3000), tons(100), 0),
          { type: "tuple", items: [shown(ben, tons(1000), 0, -1), { type: "null" }] },
        ],
      },
    ]);
    expect(pool.get("list_votes", now).stack).toEqual([{ type: "null" }]);
  });

  it("stakes with the elector of elections, and has its stake back with a bonus", () => {
    const key = testKey(3);
    const elector = ownElector({ executor, config: electionConfig() });
    /** Delivers the first message of one contract to the other. */
    const pass = ({ sent }: Ran, from: LoneContract, to: LoneContract) => {
      const { value, body } = sent[0]!;
      return to.receive({ from: from.address, value, body, at: now });
    };
    const configure = (config: Parameters<typeof electionConfig>[0]) => {
      elector.config = electionConfig(config).root!;
      pool.config = elector.config;
    };
    receive(validator, tons(6001), stakingRequest(4).endCell());
    deposit(ann, 14_000);
    configure({ current: loneValidatorSet(1) });
    elector.tick(now);
    now = stakeAt - defaultTimes.electionsStartBefore;
    elector.tick(now);
    const order = stakeOrderBody(tons(18_001), { key, source: pool.address, stakeAt });
    const staked = receive(validator, ton, order);
    pass(pass(staked, pool, elector), elector, pool);
    expect(stored()).toMatchObject({ state: 2, sent: tons(18_000), at: stakeAt });
    const [sent] = elector.tick(stakeAt - defaultTimes.electionsEndBefore).sent;
    const elected = sent!.body.refs[0]!;
    for (const [at, current] of [
      [stakeAt, elected],
      [stakeAt + 100, loneValidatorSet(2)],
    ] as const) {
      now = at;
      configure({ current, next: loneValidatorSet(4) });
      elector.tick(now);
      const fees = new Address(masterchain, new Uint8Array(32));
      elector.receive({ from: fees, value: tons(50), at: now + 2 });
      noteChange();
    }
    now += defaultTimes.stakeHeldFor + 61;
    elector.tick(now);
    pass(pass(recover(), pool, elector), elector, pool);
    // The bonus is 50 TON, and the request's value is 1 TON.
    const share = (tons(51) * 4000n) / 10_000n;
    expect(stored()).toMatchObject({ state: 0, sent: 0n, validatorAmount: tons(6000) + share });
    expect(of(ann)).toEqual([tons(14_000) + tons(51) - share, 0n]);
  });
});
