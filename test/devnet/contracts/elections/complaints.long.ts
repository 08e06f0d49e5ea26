import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SigningKey } from "../../../../server/chain/ed25519.js";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import type { StackValue } from "../../../../shared/ton/tvm/stack.js";
import type { Address } from "../../../../shared/values/address.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { ton } from "../../../helpers/chain/devnet.js";
import { SideBySide } from "../../../helpers/contracts/side-by-side.js";
import {
  type Complaint,
  complaintBody,
  recoverBody,
  stakeBody,
  voteBody,
} from "../../../helpers/elections/election-bodies.js";
import {
  defaultTimes,
  electionConfig,
  firstSet,
  firstSetTime,
  stakeHolder,
  testKey,
} from "../../../helpers/elections/elections.js";
import { readElector } from "../../../helpers/elections/elector-data.js";
import { ownElector, presentElector } from "../../../helpers/elections/electors.js";
import { describeWithChain } from "../../../helpers/test-data.js";

const { validatorsElectedFor, electionsStartBefore, electionsEndBefore, stakeHeldFor } = defaultTimes;
const electAt = firstSetTime + validatorsElectedFor;
const due = electAt - electionsStartBefore;
const unfreezeAt = electAt + validatorsElectedFor + stakeHeldFor;
const complainedAt = electAt + 100;
/** Price of a complaint of 648 bits with an empty description: deposit, bit and cell price of the configuration. */
const price = ton + BigInt(unfreezeAt - complainedAt) * (648n + 1024n + 512n * 3n);
/** The price of a complaint whose fine has four bytes instead of five. */
const smallPrice = price - BigInt(unfreezeAt - complainedAt) * 8n;
const complainer = stakeHolder(50);
const anyone = stakeHolder(60);
const int = (value: bigint | number): StackValue => ({ type: "int", value: BigInt(value) });
const opOf = (body: Cell) => body.parse().loadUint(32);
const numberOf = (bytes: Uint8Array) => BigInt(`0x${bytesToHex(bytes)}`);

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

/** Every step runs on our elector and on mainnet's of today, and must do the same to both. */
describeWithChain("Complaints to the elector of elections, as to mainnet's", (chain) => {
  let elector: SideBySide;
  /** In descending order of stakes. */
  let voters: SigningKey[];
  let elected: Cell;

  beforeEach(() => {
    const options = { executor, config: electionConfig(), balance: 1000n * ton };
    elector = new SideBySide(ownElector(options), [presentElector(chain, options)]);
    elector.tick(firstSetTime);
    elector.tick(due);
    voters = [0, 1, 2, 3, 4].map(testKey);
    voters.forEach((key, number) => {
      const source = stakeHolder(number);
      const body = stakeBody({ key, source, stakeAt: electAt });
      elector.receive({ from: source, value: (20_001n - BigInt(number)) * ton, body, at: due + 1 });
    });
    elected = elector.tick(electAt - electionsEndBefore).sent[0]!.body.refs[0]!;
    elector.config = electionConfig({ current: elected }).root!;
    elector.tick(electAt);
  });

  type Sending = Partial<Complaint> & { from?: typeof complainer; value?: bigint; at?: number };
  function complain({
    from = complainer,
    value = 200n * ton,
    at = complainedAt,
    ...complaint
  }: Sending = {}) {
    const body = complaintBody({ accused: testKey(1), electionId: electAt, fine: 500n * ton, ...complaint });
    return elector.receive({ from, value, body, at });
  }

  function vote(
    voter: number,
    changes: Partial<Parameters<typeof voteBody>[0]> = {},
    at = complainedAt + 10,
  ) {
    const key = voters[voter] ?? testKey(77);
    const complaint = past().complaints[0]!;
    const body = voteBody({ key, voter, electionId: electAt, complaint, ...changes });
    return elector.receive({ from: anyone, value: ton, body, at });
  }

  const resultOf = (ran: { sent: { body: Cell }[] }, base: number) => opOf(ran.sent[0]!.body) - base;
  const complaintResult = (changes: Sending) => resultOf(complain(changes), 0xf2676350);
  const voteResult = (...args: Parameters<typeof vote>) => resultOf(vote(...args), 0xd6745240);
  const state = () => readElector(elector.data);
  const past = () => state().pastElections.get(electAt)!;
  const stakeOf = (key: SigningKey) => past().frozen.get(bytesToHex(key.publicKey))!;

  const recoverFrom = (from: Address) =>
    elector.receive({ from, value: ton, body: recoverBody(1n), at: unfreezeAt + 2 * stakeHeldFor });

  function chainOf(depth: number): Cell {
    let cell = Cell.empty;
    for (let level = 1; level < depth; level++)
      cell = beginCell().storeUint(level, 16).storeRef(cell).endCell();
    return cell;
  }

  describe("a complaint", () => {
    it("is registered for its price, and the rest of the value goes back", () => {
      const before = elector.balance;
      const { sent } = complain();
      expect(opOf(sent[0]!.body)).toBe(0xf2676350);
      expect(sent[0]!.value).toBe(200n * ton - price);
      expect(elector.balance).toBe(before + price);
      expect(past().complaints).toHaveLength(1);
    });

    it.each<[string, number, () => Sending]>([
      ["from outside the masterchain", 1, () => ({ from: stakeHolder(50, 0) })],
      ["about an election that is unknown", 2, () => ({ electionId: electAt + 1 })],
      ["of too many levels", 3, () => ({ description: chainOf(128) })],
      ["after the stakes were held", 4, () => ({ at: unfreezeAt })],
      ["without the money for it", 5, () => ({ value: price + 2n ** 30n - 1n })],
      ["about nobody's key", 6, () => ({ accused: testKey(9) })],
      ["with a fine above the stake", 7, () => ({ fine: 20_001n * ton })],
      ["with a part above the stake", 7, () => ({ fine: 10_001n * ton, finePart: 0x80000000 })],
      ["with a fine below its price", 8, () => ({ fine: smallPrice })],
    ])("%s is refused", (_, error, changes) => {
      const before = elector.data.hashHex();
      const ran = complain(changes());
      expect(resultOf(ran, 0xf2676350)).toBe(error);
      expect(ran.sent[0]!.value).toBe(changes().value ?? 200n * ton);
      expect(elector.data.hashHex()).toBe(before);
    });

    it("is taken on the edges of these rules", () => {
      expect(complaintResult({ description: chainOf(127), value: 1000n * ton })).toBe(0);
      expect(complaintResult({ value: price + 2n ** 30n })).toBe(0);
      expect(complaintResult({ fine: smallPrice + 1n })).toBe(0);
      expect(complaintResult({ fine: stakeOf(testKey(1)) })).toBe(0);
      expect(complaintResult({ at: unfreezeAt - 1 })).toBe(0);
    });

    it("is refused the second time, unless something of it differs", () => {
      expect(complaintResult({})).toBe(0);
      expect(complaintResult({})).toBe(9);
      expect(complaintResult({ from: stakeHolder(51) })).toBe(0);
      expect(complaintResult({ at: complainedAt + 1 })).toBe(0);
    });
  });

  describe("votes", () => {
    beforeEach(() => void complain());

    it("fine the accused once they come to more than two thirds", () => {
      const [stake, total] = [stakeOf(testKey(1)), past().totalStake];
      const before = state();
      expect([0, 1, 2].map((voter) => voteResult(voter))).toEqual([1, 1, 1]);
      expect(stakeOf(testKey(1))).toBe(stake);
      expect(voteResult(3)).toBe(2);
      const fine = 500n * ton;
      expect(stakeOf(testKey(1))).toBe(stake - fine);
      expect(past().totalStake).toBe(total - fine);
      const reward = state().credits.get(bytesToHex(complainer.hash))!;
      expect(reward).toBeGreaterThan(0n);
      expect(state().unclaimed).toBe(before.unclaimed + fine - reward);
      // The late vote is counted, and changes no stake.
      expect(voteResult(4)).toBe(1);
      expect(stakeOf(testKey(1))).toBe(stake - fine);
      expect(voteResult(4)).toBe(0);
    });

    it("count once per validator", () => {
      expect([0, 0, 1].map((voter) => voteResult(voter))).toEqual([1, 0, 1]);
    });

    it("are refused for unknown elections and complaints", () => {
      expect(voteResult(0, { complaint: new Uint8Array(32).fill(1) })).toBe(-1);
      expect(voteResult(0, { electionId: electAt + 1 })).toBe(-2);
    });

    it("fail without the signature of a validator of the set", () => {
      const before = elector.data.hashHex();
      for (const ran of [vote(1, { key: testKey(9) }), vote(1, { key: voters[0]! }), vote(7)]) {
        expect(ran.exitCode).not.toBe(0);
        expect(ran.sent.map(({ bounced, value }) => [bounced, value])).toEqual([[true, ton]]);
      }
      expect(elector.data.hashHex()).toBe(before);
    });

    it("of another set begin anew, unless the complaint has passed", () => {
      voteResult(0);
      voteResult(1);
      const next = firstSet(voters.map(({ publicKey }) => ({ key: publicKey, weight: 10n })));
      elector.config = electionConfig({ current: next }).root!;
      expect([0, 1, 2].map((voter) => voteResult(voter))).toEqual([1, 1, 1]);
      expect(voteResult(3)).toBe(2);
      elector.config = electionConfig({ current: elected }).root!;
      expect(voteResult(0)).toBe(-3);
    });

    it("of equal weights need more than two thirds, rounded down", () => {
      const three = voters.slice(0, 3).map(({ publicKey }) => ({ key: publicKey, weight: 1n }));
      elector.config = electionConfig({ current: firstSet(three) }).root!;
      expect([0, 1, 2].map((voter) => voteResult(voter))).toEqual([1, 1, 2]);
    });
  });

  it("do not stop the elector if they take every stake", () => {
    voters.forEach((accused, number) => {
      complain({ accused, fine: (20_000n - BigInt(number)) * ton });
    });
    for (const complaint of past().complaints)
      for (const voter of [0, 1, 2, 3]) expect(voteResult(voter, { complaint })).toBeGreaterThan(0);
    expect(past().totalStake).toBe(0n);
    const next = firstSet([{ key: testKey(90).publicKey, weight: 1n }]);
    elector.config = electionConfig({ current: next, next }).root!;
    elector.tick(unfreezeAt);
    elector.tick(unfreezeAt + stakeHeldFor);
    expect(state().pastElections.size).toBe(0);
    expect(recoverFrom(stakeHolder(1)).sent[0]!.value).toBe(ton);
  });

  it("are shown by get-methods", () => {
    const ask = () => {
      for (const election of [electAt, electAt + 1, 0]) {
        elector.get("list_complaints", complainedAt, [int(election)]);
        elector.get("get_past_complaints", complainedAt, [int(election)]);
        for (const hash of past().complaints)
          elector.get("show_complaint", complainedAt, [int(election), int(numberOf(hash))]);
        elector.get("show_complaint", complainedAt, [int(election), int(1)]);
      }
      for (const [bits, refs, seconds] of [
        [0, 0, 0],
        [648, 1, 1000],
        [1023, 5, 98_294],
      ])
        elector.get("complaint_storage_price", complainedAt, [int(bits!), int(refs!), int(seconds!)]);
    };
    ask();
    complain();
    ask();
    complain({ accused: testKey(2), finePart: 1 << 20 });
    for (const voter of [3, 0, 1, 2]) vote(voter);
    ask();
  });
});
