import type { DebugProtocol } from "@vscode/debugprotocol";
import type { DebugSource } from "../../shared/schema/v3/debug-values.js";
import { groupBy } from "../../shared/values/groups.js";
import type { SourceFiles } from "./source-files.js";
import type { Trail } from "./trail.js";

export type Listed = {
  readonly at: string;
  readonly text: string;
  readonly source?: DebugSource | undefined;
};

/** Instructions of an answer. */
const maxInstructions = 2000;
const place = /^([\da-f]{64}):(\d{1,5})$/i;

/** The instructions that a run may execute, in an order: those of its code, then others that it executed. */
export class CodeListing {
  readonly #instructions: readonly Listed[];
  readonly #numbers: ReadonlyMap<string, number>;
  /** The lines of each file that instructions are made of, in order. */
  readonly #lines: ReadonlyMap<string, readonly number[]>;

  constructor(listed: readonly Listed[], trail: Trail) {
    const known = new Set(listed.map(({ at }) => at));
    const others = trail.instructions.filter(({ at }) => !known.has(at)).sort((a, b) => order(a.at, b.at));
    this.#instructions = [...listed, ...others];
    this.#numbers = new Map(this.#instructions.map(({ at }, number) => [at, number]));
    this.#lines = linesOf([...listed.flatMap(({ source }) => source ?? []), ...trail.places]);
  }

  get files(): Iterable<string> {
    return this.#lines.keys();
  }

  /** The first line with an instruction, from one on. */
  lineFrom(file: string, line: number): number | undefined {
    return this.#lines.get(file)?.find((each) => each >= line);
  }

  linesBetween(file: string, first: number, last: number): number[] {
    return (this.#lines.get(file) ?? []).filter((line) => line >= first && line <= last);
  }

  /** The place of an instruction, by the place of another one or by its address, and by how many instructions it is behind it. */
  placeOf(reference: string, offset = 0): string | undefined {
    return this.#instructions[(this.#number(reference) ?? Number.NaN) + offset]?.at;
  }

  /** Instructions around one. What is before the first one, and behind the last one, is invalid. */
  around(
    reference: string,
    { offset, count }: { offset: number; count: number },
    files: SourceFiles,
  ): DebugProtocol.DisassembledInstruction[] {
    const from = (this.#number(reference) ?? 0) + offset;
    const shown: DebugProtocol.DisassembledInstruction[] = [];
    for (let number = from; number < from + Math.min(count, maxInstructions); number++) {
      const found = this.#instructions[number];
      shown.push(found ? this.#present(found, number, files) : invalid(number));
    }
    return shown;
  }

  #present(
    { at, text, source }: Listed,
    number: number,
    files: SourceFiles,
  ): DebugProtocol.DisassembledInstruction {
    const previous = this.#instructions[number - 1]?.source;
    const isNew = source && (previous?.file !== source.file || previous.line !== source.line);
    return {
      address: addressOf(number),
      instruction: text,
      symbol: at,
      ...(isNew && { location: files.sourceOf(source.file), line: source.line, column: source.column }),
    };
  }

  #number(reference: string): number | undefined {
    if (place.test(reference)) return this.#numbers.get(reference.toLowerCase());
    return /^0x[\da-f]{1,8}$/i.test(reference) ? Number(reference) - firstAddress : undefined;
  }
}

/** Addresses count instructions. They begin high enough to have some before the first one. */
const firstAddress = 0x100000;

function addressOf(number: number): string {
  return `0x${Math.max(0, number + firstAddress).toString(16)}`;
}

function invalid(number: number): DebugProtocol.DisassembledInstruction {
  return { address: addressOf(number), instruction: "", presentationHint: "invalid" };
}

function order(one: string, other: string): number {
  const [, cell = "", offset] = place.exec(one) ?? [];
  const [, otherCell = "", otherOffset] = place.exec(other) ?? [];
  return cell === otherCell ? Number(offset) - Number(otherOffset) : cell < otherCell ? -1 : 1;
}

function linesOf(places: readonly DebugSource[]): Map<string, number[]> {
  const byFile = groupBy(places, ({ file }) => file);
  const inOrder = (own: readonly DebugSource[]) =>
    [...new Set(own.map(({ line }) => line))].sort((a, b) => a - b);
  return new Map([...byFile].map(([file, own]) => [file, inOrder(own)]));
}
