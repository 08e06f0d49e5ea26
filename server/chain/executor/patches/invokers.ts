// The emulator is built with exceptions in JavaScript: C++ calls what may throw through an imported function `invoke_*`,
// which catches. The module made here has the same functions in WebAssembly, which catch without leaving it.
// Without: each such call leaves WebAssembly, looks its function up in a table, and enters again. With them a transaction
// takes 0.76 of the time, a get-method 0.72.
import { name, opcode, section, unsigned, vector } from "../../../os/wasm-bytes.js";

/** Imports and exports of a module of invokers. */
export const linkNames = { module: "emulator", table: "table", thrown: "thrown", own: "own" } as const;
/** Functions of the emulator itself, by their places in the table `own`: known only once it is instantiated. */
export const ownFunctions = ["stackSave", "stackRestore", "setThrew"] as const;

/** Types that the compiler's letters stand for, with the opcode of a constant and its zero. */
const letters = {
  i: { type: 0x7f, zero: [0x41, 0] },
  j: { type: 0x7e, zero: [0x42, 0] },
  f: { type: 0x7d, zero: [0x43, 0, 0, 0, 0] },
  d: { type: 0x7c, zero: [0x44, 0, 0, 0, 0, 0, 0, 0, 0] },
} as const;
type Letter = keyof typeof letters;

const i32 = letters.i.type;
const [functionForm, funcref] = [0x60, 0x70];
const kind = { function: 0, table: 1, tag: 4 } as const;
const sections = { type: 1, import: 2, function: 3, table: 4, export: 7, code: 10 } as const;
const noResult = 0x40;
/** Tables by index: the emulator's, which is imported, and that of `ownFunctions`. */
const [functionTable, ownTable] = [0, 1];
/** Types by index, before those of the invokers. */
const [tagType, saveType, restoreType, threwType] = [0, 1, 2, 3];
const firstTypes = [
  functionType([], []),
  functionType([], [i32]),
  functionType([i32], []),
  functionType([i32, i32], []),
];

/** Whether an import of the emulator is a function that catches. */
export const isInvoker = (name: string) => /^invoke_[vijfd][ijfd]*$/.test(name);

/** The module of these invokers, which exports them by their names. */
export function invokerModule(names: readonly string[]): Buffer {
  const invokers = names.map(parseName);
  const types = invokers.flatMap(({ params, result }) => {
    const [given, returned] = [
      params.map((letter) => letters[letter].type),
      result.map((letter) => letters[letter].type),
    ];
    return [functionType([i32, ...given], returned), functionType(given, returned)];
  });
  const typeOf = (index: number) => firstTypes.length + 2 * index;
  return Buffer.concat([
    Buffer.from([0, ...Buffer.from("asm"), 1, 0, 0, 0]),
    section(sections.type, vector([...firstTypes, ...types])),
    section(
      sections.import,
      vector([
        [...name(linkNames.module), ...name(linkNames.table), kind.table, funcref, 0, 0],
        [...name(linkNames.module), ...name(linkNames.thrown), kind.tag, 0, tagType],
      ]),
    ),
    section(sections.function, vector(names.map((_, index) => unsigned(typeOf(index))))),
    section(sections.table, vector([[funcref, 0, ownFunctions.length]])),
    section(
      sections.export,
      vector([
        ...names.map((each, index) => [...name(each), kind.function, ...unsigned(index)]),
        [...name(linkNames.own), kind.table, ownTable],
      ]),
    ),
    section(
      sections.code,
      vector(invokers.map((invoker, index) => sized(invokerCode(invoker, typeOf(index) + 1)))),
    ),
  ]);
}

type Invoker = { readonly params: readonly Letter[]; readonly result: readonly Letter[] };

function parseName(text: string): Invoker {
  const [result, ...params] = text.slice("invoke_".length) as Iterable<Letter | "v">;
  return { params: params as Letter[], result: result === "v" ? [] : [result!] };
}

/**
 * Calls the function whose place in the table is the first parameter with the other ones. If it throws, restores the
 * stack pointer, notes that something was thrown, and returns zero.
 */
function invokerCode({ params, result }: Invoker, calledType: number): number[] {
  const saved = params.length + 1;
  return [
    ...vector([[1, i32]]),
    ...callOwn("stackSave", saveType),
    ...[opcode.setLocal, saved],
    ...[opcode.try, result[0] === undefined ? noResult : letters[result[0]].type],
    ...params.flatMap((_, index) => [opcode.getLocal, index + 1]),
    ...[opcode.getLocal, 0],
    ...[opcode.callIndirect, ...unsigned(calledType), functionTable],
    ...[opcode.catch, 0],
    ...[opcode.getLocal, saved],
    ...callOwn("stackRestore", restoreType),
    ...integer(1),
    ...integer(0),
    ...callOwn("setThrew", threwType),
    ...result.flatMap((letter) => letters[letter].zero),
    opcode.end,
    opcode.end,
  ];
}

function callOwn(name: (typeof ownFunctions)[number], type: number): number[] {
  return [...integer(ownFunctions.indexOf(name)), opcode.callIndirect, type, ownTable];
}

function functionType(params: readonly number[], results: readonly number[]): number[] {
  return [functionForm, ...vector(params.map((type) => [type])), ...vector(results.map((type) => [type]))];
}

/** Pushes a small number. */
const integer = (value: number) => [letters.i.zero[0], value];

const sized = (bytes: readonly number[]) => [...unsigned(bytes.length), ...bytes];
