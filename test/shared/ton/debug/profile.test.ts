import { beforeAll, describe, expect, it } from "vitest";
import { cellIn } from "../../../../server/artifacts/compiled.js";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { type Search, StepSearch } from "../../../../shared/ton/debug/find-steps.js";
import { readSourceMap } from "../../../../shared/ton/debug/maps/read-map.js";
import { gasCalls } from "../../../../shared/ton/debug/profile/calls.js";
import {
  collapsed,
  cpuProfile,
  gasEntries,
  speedscope,
} from "../../../../shared/ton/debug/profile/formats.js";
import {
  type GasTree,
  GasTreeBuilder,
  type ProfiledRun,
  type ProfileKind,
  profileKinds,
} from "../../../../shared/ton/debug/profile/gas-tree.js";
import { RegisterWalk } from "../../../../shared/ton/debug/registers.js";
import { RunCode } from "../../../../shared/ton/debug/run-code.js";
import { FrameWalk } from "../../../../shared/ton/debug/run-frames.js";
import { CodeCells } from "../../../../shared/ton/tvm/code/code-cells.js";
import { funcCounter, funcCounterCode, lineOf } from "../../../helpers/debug/func-counter.js";
import { runMessage } from "../../../helpers/debug/machine-run.js";

const cells = new CodeCells([funcCounterCode]);
const map = readSourceMap("func", funcCounter, cells, (text) => cellIn(text, "the marks"));
const data = beginCell().storeUint(41, 32).endCell();

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

function profiled(
  operation: number,
  { name = "run", maps = [map], methods = [] as [number, string][] } = {},
) {
  const body = beginCell().storeUint(operation, 32).storeUint(9, 8).endCell();
  const run = runMessage(executor, { code: funcCounterCode, data, body });
  const code = new RunCode(cells, maps, (id) => new Map(methods).get(id));
  const walk = new FrameWalk(run.log, code);
  while (walk.read(1000));
  const { log, gasUsed } = run;
  return { run, profile: { name, log, code, frames: walk.finish(), gasUsed } satisfies ProfiledRun };
}

function treeOf(by: ProfileKind, ...runs: ProfiledRun[]): GasTree {
  const builder = new GasTreeBuilder(by);
  for (const run of runs) {
    const add = builder.adding(run);
    while (add(7));
  }
  return builder.finish();
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

describe("the profile of a run", () => {
  it.each(profileKinds)("has all gas of the run, by %s", (by) => {
    const { profile } = profiled(2);
    const tree = treeOf(by, profile);
    expect(tree.total).toBe(profile.gasUsed);
    expect(sum(tree.nodes.map(({ gas }) => gas))).toBe(profile.gasUsed);
    expect(sum(gasEntries(tree).map(({ gas }) => gas))).toBe(profile.gasUsed);
    expect(tree.isApproximate).toBe(false);
  });

  it("has functions with what they called", () => {
    const entries = gasEntries(treeOf("function", profiled(1).profile));
    expect(entries.map(({ name }) => name).sort()).toEqual([
      "load",
      "recv_internal",
      "report",
      "run",
      "store",
    ]);
    const [received, called] = ["recv_internal", "store"].map(
      (name) => entries.find((each) => each.name === name)!,
    );
    expect(received!.total).toBeGreaterThan(received!.gas + called!.gas);
    expect(called!.total).toBe(called!.gas);
  });

  it("has lines and instructions", () => {
    const { profile } = profiled(2);
    const lines = gasEntries(treeOf("line", profile)).map(({ name }) => name);
    expect(lines).toContain(`counter.fc:${lineOf("i += twice(i) + 1")}`);
    const stored = gasEntries(treeOf("instruction", profile)).find(({ name }) => name === "ENDC");
    expect(stored).toMatchObject({ steps: 1, gas: 518 });
  });

  it("has methods of codes without a map, by their names or numbers", () => {
    const { profile } = profiled(1, { maps: [], methods: [[2, "stored"]] });
    const tree = treeOf("function", profile);
    expect(tree.isApproximate).toBe(true);
    const names = gasEntries(tree).map(({ name }) => name);
    expect(names.sort()).toEqual(["method 4", "recv_internal", "run", "stored"]);
  });

  it("has a root for each of several runs", () => {
    const [first, second] = [profiled(1, { name: "one" }).profile, profiled(2, { name: "two" }).profile];
    const tree = treeOf("function", first, second);
    expect(tree.nodes.filter(({ parent }) => parent < 0).map(({ name }) => name)).toEqual(["one", "two"]);
    expect(tree.total).toBe(first.gasUsed + second.gasUsed);
  });

  it("says what a log that was cut does not have", () => {
    const { profile } = profiled(1);
    const tree = treeOf("function", { ...profile, gasUsed: profile.gasUsed + 77 });
    expect(tree.total).toBe(profile.gasUsed + 77);
    expect(gasEntries(tree)).toContainEqual({ name: "(not in the log)", gas: 77, total: 77, steps: 0 });
  });
});

describe("the visits of functions", () => {
  const visits = (most = 1000) => {
    const { profile } = profiled(2);
    return { profile, calls: gasCalls(treeOf("function", profile), profile.log.end, most) };
  };

  it("are in the order of steps, with their steps and gas", () => {
    const { profile, calls } = visits();
    const { log } = profile;
    const gasOf = (from: number, to: number) =>
      sum(Array.from({ length: to - from }, (_, at) => log.at(from + at).gas ?? 0));
    expect(calls.map(({ from }) => from)).toEqual(calls.map(({ from }) => from).sort((a, b) => a - b));
    for (const { name, depth, from, to, before, gas } of calls) {
      expect([before, gas]).toEqual([gasOf(log.first, from), gasOf(from, to)]);
      const around = calls.filter((each) => each.depth < depth && each.from <= from && to <= each.to);
      expect(around).toHaveLength(depth);
      expect(profile.frames.chain(from)[depth]).toBe(name);
    }
    expect(calls.filter(({ depth }) => depth === 0).at(-1)?.to).toBe(log.end);
  });

  it("are those with most gas, if there are many", () => {
    const { calls } = visits();
    const least = calls.map(({ gas }) => gas).sort((a, b) => b - a)[1]!;
    expect(visits(2).calls).toEqual(calls.filter(({ gas }) => gas >= least).slice(0, 2));
  });
});

describe("the formats of profiles", () => {
  const tree = () =>
    treeOf("line", profiled(1, { name: "one" }).profile, profiled(2, { name: "two words" }).profile);

  it("cpuprofile: nodes, samples and deltas as the protocol of DevTools has them", () => {
    const { total, order } = tree();
    const profile = cpuProfile(tree());
    const ids = new Set(profile.nodes.map(({ id }) => id));
    expect(ids.size).toBe(profile.nodes.length);
    const children = profile.nodes.flatMap((node) => node.children);
    // A tree: each node but the root is the child of one.
    expect([...children].sort((a, b) => a - b)).toEqual(
      [...ids].filter((id) => id !== 1).sort((a, b) => a - b),
    );
    for (const { callFrame, hitCount } of profile.nodes) {
      expect(callFrame).toEqual({
        ...{ functionName: expect.any(String), scriptId: expect.any(String), url: expect.any(String) },
        ...{ lineNumber: expect.any(Number), columnNumber: expect.any(Number) },
      });
      expect(hitCount).toBeGreaterThanOrEqual(0);
    }
    expect(profile.samples.every((sample) => ids.has(sample))).toBe(true);
    expect(profile.timeDeltas).toHaveLength(profile.samples.length);
    expect(sum(profile.timeDeltas)).toBe(profile.endTime - profile.startTime);
    expect([profile.endTime, profile.samples.length]).toEqual([total, order.length + 1]);
  });

  it("speedscope: frames that open and close in order, at gas that does not go back", () => {
    const file = speedscope(tree(), "a run");
    expect(file.$schema).toBe("https://www.speedscope.app/file-format-schema.json");
    const [profile] = file.profiles;
    expect(profile).toMatchObject({ type: "evented", unit: "none", startValue: 0, endValue: tree().total });
    const open: number[] = [];
    let last = 0;
    for (const { type, frame, at } of profile!.events) {
      expect(at).toBeGreaterThanOrEqual(last);
      last = at;
      expect(file.shared.frames[frame]?.name).toEqual(expect.any(String));
      if (type === "O") open.push(frame);
      else expect(open.pop()).toBe(frame);
    }
    expect([open, last]).toEqual([[], tree().total]);
    const named = file.shared.frames.filter(({ file: name }) => name !== undefined);
    expect(named.every(({ file: name, line }) => name === "counter.fc" && (line ?? 0) > 0)).toBe(true);
  });

  it("collapsed: sorted lines, whose frames have no spaces", () => {
    const lines = collapsed(tree()).trimEnd().split("\n");
    expect(lines).toEqual([...lines].sort());
    expect(sum(lines.map((line) => Number(/^[^ ]+ (\d+)$/.exec(line)![1])))).toBe(tree().total);
    expect(lines.some((line) => line.startsWith("two_words;recv_internal"))).toBe(true);
  });
});

describe("steps", () => {
  function find(
    operation: number,
    search: Search,
    max = 1000,
  ): { steps: number[]; texts: (string | undefined)[] } {
    const { run, profile } = profiled(operation);
    const walk = new RegisterWalk(run.log, { c4: data, parameters: undefined });
    while (walk.read(1000));
    const registers = walk.finish({ dataHash: run.data?.hash(), actionsHash: undefined });
    const found = new StepSearch({ ...profile, registers }, search, max);
    while (found.read(10));
    return { steps: found.found, texts: found.found.map((n) => run.log.at(n).text) };
  }

  it("are found by line, with or without the file", () => {
    const line = lineOf("send_raw_message(message, 1)");
    expect(find(1, { line, file: undefined }).texts.slice(0, 3)).toEqual([
      "PUSHINT 1",
      "SENDRAWMSG",
      "implicit RET",
    ]);
    expect(find(1, { line, file: "counter.fc" }).steps.length).toBeGreaterThan(2);
    expect(find(1, { line, file: "other.fc" }).steps).toEqual([]);
  });

  it("are found by place, instruction and function", () => {
    const { profile } = profiled(1);
    const { cell, offset } = profile.log.at(5).at!;
    expect(find(1, { at: `${cell}:${offset}` }).steps).toEqual([5]);
    expect(find(1, { instruction: "endc" }).texts).toEqual(["ENDC", "ENDC"]);
    expect(find(1, { function: "store" }).texts).toEqual([
      "NEWC",
      "STU 32",
      "ENDC",
      "POP c4",
      "implicit RET",
    ]);
  });

  it("are found by what they write, order, throw and leave on the stack", () => {
    expect(find(1, { writes: "c4" }).texts).toEqual(["POP c4"]);
    expect(find(2, { writes: 1 }).texts).toEqual(new Array(4).fill("SETGLOB 1"));
    expect(find(1, { action: 0 }).texts).toEqual(["SENDRAWMSG"]);
    expect(find(1, { action: 1 }).texts).toEqual([]);
    expect(find(4, { throws: 100 }).texts).toEqual(["THROWIFNOT 100"]);
    expect(find(4, { throws: "any" }).texts).toEqual(["THROWIFNOT 100", "THROWANY"]);
    expect(find(3, { throws: "any" }).texts).toEqual([]);
    expect(find(1, { equals: "50" }).texts.slice(0, 1)).toEqual(["ADD"]);
    const stored = beginCell().storeUint(50, 32).endCell().hashHex();
    expect(find(1, { equals: stored }).texts).toContain("ENDC");
  });

  it("are found up to a number", () => {
    expect(find(1, { writes: "c5" }, 0).steps).toHaveLength(1);
    expect(find(2, { instruction: "INC" }, 3).steps).toHaveLength(4);
  });
});
