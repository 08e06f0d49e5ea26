import { beforeAll, describe, expect, it } from "vitest";
import { cellIn } from "../../../../server/artifacts/compiled.js";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { bytesKey, Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import type { Slice } from "../../../../shared/ton/cells/slice.js";
import { localsBefore } from "../../../../shared/ton/debug/locals.js";
import { type MapFormat, readSourceMap } from "../../../../shared/ton/debug/maps/read-map.js";
import type { SourceMap } from "../../../../shared/ton/debug/maps/source-map.js";
import { RunCode } from "../../../../shared/ton/debug/run-code.js";
import { FrameWalk, type RunFrames } from "../../../../shared/ton/debug/run-frames.js";
import { CodeCells } from "../../../../shared/ton/tvm/code/code-cells.js";
import { disassemble } from "../../../../shared/ton/tvm/code/disassemble.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { funcCounter, funcCounterCode, lineOf } from "../../../helpers/debug/func-counter.js";
import { type MachineRun, runMessage } from "../../../helpers/debug/machine-run.js";

const cells = new CodeCells([funcCounterCode]);
const read = (format: MapFormat, content: unknown, code = cells) =>
  readSourceMap(format, content, code, (text) => cellIn(text, "the marks"));

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

/** The counter's answer to a message, of 41 so far. */
function ask(operation: number, argument = 9): MachineRun {
  const body = beginCell().storeUint(operation, 32).storeUint(argument, 8).endCell();
  const data = beginCell().storeUint(41, 32).endCell();
  return runMessage(executor, { code: funcCounterCode, data, body });
}

function follow({ log }: MachineRun, code: RunCode): RunFrames {
  const walk = new FrameWalk(log, code);
  while (walk.read(10));
  return walk.finish();
}

/** Lines of the steps, each once in a row. */
function linesOf({ log }: MachineRun, frames: RunFrames): number[] {
  const lines: number[] = [];
  for (let n = log.first; n < log.end; n++) {
    const line = frames.located(n)?.place.line;
    if (line !== undefined && line !== lines.at(-1)) lines.push(line);
  }
  return lines;
}

describe("the map of FunC's compiler", () => {
  const map = read("func", funcCounter);
  const code = new RunCode(cells, [map]);

  it.each([1, 2, 3, 4])("has the line of every step of a method (operation %i)", (operation) => {
    const run = ask(operation);
    const frames = follow(run, code);
    for (let n = run.log.first; n < run.log.end; n++) {
      const { at } = run.log.at(n);
      if (at && cells.isRoot(at.cell)) expect(frames.located(n)).toBeUndefined();
      else expect(frames.located(n)?.place.file).toBe("counter.fc");
    }
    expect(frames.isApproximate).toBe(false);
  });

  it("follows a run from line to line, through functions that are inlined, called, and loops", () => {
    const sum = lineOf("int total = load()");
    const frames = follow(ask(1), code);
    const lines = linesOf(ask(1), frames);
    expect(lines.slice(lines.indexOf(sum + 1) - 3)).toEqual([
      lineOf("slice data = get_data()"),
      lineOf("return data~load_uint"),
      sum,
      lineOf("    store(total);"),
      lineOf("set_data(begin_cell()"),
      lineOf("report(sender, total)"),
      lineOf("cell message = begin_cell()"),
      lineOf("send_raw_message(message, 1)"),
    ]);
    const run = ask(2);
    const loop = linesOf(run, follow(run, code)).filter((line) => line === lineOf("i += twice(i) + 1"));
    expect(loop).toHaveLength(6);
  });

  it("knows the functions that a step is in", () => {
    const run = ask(1);
    const frames = follow(run, code);
    const chains = new Set<string>();
    for (let n = run.log.first; n < run.log.end; n++) chains.add(frames.chain(n).join(" "));
    expect([...chains]).toEqual([
      "",
      "recv_internal",
      "recv_internal load",
      "recv_internal store",
      "recv_internal report",
    ]);
  });

  it("does not take the end of a branch for what is behind it", () => {
    const { placed } = disassemble(cells, funcCounterCode, 1000);
    const jump = placed.find(({ instruction }) => instruction?.name === "IFJMP")!;
    expect(map.at(jump.cell, jump.offset)?.place.line).toBe(lineOf("if (body.slice_bits()"));
  });

  it("has the variables of a function, with the steps at which they were seen", () => {
    const { log } = ask(2);
    const writes = stepsOf(log, "SETGLOB 1");
    const seen = writes.map((n) => localsBefore(log, code, n)[0]!);
    expect(seen.map((frame) => frame.function)).toEqual(writes.map(() => "recv_internal"));
    expect(seen[0]!.locals.map(({ name }) => name)).toEqual(["sender", "op", "body"]);
    expect(seen[0]!.locals[1]!.values).toEqual([{ type: "int", value: "2" }]);
    const values = seen.slice(1).map(({ locals }) => locals[0]);
    expect(values).toMatchObject(
      ["1", "4", "13"].map((value) => ({ name: "i", values: [{ type: "int", value }] })),
    );
    for (const [at, local] of values.entries()) expect(local!.seen).toBeLessThanOrEqual(writes[at + 1]!);
  });

  it("numbers the global variables", () => {
    expect(map.globals).toEqual(["steps"]);
  });
});

function stepsOf(log: MachineRun["log"], text: string): number[] {
  const found: number[] = [];
  for (let n = log.first; n < log.end; n++) if (log.at(n).text === text) found.push(n);
  return found;
}

/** FunC's marks as Tolk has them: one mark of a kind for each number. */
function tolkMarks() {
  const { locations } = funcCounter.debugInfo as unknown as { locations: FuncLocation[] };
  const functions = [...new Set(locations.map(({ func }) => func))];
  const range = ({ line, pos }: FuncLocation) => [1, line, pos + 1, line, pos + 2];
  return {
    files: [
      { file_id: 0, file_name: "@stdlib/common.tolk" },
      { file_id: 1, file_name: "counter.tolk" },
    ],
    functions: functions.map((name, f_idx) => {
      const own = locations.filter(({ func }) => func === name);
      const [first, last] = [own[0]!, own.at(-1)!];
      return {
        f_idx,
        name,
        ident_loc: [1, first.line, 1, first.line, 2],
        end_loc: [1, last.line, 9, last.line, 9],
      };
    }),
    unique_types: [{ kind: "int" }, { kind: "bool" }],
    declarations: [],
    debug_marks: locations.map((location, mark_id) => {
      const f_idx = functions.indexOf(location.func);
      if (location.first_stmt)
        return {
          kind: "enter_fun",
          mark_id,
          f_idx,
          is_inlined: false,
          is_builtin: false,
          ir_import: [],
          range: range(location),
        };
      if (location.ret) return { kind: "leave_fun", mark_id, f_idx, ir_return: [], range: range(location) };
      return { kind: "loc", mark_id, range: range(location) };
    }),
  };
}

type FuncLocation = { line: number; pos: number; func: string; first_stmt?: boolean; ret?: boolean };

/** Marks by the cells that the machine sees, as Acton writes them. */
function placesOf(map: SourceMap, mark: (line: number) => number): Record<string, [number, number][]> {
  const places: Record<string, [number, number][]> = {};
  for (const { cell, offset } of disassemble(cells, funcCounterCode, 1000).placed) {
    const marks = map.marksAt(cell, offset);
    const place = marks.find(({ kind }) => kind === "place");
    if (place?.kind === "place") {
      places[cell.toUpperCase()] ??= [];
      places[cell.toUpperCase()]!.push([offset, mark(place.place.line)]);
    }
  }
  return places;
}

describe("the map of Tolk's compiler", () => {
  it("finds procedures in the leaves of the dictionary of methods", () => {
    const { debug_marks, ...types } = tolkMarks();
    const map = read("tolk", {
      symbolTypesJson: types,
      debugMarksJson: debug_marks,
      debugMarksBase64: funcCounter.debugMarksBoc,
    });
    const run = ask(1);
    const frames = follow(run, new RunCode(cells, [map]));
    for (let n = run.log.first; n < run.log.end; n++) {
      const { at } = run.log.at(n);
      if (at && !cells.isRoot(at.cell))
        expect(frames.located(n)?.place).toMatchObject({ file: "counter.tolk", endLine: expect.any(Number) });
    }
    const named = Array.from({ length: run.log.end }, (_, n) => frames.located(n)?.function);
    expect(new Set(named)).toEqual(new Set([undefined, "recv_internal", "load", "store", "report"]));
  });

  it("has typed variables by the layout of the stack, in scopes", () => {
    const func = read("func", funcCounter);
    const loop = lineOf("steps += 1");
    const head = lineOf("i += twice(i) + 1");
    const marks = {
      ...tolkMarks(),
      debug_marks: [
        { kind: "loc", range: [1, loop, 1, loop, 9] },
        { kind: "stack", stack: [7] },
        { kind: "var", var_name: "i", is_parameter: false, ty_idx: 0, ir_slots: [7] },
        { kind: "var", var_name: "gone", is_parameter: false, ty_idx: 1, ir_slots: [8] },
        { kind: "loc", range: [0, head, 1, head, 9] },
        { kind: "of the future" },
        {
          kind: "enter_fun",
          f_idx: 4,
          is_inlined: false,
          is_builtin: false,
          ir_import: [],
          range: [1, 29, 1, 29, 2],
        },
      ],
    };
    const dictionary = placesOf(func, (line) => (line === loop ? 0 : line === head ? 4 : 5));
    for (const places of Object.values(dictionary))
      for (const [offset, mark] of [...places])
        if (mark === 0) places.push([offset, 1], [offset, 2], [offset, 3]);
    const first = Object.entries(dictionary).find(([, places]) => places.some(([, mark]) => mark === 0))!;
    first[1].push([20, 6]);
    const map = read("acton", { ...marks, marks_dict: dictionary });
    const { log } = ask(2);
    const code = new RunCode(cells, [map]);
    const [, ...writes] = stepsOf(log, "SETGLOB 1");
    for (const [at, n] of writes.entries()) {
      const [frame] = localsBefore(log, code, n);
      const value = ["1", "4", "13"][at]!;
      expect(frame!.locals).toMatchObject([
        { name: "i", type: "int", values: [{ type: "int", value }], typed: value },
        { name: "gone", type: "bool", values: [undefined], typed: undefined, seen: undefined },
      ]);
    }
    // Files of the compiler itself are shown, too.
    const twice = stepsOf(log, "INC").map(
      (n) => map.at(log.at(n).at!.cell, log.at(n).at!.offset)?.place.file,
    );
    expect(twice).toContain("@stdlib/common.tolk");
  });
});

it("functions that Tolk's compiler inlines are open from their call to their end, with their arguments", () => {
  const [, store] = cells.methods;
  const at = (line: number) => [1, line, 5, line, 9];
  const inlined = { is_inlined: true, is_builtin: false, ir_import: [] };
  const map = {
    files: [{ file_id: 1, file_name: "counter.tolk" }],
    functions: ["store", "pack"].map((name, f_idx) => ({
      ...{ f_idx, name },
      ident_loc: at(10 * (f_idx + 1)),
      end_loc: at(10 * (f_idx + 1) + 5),
    })),
    unique_types: [{ kind: "int" }],
    declarations: [],
    debug_marks: [
      { kind: "enter_fun", f_idx: 0, is_inlined: false, is_builtin: false, ir_import: [3], range: at(10) },
      { kind: "loc", range: at(11) },
      { kind: "enter_fun", f_idx: 1, ...inlined, range: at(12) },
      { kind: "var", var_name: "total", ty_idx: 0, ir_slots: [3] },
      { kind: "loc", range: at(21) },
      { kind: "leave_fun", f_idx: 1, ir_return: [], range: at(25) },
    ],
    // NEWC, STU, ENDC, POP c4
    marks_dict: {
      [store!.cell.hashHex().toUpperCase()]: [
        [4, 0],
        [4, 1],
        [12, 2],
        [12, 3],
        [28, 4],
        [36, 5],
      ],
    },
  };
  const run = ask(1);
  const code = new RunCode(cells, [read("acton", map)]);
  const frames = follow(run, code);
  const [built] = stepsOf(run.log, "POP c4");
  const rows = [3, 2, 1, 0].map((before) => built! - before);
  expect(rows.map((n) => [frames.located(n)?.place.line, frames.chain(n).at(-1)])).toEqual([
    [11, "store"],
    [12, "pack"],
    [21, "pack"],
    [12, "store"],
  ]);
  const [pack] = localsBefore(run.log, code, rows[2]!);
  expect(pack).toMatchObject({ function: "pack", locals: [{ name: "total", type: "int", typed: "50" }] });
});

describe("a map", () => {
  const hash = (cell: typeof funcCounterCode) => cell.hashHex().toUpperCase();

  it("of another code is refused", () => {
    const other = new CodeCells([beginCell().storeUint(0xff00, 16).endCell()]);
    expect(() => read("func", funcCounter, other)).toThrow("of another code");
    expect(() => read("acton", { ...tolkMarks(), marks_dict: { ["AB".repeat(32)]: [[0, 0]] } })).toThrow(
      "of another code",
    );
  });

  it("with more marks than a code has places for is refused", () => {
    const places = Array.from({ length: 300_000 }, (_, at) => [at % 1000, at]);
    expect(() => read("acton", { ...tolkMarks(), marks_dict: { [hash(funcCounterCode)]: places } })).toThrow(
      "at most 262144",
    );
  });

  it("has a bound on the marks of a place, which each of its steps passes", () => {
    const places = Array.from({ length: 200_000 }, (_, at) => [0, at]);
    const debug_marks = places.map(() => ({ kind: "loc", range: [1, 5, 1, 5, 2] }));
    const map = read("acton", {
      ...tolkMarks(),
      debug_marks,
      marks_dict: { [hash(funcCounterCode)]: places },
    });
    expect(map.marksAt(funcCounterCode.hashHex(), 0)).toHaveLength(256);
  });

  it("whose functions never end is followed up to a depth", () => {
    const { placed } = disassemble(cells, funcCounterCode, 1000);
    const marks_dict: Record<string, [number, number][]> = {};
    for (const [at, { cell, offset }] of placed.entries()) {
      marks_dict[cell.toUpperCase()] ??= [];
      for (let mark = 0; mark < 100; mark++) marks_dict[cell.toUpperCase()]!.push([offset, 100 * at + mark]);
    }
    const enter = {
      kind: "enter_fun",
      is_inlined: true,
      is_builtin: false,
      ir_import: [],
      range: [1, 1, 1, 1, 1],
    };
    const debug_marks = Array.from({ length: 100 * placed.length }, (_, mark_id) => ({
      ...enter,
      f_idx: mark_id,
    }));
    const run = ask(2);
    const code = new RunCode(cells, [read("acton", { ...tolkMarks(), debug_marks, marks_dict })]);
    const frames = follow(run, code);
    const deepest = Array.from({ length: run.log.end }, (_, n) => frames.chain(n).length);
    expect(Math.max(...deepest)).toBe(256);
    expect(localsBefore(run.log, code, run.log.end - 1)).toHaveLength(256);
  });

  it("whose dictionary shares its branches is refused", () => {
    const anyKey = bytesKey(32);
    const leaf = { store: () => {}, load: (slice: Slice) => slice };
    let node = Dictionary.empty(bytesKey(1), leaf).set(new Uint8Array(1), beginCell().endCell().parse())
      .root!;
    // A tree that is as deep as its keys are long, whose halves are the same: 2^248 leaves.
    for (let depth = 8; depth < anyKey.bits; depth++)
      node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
    const content = { ...funcCounter, debugMarksBoc: bytesToBase64(serializeBoc(node)) };
    expect(() => read("func", content)).toThrow(/at most 262144|no dictionary/);
  });

  it("has nothing behind the end of a cell, and ignores marks that are malformed or not there", () => {
    const map = read("acton", {
      ...tolkMarks(),
      debug_marks: [
        { kind: "loc", range: [1, 5, 1, 5, 2] },
        { kind: "loc", range: [1, "x"] },
        { kind: 5 },
        7,
      ],
      marks_dict: {
        [hash(funcCounterCode)]: [
          [0, 0],
          [16, 1],
          [16, 99],
          [40, 2],
          [56, 3],
          [2 ** 31, 0],
          [1023, 0],
        ],
      },
    });
    expect(
      [0, 16, 40, 56, 900].map((offset) => map.at(funcCounterCode.hashHex(), offset)?.place.line),
    ).toEqual([5, 5, 5, 5, 5]);
    expect([...map.marksAt(funcCounterCode.hashHex(), 16)]).toEqual([]);
  });
});
