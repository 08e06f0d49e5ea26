import { beforeAll, describe, expect, it } from "vitest";
import { Executor } from "../../../../../server/chain/executor/executor.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../../shared/ton/cells/cell.js";
import { decodeInstruction, isTextOf } from "../../../../../shared/ton/tvm/code/instructions.js";
import { account, testConfig, testTime } from "../../../../helpers/chain/sample-chain.js";
import { sized } from "../../../../helpers/effort.js";
import { pseudoRandom } from "../../../../helpers/pseudo-random.js";

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

const leaf = beginCell().storeUint(0x30, 8).endCell();

/** A code that begins with some bits; others follow, and four references. */
function codeOf(bits: number, length: number, numbers: Iterator<number>): Cell {
  const builder = beginCell().storeUint(bits, length);
  for (let at = 0; at < 40; at++) builder.storeUint(Math.floor((numbers.next().value ?? 0) * 2 ** 24), 24);
  return builder.storeRef(leaf).storeRef(leaf).storeRef(leaf).storeRef(leaf).endCell();
}

/** The machine's text of the first instruction of a code; undefined if it is none. */
function textOf(code: Cell): string | undefined {
  const { vmLog } = executor.runMethod({
    ...{ code, data: Cell.empty, address: account, methodId: 0, stack: [], balance: 0n, gasLimit: 10_000 },
    ...{ config: testConfig, now: testTime, randSeed: new Uint8Array(32).fill(7), log: "gas" },
  });
  const lines = vmLog.split("\n");
  const first = lines.findIndex((line) => line.startsWith("code cell hash: "));
  const line = lines.slice(first).find((each) => /^(?:execute|handling)/.test(each)) ?? "";
  return line.startsWith("execute ") ? line.slice("execute ".length) : undefined;
}

/** Opcodes and what the machine says of them where the table says something else. */
function differences(opcodes: Iterable<readonly [bits: number, length: number]>): unknown[] {
  const numbers = pseudoRandom(5);
  const found: unknown[] = [];
  for (const [bits, length] of opcodes) {
    const code = codeOf(bits, length, numbers);
    const instruction = decodeInstruction(code.parse());
    const text = textOf(code);
    if (text === undefined && (!instruction || cannotRun(instruction.name))) continue;
    if (text === undefined || !instruction || !isTextOf(text, instruction))
      found.push({
        opcode: bits.toString(16),
        text,
        instruction: instruction?.name,
        args: instruction?.args,
      });
  }
  return found;
}

/** Instructions whose operands can be such that the machine has none of them. */
function cannotRun(name: string): boolean {
  return ["XCHG", "BLKDROP2", "SETCP", "PUSHINT", "PUSHSLICE", "STSLICECONST", "DEBUG", "DEBUGSTR"].includes(
    name,
  );
}

function* opcodes(
  first: number,
  last: number,
  length: number,
  step: number,
): Generator<readonly [number, number]> {
  for (let bits = first; bits <= last; bits += step) yield [bits, length];
}

describe("instructions by their opcodes", () => {
  it("are those that the machine executes", () => {
    expect(differences(opcodes(0, 0xffff, 16, sized(127, 1)))).toEqual([]);
  });

  it.each([
    ["quiet ones", 0xb70000, 0xb7ffff],
    ["parameters of the contract", 0xf80000, 0xf8ffff],
    ["curves", 0xf93000, 0xf930ff],
  ])("are those that the machine executes: %s", (_, first, last) => {
    expect(differences(opcodes(first, last, 24, last - first > 1000 ? sized(255, 7) : sized(5, 1)))).toEqual(
      [],
    );
  });

  it.each([
    ["a0", "ADD", "", 8],
    ["75", "PUSHINT", "5", 8],
    ["7b", "PUSHINT", "-5", 8],
    ["80f6", "PUSHINT", "-10", 16],
    ["82030d40", "PUSHINT", "200000", 32],
    ["6e", "ISNULL", "", 8],
    ["5601", "PUSH", "s1", 16],
    ["b7a904", "QDIV", "", 24],
    ["f4a413", "DICTPUSHCONST", "19", 24],
    ["ed44", "PUSH", "c4", 16],
    ["d70b1f", "PLDU", "32", 24],
    ["8b0d", "PUSHSLICE", "xD", 16],
    ["8b1e84", "PUSHSLICE", "xE84", 24],
    ["93a0a0a0", "PUSHCONT", "", 32],
    ["e381", "IFBITJMP", "1", 16],
    ["f200", "THROW", "0", 16],
    ["f2c4d2", "THROW", "1234", 24],
    ["fef0414243", "DEBUGSTR", "41", 24],
    ["fff5", "SETCP", "-11", 16],
  ])("%s is %s %s", (hex, name, args, bits) => {
    const builder = beginCell();
    for (const digit of hex) builder.storeUint(Number.parseInt(digit, 16), 4);
    const code = builder.storeUint(0, 200).storeRef(leaf).endCell();
    expect(decodeInstruction(code.parse())).toMatchObject({ name, args, bits });
  });

  it("are none without all of their bits and references", () => {
    for (const hex of ["80", "88", "8e", "f4a413", "8b4d", "82"]) {
      const builder = beginCell();
      for (const digit of hex) builder.storeUint(Number.parseInt(digit, 16), 4);
      expect(decodeInstruction(builder.endCell().parse())).toBeUndefined();
    }
  });

  it("contain the code of a continuation", () => {
    const code = beginCell().storeUint(0x92a0a1, 24).storeUint(0xa2, 8).endCell().parse();
    const { body } = decodeInstruction(code)!;
    expect([decodeInstruction(body!)?.name, decodeInstruction(body!)?.name, body!.remainingBits]).toEqual([
      "ADD",
      "SUB",
      0,
    ]);
    expect(decodeInstruction(code)?.name).toBe("SUBR");
  });
});
