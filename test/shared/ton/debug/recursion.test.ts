import { compileFunc } from "@ton-community/func-js";
import { beforeAll, describe, expect, it } from "vitest";
import { cellIn } from "../../../../server/artifacts/compiled.js";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { readSourceMap } from "../../../../shared/ton/debug/maps/read-map.js";
import { gasEntries } from "../../../../shared/ton/debug/profile/formats.js";
import { GasTreeBuilder } from "../../../../shared/ton/debug/profile/gas-tree.js";
import { RunCode } from "../../../../shared/ton/debug/run-code.js";
import { FrameWalk } from "../../../../shared/ton/debug/run-frames.js";
import { CodeCells } from "../../../../shared/ton/tvm/code/code-cells.js";
import { runMessage } from "../../../helpers/debug/machine-run.js";

const source = `
int factorial(int n) {
  if (n < 2) {
    return 1;
  }
  int rest = factorial(n - 1);
  return n * rest;
}

int fibonacci(int n) {
  if (n < 2) {
    return n;
  }
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int odd(int n);

int even(int n) {
  if (n == 0) {
    return 1;
  }
  int rest = odd(n - 1);
  return 3 * rest;
}

int odd(int n) {
  if (n == 0) {
    return 0;
  }
  return even(n - 1);
}

int climb(int n) {
  if (n == 0) {
    return 0;
  }
  int rest = climb(n - 1);
  return rest + 1;
}

int fails(int n) impure {
  throw_if(77, n == 0);
  int rest = fails(n - 1);
  return rest + 1;
}

() recv_internal(slice body) impure {
  int kind = body~load_uint(8);
  int n = body~load_uint(8);
  if (kind == 1) {
    throw_unless(100, factorial(n) > 0);
  }
  if (kind == 2) {
    throw_unless(100, fibonacci(n) > 0);
  }
  if (kind == 3) {
    throw_unless(100, even(n) >= 0);
  }
  if (kind == 4) {
    throw_unless(100, climb(n + 100) == n + 100);
  }
  if (kind == 5) {
    try {
      fails(n);
    } catch (x, code) {
      throw_unless(100, factorial(n) > 0);
    }
  }
}
`;

let executor: Executor;
let compiled: { codeBoc: string };
let code: Cell;
beforeAll(async () => {
  executor = await Executor.create();
  const sources = [{ filename: "a.fc", content: source }];
  const result = await compileFunc({ sources, targets: ["a.fc"], debugInfo: true });
  if (result.status !== "ok") throw new Error(result.message);
  compiled = result;
  code = cellIn(compiled.codeBoc, "the code");
});

function run(kind: number, n: number) {
  const cells = new CodeCells([code]);
  const map = readSourceMap("func", compiled, cells, (text) => cellIn(text, "the marks"));
  const body = beginCell().storeUint(kind, 8).storeUint(n, 8).endCell();
  const made = runMessage(executor, { code, data: beginCell().endCell(), body, log: "gas" });
  expect(made.succeeded).toBe(true);
  const { log } = made;
  const runCode = new RunCode(cells, [map]);
  const walk = new FrameWalk(log, runCode);
  while (walk.read(100));
  const frames = walk.finish();
  const chains = Array.from({ length: log.end }, (_, at) => frames.chain(log.first + at));
  return { ...made, frames, code: runCode, chains };
}

/** The chains of functions one after the other, without the beginning of the code. */
function visits(kind: number, n: number): string[] {
  const texts = run(kind, n)
    .chains.filter((chain) => chain.length > 0)
    .map((chain) => chain.join(" "));
  return texts.filter((text, at) => text !== texts[at - 1]);
}

/** What a function visits that calls these, one after the other. */
type Visit = (path: string) => string[];
const calls =
  (name: string, ...called: readonly Visit[]): Visit =>
  (path) => {
    const own = path === "" ? name : `${path} ${name}`;
    return [own, ...called.flatMap((visit) => [...visit(own), own])];
  };

const factorial = (n: number): Visit => (n < 2 ? calls("factorial") : calls("factorial", factorial(n - 1)));
const fibonacci = (n: number): Visit =>
  n < 2 ? calls("fibonacci") : calls("fibonacci", fibonacci(n - 1), fibonacci(n - 2));
const even = (n: number): Visit => (n === 0 ? calls("even") : calls("even", odd(n - 1)));
/** It ends with the call, and has nothing to do after it. */
const odd =
  (n: number): Visit =>
  (path) =>
    n === 0 ? calls("odd")(path) : calls("odd", even(n - 1))(path).slice(0, -1);

describe("functions that call themselves", () => {
  it.each([
    ["once", 1, factorial(5)],
    ["twice", 2, fibonacci(5)],
    ["by another one", 3, even(4)],
  ])("are a frame for each call: %s", (_, kind, expected) => {
    const n = kind === 3 ? 4 : 5;
    expect(visits(kind, n)).toEqual(calls("recv_internal", expected)(""));
  });

  it("have a bound on their frames, and come back from deeper calls", () => {
    const { chains } = run(4, 200);
    const lengths = chains.map(({ length }) => length);
    expect(Math.max(...lengths)).toBe(256);
    expect(chains.at(-1)).toEqual(["recv_internal"]);
    const deepest = lengths.lastIndexOf(256);
    const after = lengths.slice(deepest).filter((length, at, all) => length !== all[at - 1]);
    expect(after).toEqual(Array.from({ length: 256 }, (_, at) => 256 - at));
  });

  it("are left where an exception is caught", () => {
    const visited = visits(5, 3);
    const caught = visited.lastIndexOf("recv_internal fails fails fails fails");
    expect(visited.slice(caught + 1)).toEqual(calls("recv_internal", factorial(3))(""));
  });

  it("count the gas of what they call once", () => {
    const { log, frames, code: runCode, gasUsed } = run(2, 6);
    const tree = new GasTreeBuilder("function");
    const add = tree.adding({ name: "run", log, code: runCode, frames, gasUsed });
    while (add(100));
    const entries = gasEntries(tree.finish());
    expect(entries.reduce((sum, { gas }) => sum + gas, 0)).toBe(gasUsed);
    const own = entries.find(({ name }) => name === "fibonacci")!;
    expect(own.total).toBeLessThan(gasUsed);
    expect(own.total).toBe(own.gas);
  });
});
