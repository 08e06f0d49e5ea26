import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../server/chain/executor/executor.js";
import { type Elections, readElections } from "../../server/contracts/elector.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { CellError } from "../../shared/ton/cells/cell-error.js";
import { anySlice, Dictionary, uintKey } from "../../shared/ton/cells/dictionaries/dictionary.js";
import type { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import type { StackValue } from "../../shared/ton/tvm/stack.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { sharedExecutor } from "../helpers/chain/shared-executor.js";
import type { Runs } from "../helpers/contracts/side-by-side.js";
import { isLong, sized } from "../helpers/effort.js";
import { ElectionWorld } from "../helpers/elections/election-world.js";
import { firstSetTime } from "../helpers/elections/elections.js";
import { readElector } from "../helpers/elections/elector-data.js";
import { noElections, ownConfigContract, ownElector, presentElector } from "../helpers/elections/electors.js";
import { describeWithChain } from "../helpers/test-data.js";

let executor: Executor;
beforeAll(async () => {
  executor = await sharedExecutor();
});

const number = (bytes: Uint8Array) => BigInt(`0x${bytesToHex(bytes)}`);

/** A stack value as plain data: integers as bigint, `null`, cells by hash; lists of pairs as arrays. */
function plain(value: StackValue): unknown {
  if (value.type === "int") return value.value;
  if (value.type === "tuple") return value.items.map(plain);
  return "cell" in value ? value.cell.hashHex() : null;
}

/** The items of a list of pairs, flat: whether a record is nested in a tuple differs between versions. */
function listed(value: StackValue): unknown[][] {
  const items: unknown[][] = [];
  for (let at = value; at.type === "tuple"; at = at.items[1]!) items.push([plain(at.items[0]!)].flat(3));
  return items;
}

/** The results of the get-methods. */
function asked(elector: Runs) {
  const get = (method: string, stack: StackValue[] = []) => elector.get(method, firstSetTime, stack).stack;
  const [electAt, electClose, minStake, totalStake, members, failed, finished] =
    get("participant_list_extended");
  const past = listed(get("past_elections")[0]!);
  return {
    election: [electAt, electClose, minStake, totalStake, failed, finished].map((value) => plain(value!)),
    participants: listed(members!),
    past: past.map(([id, unfreezeAt, held, hash, , stake, bonuses]) => [
      ...[id, unfreezeAt, held, hash, stake, bonuses],
    ]),
    complaints: past.map(([id]) =>
      get("list_complaints", [{ type: "int", value: id as bigint }]).flatMap((list) => complaintsOf(list)),
    ),
  };
}

/** The list of voters is the only list inside a list. */
function complaintsOf(list: StackValue): unknown[] {
  const items: unknown[] = [];
  for (let at = list; at.type === "tuple"; at = at.items[1]!) {
    const [hash, status] = (at.items[0] as { items: StackValue[] }).items;
    const [complaint, voters, setHash, remaining] = (status as { items: StackValue[] }).items;
    items.push([
      plain(hash!),
      plain(complaint!),
      listed(voters!).flat(),
      ...[setHash, remaining].map((value) => plain(value!)),
    ]);
  }
  return items;
}

/** The same values read from the data. */
function read({ election, pastElections }: Elections) {
  const flag = (value: boolean) => (value ? -1n : 0n);
  return {
    election: election
      ? [
          ...[election.electAt, election.electClose].map(BigInt),
          ...[election.minStake, election.totalStake],
          ...[election.failed, election.finished].map(flag),
        ]
      : [0n, 0n, 0n, 0n, 0n, 0n],
    participants: (election?.participants ?? []).map(({ pubkey, stake, maxFactor, stakeHolder, adnl }) => [
      ...[number(pubkey), stake, BigInt(maxFactor), number(stakeHolder.hash), number(adnl)],
    ]),
    past: [...pastElections.values()].map(({ id, unfreezeAt, stakeHeld, setHash, totalStake, bonuses }) => [
      ...[BigInt(id), BigInt(unfreezeAt), BigInt(stakeHeld), number(setHash), totalStake, bonuses],
    ]),
    complaints: [...pastElections.values()].map(({ complaints }) =>
      complaints.map((each) => [
        number(each.hash),
        [
          ...[number(each.pubkey), each.description.hashHex(), BigInt(each.createdAt), BigInt(each.severity)],
          ...[number(each.rewardAddress.hash), each.paid, each.suggestedFine, BigInt(each.suggestedFinePart)],
        ],
        each.voters.map(BigInt),
        ...[number(each.setHash), each.weightRemaining],
      ]),
    ),
  };
}

/** Holds elections and compares after each step. */
function compare(makeElector: (config: ConfigDictionary) => Runs, seed: number): void {
  let elector: Runs | undefined;
  const world = new ElectionWorld(
    (config) => {
      elector = makeElector(config);
      return elector;
    },
    (config) => ownConfigContract({ executor, config }),
    seed,
  );
  let looks = 0;
  const most = { participants: 0, past: 0, complaints: 0, voters: 0 };
  world.hold(sized(4, 6), () => {
    // Not after every step: get-methods take most of the time.
    if (looks++ % 3 > 0) return;
    const data = readElections(elector!.data);
    const own = read(data);
    expect(own).toEqual(asked(elector!));
    // The get-method gives these stakes as a cell.
    const { pastElections } = readElector(elector!.data);
    for (const { id, frozen } of data.pastElections.values())
      expect(new Map(frozen.map(({ pubkey, stake }) => [bytesToHex(pubkey), stake]))).toEqual(
        pastElections.get(id)!.frozen,
      );
    most.participants = Math.max(most.participants, own.participants.length);
    most.past = Math.max(most.past, own.past.length);
    const complaints = [...data.pastElections.values()].flatMap((past) => past.complaints);
    most.complaints = Math.max(most.complaints, complaints.length);
    most.voters = Math.max(most.voters, ...complaints.map(({ voters }) => voters.length));
  });
  for (const [what, count] of Object.entries(most)) expect(count, what).toBeGreaterThan(1);
}

describe("The data of an elector", () => {
  it("equal the results of the devnet elector's get-methods, through elections, complaints and votes", () => {
    compare((config) => ownElector({ executor, config }), 11);
  });

  it("are empty before the first election", () => {
    const nothing = { election: undefined, pastElections: new Map(), hasElected: false };
    expect(readElections(Cell.empty)).toEqual(nothing);
    expect(readElections(noElections)).toEqual(nothing);
  });

  it("are refused if they have another layout", () => {
    expect(() => readElections(beginCell().storeUint(5, 32).endCell())).toThrow(CellError);
  });

  it("are read as far as entries can be read", () => {
    const entry = (data: string) => beginCell().storeBytes(Buffer.from(data)).endCell();
    const junk = Dictionary.empty(uintKey(32), anySlice).set(7, entry("junk").parse()).root;
    const data = beginCell()
      .storeBit(false)
      .storeBit(false)
      .storeMaybeRef(junk)
      .storeCoins(0n)
      .storeUint(0, 32)
      .storeUint(1, 256)
      .endCell();
    expect(readElections(data)).toEqual({
      election: undefined,
      pastElections: new Map(),
      hasElected: true,
    });
  });
});

describeWithChain("The data of mainnet's elector", (chain) => {
  it.runIf(isLong)("equal the results of its get-methods, through elections, complaints and votes", () => {
    compare((config) => presentElector(chain, { executor, config }), 11);
  });
});
