import { signed } from "../../../../shared/ton/run/emulator-patches.js";
import { opcode, unsigned, wordAlignment } from "../../../os/wasm-bytes.js";

/**
 * Functions of the emulator that make a contract and run its get-methods, by their places in the table of functions.
 * Why: the build exports only `_run_get_method`, which calls all of them.
 * Without: every run reads configuration, previous blocks, code and data again, and writes a log; with all patches a
 * get-method takes 28 instead of 422 µs. Several extra currencies are refused.
 */
export const contractPlaces = {
  createContract: 84,
  setLibraries: 85,
  setContext: 86,
  setExtraCurrencies: 87,
  setPreviousBlocks: 88,
  setGasLimit: 89,
  setDebug: 90,
  destroyContract: 91,
  runMethod: 92,
} as const;

/**
 * Levels of that log. At "debug", which `_run_get_method` sets, a run is described, which takes as long as the run, and so are
 * the stacks before and after it: the text of a tuple that holds another one twice doubles with each level, so a contract could
 * make a text of 2^40 bytes.
 */
export const logLevels = { fatal: 0, info: 3, debug: 4 } as const;

export type ContractFunctions = Record<keyof typeof contractPlaces, (...args: never[]) => number>;

/** Places of the emulator's own log of `_run_get_method`. */
export const logPlaces = {
  /** Address of the level. */
  level: 1_612_296,
  /** Address of the pointer to the log. */
  log: 1_612_304,
  /** First member of a log that is a text: the address of its functions. */
  textLog: 1_578_776,
} as const;

const frame = [opcode.getLocal, 3];
const logOffset = 384;

/** Parts of `_run_get_method` that show these places. */
export const contractAnchors: readonly (readonly number[])[] = [
  setLogLevel(logLevels.debug),
  [
    ...[
      opcode.i32,
      ...signed(logPlaces.log),
      ...frame,
      opcode.i32,
      ...signed(logOffset),
      opcode.addI32,
      opcode.storeI32,
      wordAlignment,
      0,
    ],
    ...[
      ...frame,
      opcode.i32,
      ...signed(logPlaces.textLog),
      opcode.storeI32,
      wordAlignment,
      ...unsigned(logOffset),
    ],
    ...[opcode.i32, ...signed(contractPlaces.createContract - 2)],
  ],
  [
    ...[
      opcode.i32,
      ...signed(contractPlaces.runMethod),
      opcode.getLocal,
      0,
      ...frame,
      opcode.loadI32,
      wordAlignment,
      ...unsigned(240),
    ],
    ...[opcode.getLocal, 1, opcode.call, 9],
  ],
];

export function contractFunctions(table: { get(index: number): unknown }): ContractFunctions {
  const entries = Object.entries(contractPlaces).map(([name, place]) => [name, table.get(place)]);
  return Object.fromEntries(entries) as ContractFunctions;
}

/** The instructions that set the level of the log, to a constant unless other instructions are given. */
export function setLogLevel(level: number | readonly number[]): number[] {
  const pushLevel = typeof level === "number" ? [opcode.i32, ...signed(level)] : level;
  return [...[opcode.i32, ...signed(logPlaces.level), ...pushLevel], ...[opcode.storeI32, wordAlignment, 0]];
}
