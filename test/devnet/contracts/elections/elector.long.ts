import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { configAddress } from "../../../../server/devnet/genesis/initial-config.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { masterchain } from "../../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { ValidatorSet } from "../../../../shared/ton/tlb/config/validator-set.js";
import type { StackValue } from "../../../../shared/ton/tvm/stack.js";
import { Address } from "../../../../shared/values/address.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { ton } from "../../../helpers/chain/devnet.js";
import { SideBySide } from "../../../helpers/contracts/side-by-side.js";
import { type Stake, setAnswerBody, stakeBody } from "../../../helpers/elections/election-bodies.js";
import { ElectionWorld } from "../../../helpers/elections/election-world.js";
import {
  defaultTimes,
  type ElectionConfig,
  electionConfig,
  firstSet,
  firstSetTime,
  stakeHolder,
  testKey,
} from "../../../helpers/elections/elections.js";
import { editPastElection, readElector, sumOf } from "../../../helpers/elections/elector-data.js";
import {
  noElections,
  originalElector,
  ownConfigContract,
  ownElector,
  presentElector,
} from "../../../helpers/elections/electors.js";
import { describeWithChain } from "../../../helpers/test-data.js";

const { validatorsElectedFor, electionsStartBefore, electionsEndBefore, stakeHeldFor } = defaultTimes;
/** When the election is due, when it closes, and when its set begins. */
const due = firstSetTime + validatorsElectedFor - electionsStartBefore;
const electAt = due + electionsStartBefore;
const close = electAt - electionsEndBefore;
const feeSource = new Address(masterchain, new Uint8Array(32));
const someone = stakeHolder(99);
const key = testKey(1);
const opOf = (body: Cell) => body.parse().loadUint(32);

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

/** Every step of these tests runs on our elector and on both of mainnet's, and must do the same to all of them. */
describeWithChain("The elector of elections does as mainnet's electors do", (chain) => {
  let elector: SideBySide;
  let settings: ElectionConfig;

  beforeEach(() => start());

  function start(changes: ElectionConfig = {}, data = noElections): void {
    settings = changes;
    const options = { executor, config: electionConfig(settings), data, balance: 1_000_000n * ton };
    elector = new SideBySide(ownElector(options), [
      presentElector(chain, options),
      originalElector(chain, options),
    ]);
    // The first tick learns which set is in force.
    elector.tick(firstSetTime);
  }

  function configure(changes: ElectionConfig): void {
    settings = { ...settings, ...changes };
    elector.config = electionConfig(settings).root!;
  }

  function stake(number: number, amount: bigint, changes: Partial<Stake> & { from?: Address } = {}) {
    const source = changes.from ?? stakeHolder(number);
    const body = stakeBody({
      key: testKey(number),
      source: stakeHolder(number),
      stakeAt: electAt,
      ...changes,
    });
    return elector.receive({ from: source, value: amount + ton, body, at: due + 10 });
  }

  /** Opens an election with stakes of these thousands of TON. */
  function open(...stakes: bigint[]): void {
    elector.tick(due);
    for (const [number, thousands] of stakes.entries()) stake(number, thousands * 1000n * ton);
  }

  /** Holds the election and returns the set that it sends. */
  function hold(): Cell {
    const { sent } = elector.tick(close);
    return sent[0]!.body.refs[0]!;
  }

  /** Holds the election and puts its set into force. */
  function install(): Cell {
    const next = hold();
    configure({ next });
    elector.receive({ from: configAddress, value: ton, body: setAnswerBody(true, electAt), at: close + 1 });
    elector.tick(close + 2);
    configure({ next: undefined, previous: settings.current ?? firstSet([]), current: next });
    elector.tick(electAt + 1);
    return next;
  }

  /** Installs a set that was not elected. */
  function replaceSet(): void {
    // With a next set no election is announced.
    configure({ current: firstSet([{ key: key.publicKey, weight: 2n }]), next: firstSet([]) });
    elector.tick(electAt + 100);
  }

  const state = () => readElector(elector.data);

  describe("announcing", () => {
    it("opens an election when the set in force ends soon", () => {
      elector.tick(due - 1);
      expect(state().election).toBeUndefined();
      elector.tick(due);
      expect(state().election?.electAt).toBe(electAt);
    });

    it.each([59, 60, 61, 5000])("counts from the tick if it comes %i s late", (late) => {
      elector.tick(due + late);
      expect(state().election?.electAt).toBe(late < 60 ? electAt : electAt + late);
    });

    it("needs no next set, a set in force, and the address of the configuration", () => {
      const open = (changes: ElectionConfig) => {
        start(changes);
        // Once to learn about the set, once to announce.
        elector.tick(due);
        elector.tick(due);
        return state().election !== undefined;
      };
      expect(open({ next: firstSet([{ key: key.publicKey, weight: 1n }]) })).toBe(false);
      expect(open({ elector: stakeHolder(3) })).toBe(false);
      expect(open({ limits: { minStake: 5n } })).toBe(true);
    });
  });

  describe("a stake", () => {
    it("is accepted, and confirmed if the query has an id", () => {
      open();
      const [confirmed] = stake(1, 20_000n * ton, { queryId: 7n }).sent;
      expect([opOf(confirmed!.body), confirmed!.value]).toEqual([0xf374484c, ton]);
      expect(stake(2, 20_000n * ton, { queryId: 0n }).sent).toEqual([]);
      expect(state().election?.totalStake).toBe(40_000n * ton);
    });

    it("adds to an earlier one of the same key and source", () => {
      open();
      stake(1, 20_000n * ton);
      const [confirmed] = stake(1, 5000n * ton, { maxFactor: 2 << 16, adnl: testKey(9).publicKey }).sent;
      expect(opOf(confirmed!.body)).toBe(0xf374484c);
      expect(state().election?.totalStake).toBe(25_000n * ton);
    });

    const rejections: [string, number, () => { sent: { body: Cell }[] }][] = [
      ["from outside the masterchain", 0, () => stake(1, ton, { from: stakeHolder(1, 0) })],
      ["with another's signature", 1, () => stake(1, 20_000n * ton, { from: stakeHolder(2) })],
      ["with a factor below 1", 6, () => stake(1, 20_000n * ton, { maxFactor: 0xffff })],
      ["below a 4096th of all", 2, () => stake(1, (40_000n * ton) / 4096n - 1n)],
      ["of less than the confirmation", 2, () => stake(1, -ton + 1n)],
      ["for another election", 3, () => stake(1, 20_000n * ton, { stakeAt: electAt + 1 })],
      ["for another election, below the least", 3, () => stake(1, 20n * ton, { stakeAt: electAt + 1 })],
      ["of another source's key", 4, () => stake(5, 20_000n * ton, { key: testKey(0) })],
      ["below the least", 5, () => stake(1, 10_000n * ton - 1n)],
    ];

    it.each(rejections)("%s is rejected with all its value", (_, reason, send) => {
      open(40n);
      const before = elector.balance;
      const [answer] = send().sent;
      const body = answer!.body.parse();
      expect([body.loadUint(32), body.loadBigUint(64), body.loadUint(32)]).toEqual([0xee6f454c, 1n, reason]);
      expect(elector.balance).toBe(before);
    });

    it("is rejected without an election, and after it was held", () => {
      const reason = (sent: { body: Cell }[]) => sent[0]!.body.parse().skip(96).loadUint(32);
      expect(reason(stake(1, 20_000n * ton).sent)).toBe(0);
      open(40n);
      hold();
      expect(reason(stake(1, 20_000n * ton).sent)).toBe(0);
    });
  });

  describe("holding an election", () => {
    it("waits until it closes and enough is staked", () => {
      open(11n);
      expect(elector.tick(close - 1).sent).toEqual([]);
      configure({ limits: { minTotalStake: 11_001n * ton } });
      expect(elector.tick(close).sent).toEqual([]);
      configure({ limits: { minTotalStake: 11_000n * ton } });
      expect(elector.tick(close).sent).toHaveLength(1);
    });

    it("fails if there are too few, and tries again after another stake", () => {
      start({ counts: { minValidators: 2 } });
      open(40n);
      expect(elector.tick(close).sent).toEqual([]);
      expect(state().election?.failed).toBe(true);
      expect(elector.tick(close + 1).sent).toEqual([]);
      stake(1, 20_000n * ton);
      expect(state().election?.failed).toBe(false);
      expect(elector.tick(close + 3).sent).toHaveLength(1);
    });

    it("lets the set begin later if it is held late", () => {
      open(40n);
      const { sent } = elector.tick(electAt);
      const set = decode(ValidatorSet, sent[0]!.body.refs[0]!);
      expect(set.utimeSince).toBe(electAt + electionsEndBefore - 60);
      expect(set.utimeUntil).toBe(set.utimeSince + validatorsElectedFor);
    });
  });

  describe("installing a set", () => {
    it("forgets the election once the set is in the configuration, and follows the sets in force", () => {
      open(40n, 30n);
      elector.receive({ from: someone, value: 801n * ton, at: due + 20 });
      install();
      const { election, activeId, pastElections, unclaimed } = state();
      expect([election, activeId]).toEqual([undefined, electAt]);
      const bonus = (801n * ton) / 8n;
      expect(pastElections.get(electAt)?.bonuses).toBe(bonus);
      expect(unclaimed).toBe(801n * ton - bonus);
      elector.receive({ from: feeSource, value: 7n * ton, at: electAt + 5 });
      expect(state().pastElections.get(electAt)?.bonuses).toBe(bonus + 7n * ton);
    });

    it("returns all stakes if the configuration contract refuses the set", () => {
      open(40n, 30n);
      hold();
      const refuse = (from: Address, query: number) =>
        elector.receive({ from, value: ton, body: setAnswerBody(false, query), at: close + 1 });
      refuse(someone, electAt);
      refuse(configAddress, electAt + 1);
      expect(state().election?.finished).toBe(true);
      refuse(configAddress, electAt);
      expect(state().election).toBeUndefined();
      expect([...state().credits.values()].sort()).toEqual([30_000n * ton, 40_000n * ton]);
      // Twice is as once.
      refuse(configAddress, electAt);
    });

    it("is not refused before it was sent", () => {
      open(40n);
      elector.receive({ from: configAddress, value: ton, body: setAnswerBody(false, electAt), at: due + 20 });
      expect(state().election).toBeDefined();
    });

    it("finds no election by the hash of a set that was not elected", () => {
      open(40n);
      install();
      replaceSet();
      expect(state().activeId).toBe(0);
      expect(state().pastElections.get(electAt)?.unfreezeAt).toBe(electAt + 100 + stakeHeldFor);
    });
  });

  describe("unfreezing", () => {
    it("keeps stakes that are marked as banned", () => {
      open(40n, 30n);
      install();
      const banned = editPastElection(elector.data, electAt, ({ frozen }) => {
        const [key, entry] = [...frozen.entries()][0]!;
        const body = entry.loadBits(entry.remainingBits - 1);
        const marked = beginCell().storeSlice(body).storeBit(true).endCell().parse();
        return { frozen: frozen.set(key, marked) };
      });
      start({ ...settings, next: firstSet([]) }, banned);
      replaceSet();
      elector.tick(electAt + 100 + stakeHeldFor);
      const { credits, unclaimed } = state();
      expect(credits.size).toBe(1);
      expect(unclaimed + sumOf(credits)).toBe(70_000n * ton);
    });
  });

  describe("other messages", () => {
    const cellOf = (...fields: [number, number][]) =>
      fields.reduce((builder, [value, bits]) => builder.storeUint(value, bits), beginCell()).endCell();

    it.each([
      ["without a body", undefined],
      ["with a comment", cellOf([0, 32], [0x61626364, 32])],
    ])("%s are open to all accounts", (_, body) => {
      elector.receive({ from: someone, value: 5n * ton, ...(body && { body }), at: due });
      expect(state().unclaimed).toBe(5n * ton);
      // There is no set in force that was elected.
      elector.receive({ from: feeSource, value: 5n * ton, ...(body && { body }), at: due });
      expect(state().unclaimed).toBe(10n * ton);
    });

    it("that are unknown requests go back, and answers are ignored", () => {
      const send = (op: number) =>
        elector.receive({ from: someone, value: ton, body: cellOf([op, 32], [9, 64]), at: due }).sent;
      expect(send(0x12345678).map(({ body, value }) => [opOf(body), value])).toEqual([[0xffffffff, ton]]);
      expect(send(0x7fffffff)).toHaveLength(1);
      expect(send(0x80000000)).toEqual([]);
    });

    it("that bounced are ignored", () => {
      const body = cellOf([0xffffffff, 32], [0x4e565354, 32]);
      const ran = elector.receive({ from: configAddress, value: ton, body, at: due, bounced: true });
      expect([ran.exitCode, ran.sent]).toEqual([0, []]);
    });
  });
});

describeWithChain(
  "The get-methods of the elector of elections answer as those of mainnet's elector",
  (chain) => {
    it("through elections", () => {
      const plain = ["active_election_id", "participant_list", "participant_list_extended"];
      const past = ["past_election_ids", "past_elections", "past_elections_list"];
      const numberOf = (bytes: Uint8Array): StackValue => ({
        type: "int",
        value: BigInt(`0x${bytesToHex(bytes)}`),
      });
      let elector: SideBySide;
      const world = new ElectionWorld(
        (config) => {
          elector = new SideBySide(ownElector({ executor, config }), [
            presentElector(chain, { executor, config }),
          ]);
          return elector;
        },
        (config) => ownConfigContract({ executor, config }),
        6,
      );
      let looks = 0;
      world.hold(2, () => {
        if (looks++ % 3 > 0) return;
        for (const method of [...plain, ...past]) elector.get(method, due);
        for (const number of [0, 1, 7]) {
          elector.get("participates_in", due, [numberOf(testKey(number).publicKey)]);
          elector.get("compute_returned_stake", due, [numberOf(stakeHolder(number).hash)]);
        }
      });
    });
  },
);
