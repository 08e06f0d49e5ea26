// Patches that raise limits, prevent attacks, or let contracts print. A test shows what happens without each of them.
import {
  gasLimitPatch,
  logTailPatch,
  maxLogBytes,
  printsPatch,
  signed,
} from "../../../../shared/ton/run/emulator-patches.js";
import { stackCellDepth } from "../../../../shared/ton/tvm/stack.js";
import { opcode, unsigned, wordAlignment } from "../../../os/wasm-bytes.js";
import { logLevels, logPlaces } from "./contract-functions.js";
import { globals, local, nops, type Patch, setDepth } from "./patch.js";

/** Deepest tree of cells a contract may make. */
export const cellDepth = 1024;

/**
 * Values a get-method may leave, counted as the emulator counts: a list of n values is n pairs, n values and a null.
 * The build has 3500, which the lists of a few hundred validators exceed.
 */
export const maxLeftValues = 20_001;

const depthCheck = { before: [0x2f, 0x01, 0x00], after: [0x4d] };
const importCheck = [...local(3), 0x48, 0x04, 0x40, opcode.i32, 0xcb, 0x00];
const storeLimit = [0x37, 0x03];
/** Whether the log has at least a level; what follows shows which part of the function is meant. */
const logsFrom = (level: number) => [
  opcode.i32,
  ...signed(logPlaces.level),
  opcode.loadI32,
  wordAlignment,
  0,
  opcode.i32,
  level,
];
const beforeRun = [
  0x4e,
  0x04,
  0x40,
  ...local(3),
  opcode.i32,
  0,
  opcode.storeI32,
  wordAlignment,
  ...unsigned(844),
];
const afterRun = [0x48, 0x0d, 0x04, ...logsFrom(logLevels.debug), 0x4e];
/** `i32.const 2`, `call vm::Stack::dump` */
const dumpCall = [opcode.i32, 2, opcode.call, 0x99, 0x12];

const mebibyte = 1 << 20;

/** Bytes of a transaction's log: of the first run, and of another one if they do not suffice. */
export const logBytes = { first: mebibyte, most: maxLogBytes } as const;

/** `global.get`, in the place of a constant. */
function logSize(constant: number): number[] {
  return [opcode.getGlobal, globals.logBytes, ...nops(signed(constant).length - 1)];
}

export const limitPatches = {
  /**
   * What: a cell that is made may be as deep as a global says, one that is read 65,535; in the build both have 1024.
   * SmartContract::run_smartcont sets the global to 1024 before code runs, as in the node, and to 65,535 after it.
   * Why: a stack as cells is as deep as it has values.
   * Without: get-methods take and leave about 1,000 values.
   */
  depth: [
    // vm::DataCell::create: `depth <= 1024`.
    {
      find: [...depthCheck.before, opcode.i32, ...signed(cellDepth), ...depthCheck.after],
      replace: [...depthCheck.before, opcode.getGlobal, globals.depth, opcode.nop, ...depthCheck.after],
    },
    // vm::BagOfCells::import_cell: `max_depth < depth`. The member max_depth is always 1024.
    {
      find: [...local(1), opcode.loadI32, wordAlignment, 0x18, ...importCheck],
      replace: [opcode.i32, ...signed(stackCellDepth), opcode.nop, ...importCheck],
    },
    // SmartContract::run_smartcont calls `stack->dump(os, 2)` for the debug log, before and after the run.
    {
      find: [...local(9), ...local(1), ...dumpCall],
      replace: [...setDepth(cellDepth), ...nops(4)],
    },
    {
      find: [...local(2), ...local(1), ...dumpCall],
      replace: [...setDepth(stackCellDepth), ...nops(3)],
    },
    // Both calls are made at the log's level "debug" only. Their places are entered at "info", the level in use.
    {
      find: [...logsFrom(logLevels.debug), ...beforeRun],
      replace: [...logsFrom(logLevels.info), ...beforeRun],
    },
    {
      find: [...logsFrom(logLevels.debug), ...afterRun],
      replace: [...logsFrom(logLevels.info), ...afterRun],
    },
  ],
  /**
   * What: the number of values that a get-method may leave is a global.
   * Why: lists of validators exceed the 3500 of the build, and the thread that serves has stack for 1,000 only.
   * Without: such lists are refused, and 3500 values take nearly all of the stack of the thread that serves.
   */
  leftValues: [
    // run_get_method: `vm::FakeVmStateLimits fstate(3500)`.
    {
      find: [opcode.i64, ...signed(3500), ...storeLimit],
      replace: [opcode.getGlobal, globals.leftValues, opcode.nop, ...storeLimit],
    },
  ],
  gasLimit: [gasLimitPatch],
  /**
   * What: how many bytes the log of a transaction keeps, from its end, is a global: 64 MiB at most, with stacks and without.
   * Why: a loop that uses up a million gas has 200,000 steps, of up to 130 bytes each, and with stacks of some hundreds. So much
   * memory is cleared before each run, which takes twenty times as long as a small run: runs begin with little.
   * Without: it keeps the last mebibyte, with stacks the last 32 MiB, and the first steps of such a run are not known.
   */
  logTail: [logTailPatch([logSize(32 * mebibyte), logSize(mebibyte)])],
  prints: [printsPatch],
} as const satisfies Record<string, readonly Patch[]>;
