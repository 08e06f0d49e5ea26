import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SigningKey } from "../../../../server/chain/ed25519.js";
import type { Executor } from "../../../../server/chain/executor/executor.js";
import { configAddress, electorAddress } from "../../../../server/devnet/genesis/initial-config.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { Dictionary, uintKey } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { ConfigDictionary } from "../../../../shared/ton/tlb/config-params.js";
import { uint32 } from "../../../../shared/ton/tlb/primitives.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { ton } from "../../../helpers/chain/devnet.js";
import { sharedExecutor } from "../../../helpers/chain/shared-executor.js";
import type { LoneContract } from "../../../helpers/contracts/lone-contract.js";
import { isLong, sized } from "../../../helpers/effort.js";
import {
  complaintBody,
  newSetBody,
  recoverBody,
  setAnswerBody,
  stakeBody,
  voteBody,
} from "../../../helpers/elections/election-bodies.js";
import {
  defaultTimes,
  electionConfig,
  firstSet,
  firstSetTime,
  setOf,
  stakeHolder,
  testKey,
} from "../../../helpers/elections/elections.js";
import { editPastElection, readElector } from "../../../helpers/elections/elector-data.js";
import { ownConfigContract, ownElector } from "../../../helpers/elections/electors.js";

const { validatorsElectedFor, electionsStartBefore, electionsEndBefore } = defaultTimes;
const electAt = firstSetTime + validatorsElectedFor;
const due = electAt - electionsStartBefore;
const close = electAt - electionsEndBefore;
const sender = stakeHolder(0);
/** Limits of a message and of all messages of a block in the masterchain of the devnet and of mainnet. */
const messageGas = 1_000_000n;
const blockGas = 37_000_000n;

let executor: Executor;
beforeAll(async () => {
  executor = await sharedExecutor();
});

/** The first `bits` bits of a cell. */
function cut(cell: Cell, bits: number, refs: number): Cell {
  return beginCell().storeSlice(cell.parse().loadBits(bits, refs)).endCell();
}

/** Cells that are the body no longer: parts of it, and the body with something behind it. */
function mangled(body: Cell): Cell[] {
  const shorter: Cell[] = [];
  for (let bits = 1; bits < body.bits; bits += sized(7, 1) * (1 + (bits % 7))) {
    shorter.push(cut(body, bits, 0));
    if (body.refCount > 0) shorter.push(cut(body, bits, body.refCount));
  }
  return shorter;
}

const longer = (body: Cell) => [
  beginCell().storeSlice(body.parse()).storeBit(true).endCell(),
  beginCell().storeSlice(body.parse()).storeRef(Cell.empty).endCell(),
];

describe("Malformed messages", () => {
  let elector: LoneContract;

  beforeEach(() => {
    elector = ownElector({ executor, config: electionConfig() });
    elector.tick(firstSetTime);
    elector.tick(due);
    const body = stakeBody({ key: testKey(0), source: sender, stakeAt: electAt });
    elector.receive({ from: sender, value: 20_001n * ton, body, at: due });
    const set = elector.tick(close).sent[0]!.body.refs[0]!;
    elector.config = electionConfig({ current: set }).root!;
    elector.tick(electAt);
    elector.tick(electAt + electionsStartBefore);
    const next = electAt + validatorsElectedFor;
    expect(readElector(elector.data).election?.electAt).toBe(next);
  });

  const nextElection = electAt + validatorsElectedFor;
  const stake = stakeBody({ key: testKey(1), source: sender, stakeAt: nextElection });
  const complaint = complaintBody({ accused: testKey(0), electionId: electAt, fine: 500n * ton });
  const vote = voteBody({ key: testKey(0), voter: 0, electionId: electAt, complaint: new Uint8Array(32) });
  const goesOn = () => {
    const { sent } = elector.receive({
      from: sender,
      value: 20_001n * ton,
      body: stake,
      at: nextElection - 20_000,
    });
    expect(sent[0]!.body.parse().loadUint(32)).toBe(0xf374484c);
    expect(elector.tick(nextElection - electionsEndBefore).sent).toHaveLength(1);
  };

  it.each([
    ["stakes", [...mangled(stake), ...longer(stake)]],
    ["recoveries", mangled(recoverBody(3n))],
    ["complaints", [...mangled(complaint), ...longer(complaint)]],
    ["votes", [...mangled(vote), ...longer(vote)]],
  ])("that resemble %s change nothing and stop nothing", (_, bodies) => {
    const before = elector.data.hashHex();
    for (const body of bodies) {
      const { sent } = elector.receive({ from: sender, value: 300n * ton, body, at: electAt + 40_000 });
      expect(elector.data.hashHex()).toBe(before);
      // The money goes back.
      expect(sent.map(({ value }) => value)).toEqual([300n * ton]);
    }
    goesOn();
  });

  it.each([
    ["accepted", setAnswerBody(true, nextElection)],
    ["refused", setAnswerBody(false, nextElection)],
  ])("that resemble the answer %s change nothing and stop nothing", (_, answer) => {
    const before = elector.data.hashHex();
    for (const body of [answer, ...mangled(answer), ...longer(answer)]) {
      elector.receive({ from: configAddress, value: ton, body, at: electAt + 40_000 });
      expect(elector.data.hashHex()).toBe(before);
    }
    goesOn();
  });

  it("with a complaint that is none change nothing", () => {
    const before = elector.data.hashHex();
    const head = beginCell().storeUint(0x52674370, 32).storeUint(1, 64).storeUint(electAt, 32).endCell();
    for (const rest of [Cell.empty, beginCell().storeUint(0xbd, 8).endCell(), electionConfig().root!]) {
      const body = beginCell().storeSlice(head.parse()).storeSlice(rest.parse()).endCell();
      elector.receive({ from: sender, value: 300n * ton, body, at: electAt + 40_000 });
      expect(elector.data.hashHex()).toBe(before);
    }
    goesOn();
  });

  it("to the configuration contract change nothing and stop nothing", () => {
    const contract = ownConfigContract({ executor, config: electionConfig() });
    const set = setOf([{ key: testKey(1).publicKey, weight: 1n }], { since: due, until: due + 100 });
    const before = contract.data.hashHex();
    const good = newSetBody(set, 1n);
    // Like mainnet's contract it reads only up to the numbers of validators, because the elector is trusted.
    const read = 8 + 32 + 32 + 16 + 16;
    const sets = mangled(set).filter(({ bits }) => bits < read);
    const bodies = [...mangled(good), ...longer(good), ...sets.map((bad) => newSetBody(bad, 1n))];
    for (const body of bodies) {
      contract.receive({ from: electorAddress, value: ton, body, at: firstSetTime });
      contract.tock(firstSetTime);
      expect(contract.data.hashHex()).toBe(before);
    }
    contract.receive({ from: electorAddress, value: ton, body: good, at: firstSetTime });
    expect(contract.data.hashHex()).not.toBe(before);
  });
});

const validators = 300;
const complaints = 300;
/** Large enough that the next vote passes a complaint. */
const votes = 200;

describe.runIf(isLong)("An elector with hundreds of complaints and votes", () => {
  let data: Cell;
  let inForce: ConfigDictionary;
  let elector: LoneContract;
  let voters: SigningKey[];
  let hashes: Uint8Array[];
  const replaced = electionConfig({
    current: firstSet([{ key: testKey(0).publicKey, weight: 1n }]),
    next: firstSet([{ key: testKey(1).publicKey, weight: 1n }]),
  });
  const at = electAt + 10;

  beforeAll(() => {
    const config = electionConfig();
    const before = ownElector({ executor, config });
    before.tick(firstSetTime);
    before.tick(due);
    for (let number = 0; number < validators; number++) {
      const source = stakeHolder(number);
      const body = stakeBody({ key: testKey(number), source, stakeAt: electAt });
      before.receive({ from: source, value: 20_001n * ton, body, at: due });
    }
    const set = before.tick(close).sent[0]!.body.refs[0]!;
    inForce = electionConfig({ current: set });
    before.config = inForce.root!;
    before.tick(electAt);
    voters = Array.from({ length: validators }, (_, number) => testKey(number)).sort((a, b) =>
      // Equal stakes are ordered by descending key.
      bytesToHex(b.publicKey) < bytesToHex(a.publicKey) ? -1 : 1,
    );
    const statuses = Array.from({ length: complaints }, (_, number) => status(number, set));
    hashes = statuses.map(([hash]) => hash);
    data = editPastElection(before.data, electAt, ({ complaints: none }) => ({
      complaints: none.update(statuses.map(([hash, cell]) => [hash, cell.parse()] as const)),
    }));
  });

  beforeEach(() => {
    elector = ownElector({ executor, config: inForce, data, balance: 10_000_000n * ton });
  });

  function status(number: number, set: Cell): [Uint8Array, Cell] {
    const complaint = beginCell()
      .storeUint(0xbc, 8)
      .storeBytes(testKey(number).publicKey)
      .storeRef(beginCell().storeUint(number, 32).endCell())
      .storeUint(at, 32)
      .storeUint(3, 8)
      .storeUint(9, 256)
      .storeCoins(ton)
      .storeCoins(50n * ton)
      .storeUint(0, 32)
      .endCell();
    const given = Dictionary.empty(uintKey(16), uint32).update(
      Array.from({ length: votes }, (_, voter) => [voter, at] as const),
    );
    const whole = beginCell()
      .storeUint(0x2d, 8)
      .storeRef(complaint)
      .storeMaybeRef(given.root)
      .storeBytes(set.hash())
      .storeInt(0, 64)
      .endCell();
    return [complaint.hash(), whole];
  }

  it("takes a complaint, and votes that carry one, with the gas of a message", () => {
    const body = complaintBody({ accused: testKey(5), electionId: electAt, fine: 500n * ton });
    const complained = elector.receive({ from: sender, value: 300n * ton, body, at });
    expect(complained.sent[0]!.body.parse().loadUint(32)).toBe(0xf2676350);
    expect(complained.gasUsed).toBeLessThan(messageGas);
    const voter = votes;
    const ballot = { key: voters[voter]!, voter, electionId: electAt, complaint: hashes[7]! };
    const voted = elector.receive({ from: sender, value: ton, body: voteBody(ballot), at });
    expect(voted.sent[0]!.body.parse().loadUint(32)).toBe(0xd6745242);
    expect(voted.gasUsed).toBeLessThan(messageGas);
  });

  it("ticks within the gas of a block, for every due step", () => {
    elector.config = replaced.root!;
    const ticks = [electAt + 20, electAt + 400_000, electAt + 400_001].map((time) => elector.tick(time));
    expect(ticks.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(readElector(elector.data).pastElections.size).toBe(0);
    expect(readElector(elector.data).credits.size).toBeGreaterThanOrEqual(validators);
    for (const { gasUsed } of ticks) expect(gasUsed).toBeLessThan(blockGas);
  });

  it("holds an election with more candidates than seats within the gas of a block", () => {
    const config = electionConfig();
    const crowded = ownElector({ executor, config });
    crowded.tick(firstSetTime);
    crowded.tick(due);
    for (let number = 0; number < 450; number++) {
      const source = stakeHolder(number);
      const body = stakeBody({ key: testKey(number), source, stakeAt: electAt });
      const value = (20_001n + BigInt((number * 7919) % 5000)) * ton;
      const { gasUsed } = crowded.receive({ from: source, value, body, at: due });
      expect(gasUsed).toBeLessThan(messageGas);
    }
    const { sent, gasUsed } = crowded.tick(close);
    expect(sent).toHaveLength(1);
    expect(readElector(crowded.data).pastElections.get(electAt)?.frozen.size).toBe(400);
    expect(gasUsed).toBeLessThan(blockGas);
  });
});
