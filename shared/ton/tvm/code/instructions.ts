import { bytesToHex } from "../../../values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import type { Slice } from "../../cells/slice.js";
import { instructionTable } from "./instruction-table.js";

/** An instruction in a code. */
export type Instruction = {
  readonly name: string;
  /** Its operands, in the order of the machine's own text. */
  readonly args: string;
  /** Its length in the cell, with the operands. */
  readonly bits: number;
  /** References that it takes. */
  readonly refs: readonly Cell[];
  /** Code inside of it, which a continuation runs. */
  readonly body?: Slice;
};

type Row = { readonly name: string; readonly operands: readonly string[] };

const quiet = 0xb7;
const quietBits = 8;

/** The machine's registers, by their numbers. */
const registers = new Set([0, 1, 2, 3, 4, 5, 7]);

type Entry = { readonly bits: number; readonly opcode: number; readonly row: Row };

const entries: readonly Entry[] = instructionTable.trim().split("\n").flatMap(entriesOf);
const lengths: readonly number[] = [...new Set(entries.map(({ bits }) => bits))].sort((a, b) => b - a);
const maxOpcode = lengths[0] ?? 0;
/** Rows by the length of their opcode and the opcode. */
const rows: ReadonlyMap<number, ReadonlyMap<number, Row>> = new Map(
  lengths.map((length) => [
    length,
    new Map(entries.filter(({ bits }) => bits === length).map(({ opcode, row }) => [opcode, row])),
  ]),
);

/** The instructions of a line of the table. */
function entriesOf(line: string): Entry[] {
  const [first = "", ...tokens] = line.split(" ");
  const { bits, opcode } = readOpcode(first.replace("*", ""));
  return tokens.flatMap((token, at): Entry[] => {
    if (token === "-") return [];
    const [name = "", operands = ""] = token.split(":");
    const row = { name, operands: operands === "" ? [] : operands.split(",") };
    const own = { bits, opcode: opcode + at, row };
    // Those with a count of bits in their opcode have no quiet form.
    if (!first.endsWith("*") || name.includes("#")) return [own];
    const quietly = { bits: bits + quietBits, opcode: quiet * 2 ** bits + opcode + at };
    return [own, { ...quietly, row: { ...row, name: `Q${name}` } }];
  });
}

function readOpcode(text: string): { bits: number; opcode: number } {
  const digits = text.replace("_", "");
  const opcode = Number.parseInt(digits, 16);
  const bits = digits.length * 4;
  if (digits === text) return { bits, opcode };
  const cut = 32 - Math.clz32(opcode & -opcode);
  return { bits: bits - cut, opcode: opcode >>> cut };
}

/** Reads an instruction and advances the code past it; `undefined` if there is none of this code. */
export function decodeInstruction(code: Slice): Instruction | undefined {
  const before = code.clone();
  const length = Math.min(maxOpcode, code.remainingBits);
  const word = code.preloadUint(length) * 2 ** (maxOpcode - length);
  for (const bits of lengths) {
    const row = rows.get(bits)?.get(Math.floor(word / 2 ** (maxOpcode - bits)));
    if (!row) continue;
    try {
      return new Decoding(code, before).read(row, bits);
    } catch (error) {
      if (error instanceof CellError) return undefined;
      throw error;
    }
  }
  return undefined;
}

class Decoding {
  readonly #code: Slice;
  readonly #before: Slice;
  readonly #refs: Cell[] = [];
  #body: Slice | undefined;

  constructor(code: Slice, before: Slice) {
    this.#code = code;
    this.#before = before;
  }

  read({ name, operands }: Row, opcodeBits: number): Instruction {
    this.#code.skip(opcodeBits);
    const args = operands.map((operand) => this.#operand(operand)).filter((text) => text !== "");
    return {
      name,
      args: args.join(","),
      bits: this.#before.remainingBits - this.#code.remainingBits,
      refs: this.#refs,
      ...(this.#body && { body: this.#body }),
    };
  }

  #operand(operand: string): string {
    const code = this.#code;
    if (operand.startsWith("=")) return operand.slice(1);
    if (operand === "ref") {
      this.#refs.push(code.loadRef());
      return "";
    }
    if (operand === "long") return code.loadBigInt(8 * code.loadUint(5) + 19).toString();
    if (operand === "text") return hexOf(code.loadBits(8 * (code.loadUint(4) + 1)));
    const [kind = "", ...fields] = operand.split("/");
    if (kind === "bits" || kind === "code") {
      const part = this.#part(fields);
      if (kind === "bits") return `x${hexOf(part)}`;
      this.#body = part;
      return "";
    }
    return this.#number(operand);
  }

  #part([refs = "", bytes = "", more = ""]: readonly string[]): Slice {
    const code = this.#code;
    const [refBits = "", moreRefs = "0"] = refs.split("+");
    const count = code.loadUint(Number(refBits)) + Number(moreRefs);
    const bits = 8 * code.loadUint(Number(bytes)) + Number(more);
    const part = code.loadBits(bits, count);
    const refsOfPart = part.clone();
    while (refsOfPart.remainingRefs > 0) this.#refs.push(refsOfPart.loadRef());
    return part;
  }

  #number(operand: string): string {
    const kind = operand[0];
    const [size = "", add = "0"] = operand.slice(1).split(/(?=[+-])/);
    const bits = Number(size);
    const value = (kind === "i" ? this.#code.loadInt(bits) : this.#code.loadUint(bits)) + Number(add);
    if (kind === "c" && !registers.has(value)) throw new CellError("invalid", "no such register");
    if (kind === "t") return String(value > 10 ? value - 16 : value);
    if (kind === "n") return String(value === 15 ? -1 : value);
    if (kind === "z") return String((value + 1) * 32);
    return kind === "s" || kind === "c" ? `${kind}${value}` : String(value);
  }
}

/** Bits in hex; a part of a digit ends with a bit that is set, and `_`. */
function hexOf(part: Slice): string {
  const bits = part.remainingBits;
  const whole = part.clone();
  const bytes = bytesToHex(whole.loadBytes(bits >> 3)).toUpperCase();
  const rest = bits & 7;
  if (rest === 0) return bytes;
  const last = whole.loadUint(rest) << (8 - rest);
  if (rest === 4) return bytes + (last >> 4).toString(16).toUpperCase();
  const tagged = (last | (0x80 >> rest)).toString(16).toUpperCase().padStart(2, "0");
  return `${bytes}${rest < 4 ? tagged[0] : tagged}_`;
}

/** Words of the machine for more than one instruction, by which its text does not tell them apart. */
const divisions = new Set(["DIV/MOD", "SHR/MOD", "MULDIV/MOD", "MULSHR/MOD", "SHLDIV/MOD"]);
const division = /^Q?(?:ADD|MUL|LSHIFT|RSHIFT|DIV|MOD)/;
/** Instructions of which the machine writes that they are for debugging, where that is off. */
const dumps = new Set(["DUMPSTK", "STRDUMP", "DUMP"]);
/** Names that the machine writes otherwise than assemblers do. */
const machineNames: ReadonlyMap<string, string> = new Map([
  ["ENDCST", "STBREFR"],
  ["BBITREFS", "BBITSREFS"],
  ["BREMBITREFS", "BREMBITSREFS"],
  ["STREFCONST", "STREF1CONST"],
]);

/** Whether the machine's text is of the instruction. The machine does not write that one is quiet, and has short names for moves on the stack. */
export function isTextOf(text: string, { name, args }: Instruction): boolean {
  const word = text.split(" ", 1)[0] ?? "";
  if (word === name || word === machineNames.get(name)) return true;
  if (divisions.has(word)) return division.test(name);
  if (word === "DEBUG") return dumps.has(name);
  if (word === name.replace(/^Q/, "").replace("_Q", "_") || `${word}Q` === name) return true;
  return shortNames.get(`${name} ${args}`) === word;
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ["XCHG s0", "NOP"],
  ["PUSH s0", "DUP"],
  ["PUSH s1", "OVER"],
]);
