import { beforeAll, expect, it } from "vitest";
import { Executor } from "../../../server/chain/executor/executor.js";
import { ExecutorError } from "../../../server/chain/executor/executor-error.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { MethodRequest } from "../../../shared/ton/run/method-request.js";
import { StackError, type StackValue } from "../../../shared/ton/tvm/stack.js";
import {
  account,
  activeAccount,
  internalMessage,
  testConfig,
  testTime,
} from "../../helpers/chain/sample-chain.js";
import { unknownBuild } from "../../helpers/chain/unknown-build.js";
import { sized } from "../../helpers/effort.js";
import { until } from "../../helpers/until.js";

// The same TVM with and without the patches: random programs end with the same results. The programs are the same in
// each run.

const methods = sized(200, 4000);
const contracts = sized(40, 1000);

const wasm = unknownBuild();
let [patched, plain]: Executor[] = [];
beforeAll(async () => {
  [patched, plain] = [await Executor.create(), await Executor.create(wasm)];
});

/** Numbers below a bound, from a seed (a linear congruential generator). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** First bytes of instructions that push operands: integers, cells, tuples, continuations. */
const frequent = [
  ..."70 71 75 7F 20 21 22 01 02 12 30 31 C8 C9 D0 6D 6F00 6F01 6F02 A0 A1 A8 A904 B0 B1 C700 D70B CB07 CA0F D307 D30F".split(
    " ",
  ),
  ..."8B08 90 9171 9270A0 E0 DC DD DE E304 F800 F810 F823 F827 F828 F900 F90180 F841 F861 ED44 ED54 F26 F2C1 D9 DB38".split(
    " ",
  ),
  ..."83FF 8305 80FF 811234 F40E F412 F43B F464 E4 E5 ED40 ED1E 59 5A 60 66 68 CF40 CF16 D718 D74C FA02 FA00".split(
    " ",
  ),
];

function program(number: (below: number) => number): Cell {
  const bytes: number[] = [];
  const length = 4 + number(40);
  while (bytes.length < length) {
    if (number(6) === 0) bytes.push(number(256));
    else bytes.push(...Buffer.from(frequent[number(frequent.length)]!, "hex"));
  }
  const code = beginCell().storeBytes(Buffer.from(bytes.slice(0, 100)));
  if (number(3) === 0)
    code.storeRef(
      beginCell()
        .storeBytes(Buffer.from([0x71, number(256)]))
        .endCell(),
    );
  return code.endCell();
}

/** Whether it may contain ACCEPT or SETGASLIMIT. */
function raisesLimit(code: Cell): boolean {
  const bytes = code.parse().loadBytes(code.bits >> 3);
  return /f80[01]/.test(Buffer.from(bytes).toString("hex"));
}

/** A log without the gas that is left. */
function withoutLimit(text: string): string {
  return text.replace(/(gas remaining: |gas limit to )\d+/g, "$1");
}

function argument(number: (below: number) => number): StackValue {
  const cell = beginCell()
    .storeUint(number(2 ** 16), 16)
    .storeRef(Cell.empty)
    .endCell();
  const types: StackValue[] = [
    { type: "int", value: BigInt(number(1000) - 500) },
    { type: "int", value: BigInt(number(2 ** 31)) ** 8n },
    { type: "cell", cell },
    { type: "slice", cell },
    { type: "null" },
    { type: "tuple", items: [{ type: "int", value: 1n }, { type: "cell", cell }, { type: "null" }] },
  ];
  return types[number(types.length)]!;
}

const environment = { config: testConfig, now: testTime, randSeed: new Uint8Array(32).fill(7) };
const data = beginCell().storeUint(5, 32).storeRef(beginCell().storeUint(6, 32).endCell()).endCell();

const broken = "broken";

/** The complete result of a run, as text. */
function told(run: () => object): string {
  try {
    return JSON.stringify(run(), (key, value) => {
      if (key === "cpuMs") return undefined;
      if (value instanceof Cell) return value.hashHex();
      if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
      return typeof value === "bigint" ? `${value}n` : value;
    });
  } catch (error) {
    if (!(error instanceof StackError || error instanceof ExecutorError)) throw error;
    if (error instanceof ExecutorError && error.brokeEmulator) return broken;
    return `${error.name} ${error.code}`;
  }
}

function runsAgain(executor: Executor | undefined): boolean {
  const code = beginCell().storeUint(0x71, 8).endCell();
  const contract = { code, data, address: account, methodId: 0, balance: 5n, stack: [] };
  return told(() => executor!.runMethod({ ...environment, ...contract })).includes('"exitCode":0');
}

it("random get-methods end alike with patches and without", async () => {
  const number = numbersFrom(42);
  const ends = new Map<string, number>();
  let stopped = 0;
  for (let round = 0; round < methods; round++) {
    const request: MethodRequest = {
      ...environment,
      ...{ code: program(number), data, address: account, methodId: number(8), balance: 5n },
      stack: Array.from({ length: number(8) }, () => argument(number)),
      gasLimit: 10_000,
      log: number(50) === 0 ? "stack" : "none",
    };
    const ended = told(() => patched!.runMethod(request));
    // Without the patches ACCEPT removes the gas limit: one of these programs runs until it has used up its memory.
    if (ended.includes('"exitCode":-14') && raisesLimit(request.code)) {
      stopped++;
      continue;
    }
    const other = told(() => plain!.runMethod(request));
    const shown = raisesLimit(request.code) ? withoutLimit : (text: string) => text;
    expect(shown(other), request.code.hashHex()).toBe(shown(ended));
    // Both make other instances.
    if (ended === broken) await until("both run again", async () => [patched, plain].every(runsAgain));
    const kind = /"exitCode":(-?\d+)/.exec(ended)?.[1] ?? ended;
    ends.set(kind, (ends.get(kind) ?? 0) + 1);
  }
  expect(stopped).toBeLessThan(methods / sized(50, 100));
  // They are not all broken in the same way.
  expect(ends.get("0")).toBeGreaterThan(methods / 80);
  expect(ends.size).toBeGreaterThan(sized(6, 10));
});

it("random contracts make the same transactions with patches and without", () => {
  const number = numbersFrom(43);
  let changed = 0;
  for (let round = 0; round < contracts; round++) {
    const shardAccount = activeAccount({ code: program(number), data });
    const message = internalMessage({ value: BigInt(number(2 ** 31)), body: data, bounce: number(2) === 0 });
    const request = { ...environment, shardAccount, message, lt: 5_000_000n };
    const ended = told(() => patched!.runTransaction(request));
    expect(told(() => plain!.runTransaction(request))).toBe(ended);
    if (ended.includes('"outcome":"done"')) changed++;
  }
  expect(changed).toBe(contracts);
});
