// Patches of the emulator's binary, which @ton/sandbox ships without a way to configure it. Each is located by its bytes, which
// occur exactly once in the build that is known.
import { stackCellDepth } from "../stack.js";
import { logLevels, logPlaces, setLogLevel } from "./contract-functions.js";
import { opcode, signed, unsigned, wordAlignment } from "./wasm-bytes.js";

/** Deepest tree of cells a contract may make. */
export const cellDepth = 1024;

/**
 * Values a get-method may leave, counted as the emulator counts: a list of n values is n pairs, n values and a null.
 * The build has 3500, which the lists of a few hundred validators exceed.
 */
export const maxLeftValues = 20_001;

const builtGlobals = 2;
/** Globals added to the binary, by their indices. */
export const globals = {
  built: builtGlobals,
  depth: builtGlobals,
  leftValues: builtGlobals + 1,
  vmLog: builtGlobals + 2,
} as const;

/** Equally long codes. */
export type Patch = { find: readonly number[]; replace: readonly number[] };

const local = (index: number) => [opcode.getLocal, index] as const;
const depthCheck = { before: [0x2f, 0x01, 0x00], after: [0x4d] };
const importCheck = [...local(3), 0x48, 0x04, 0x40, opcode.i32, 0xcb, 0x00];
const storeLimit = [0x37, 0x03];
/** `i64.store`, to a member of vm::GasLimits. */
const storeGas = (offset: number) => [0x37, 0x03, offset];
/** `i64.const 2^63-1` */
const infinite = [opcode.i64, ...Array(9).fill(0xff), 0];
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
/** `local.tee 5`, `global.set 0`: the stack pointer, at the start of emulate_with_emulator. */
const stackFrame = [0x22, 5, opcode.setGlobal, 0];
/** `i32.const 2`, `call vm::Stack::dump` */
const dumpCall = [opcode.i32, 2, opcode.call, 0x99, 0x12];

/** `local.set 4`, `i32.const 1`, `local.set 14`, `i32.const 1` */
const accountLogOptions = [opcode.setLocal, 4, opcode.i32, 1, opcode.setLocal, 14, opcode.i32, 1];
/** `i32.store offset=736`, at the frame's address that lies below; before it, the two bytes at 740. */
const methodLogOptions = [opcode.storeI32, wordAlignment, ...unsigned(736)];

/** `global.get 0`, `i32.const 96`, `i32.sub`, `local.tee 6`, `global.set 0`; then eight blocks, the last with a result. */
const initFrame = [opcode.getGlobal, 0, opcode.i32, ...signed(96), 0x6b, 0x22, 6, opcode.setGlobal, 0];
const initBlocks = [...Array.from({ length: 7 }, () => [0x02, 0x40]).flat(), 0x02, 0x7f];
/** `vm_debug_enabled = enable_debug` */
const keepDebug = [opcode.i32, ...signed(1_843_380), ...local(0), 0x3a, 0, 0];
/** Whether the static table of operations is made. */
const ifMade = [opcode.i32, ...signed(1_843_420), 0x2d, 0, 0, 0x04, 0x40];
const takeTable = [opcode.i32, ...signed(1_843_416), opcode.loadI32, wordAlignment, 0, 0x0c, 1, opcode.end];
const returnOk = [opcode.i32, 0, 0x0f, opcode.end];

/** Patches that raise limits or prevent attacks. */
export const limitPatches: readonly Patch[] = [
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
  // run_get_method: `vm::FakeVmStateLimits fstate(3500)`.
  {
    find: [opcode.i64, ...signed(3500), ...storeLimit],
    replace: [opcode.getGlobal, globals.leftValues, opcode.nop, ...storeLimit],
  },
  // tvm_emulator_set_gas_limit: `vm::GasLimits(limit)`, whose gas_max is infinite. ACCEPT raises the limit to that.
  {
    find: [...storeGas(16), ...local(2), ...infinite, ...storeGas(8)],
    replace: [...storeGas(16), ...local(2), ...local(1), ...Array(9).fill(opcode.nop), ...storeGas(8)],
  },
  // SmartContract::run_smartcont dumps the stack as text before and after the run, for a log that is switched off. The
  // text of a tuple that holds another one twice doubles with each level: a contract could make a text of 2^40 bytes.
  {
    find: [...local(9), ...local(1), ...dumpCall],
    replace: [...setDepth(cellDepth), opcode.nop, opcode.nop, opcode.nop, opcode.nop],
  },
  {
    find: [...local(2), ...local(1), ...dumpCall],
    replace: [...setDepth(stackCellDepth), opcode.nop, opcode.nop, opcode.nop],
  },
  // The parts around are for the same log, at its level "debug". They are entered at "info", without writing to it.
  {
    find: [...logsFrom(logLevels.debug), ...beforeRun],
    replace: [...logsFrom(logLevels.info), ...beforeRun],
  },
  {
    find: [...logsFrom(logLevels.debug), ...afterRun],
    replace: [...logsFrom(logLevels.info), ...afterRun],
  },
];

/** Patches for speed, each with a row in `npm run bench -- executor`. */
export const speedPatches = {
  operations: [
    // vm::init_vm, which each run calls, makes the table of operations once. It is by far the largest function, and engines
    // take its calls for a reason to optimize it, which takes a second and 90 MB: they weigh a call by where it returns.
    {
      find: [...initFrame, ...initBlocks, ...keepDebug, ...ifMade, ...takeTable],
      replace: padded(
        [...keepDebug, ...ifMade, ...returnOk, ...initFrame, ...initBlocks],
        takeTable.length - returnOk.length,
      ),
    },
  ],
  vmLog: [
    // Both kinds of runs make the options of their VM's log: its level, then true and false.
    {
      find: [opcode.i32, logLevels.debug, ...accountLogOptions],
      replace: [opcode.getGlobal, globals.vmLog, ...accountLogOptions],
    },
    {
      find: [opcode.i32, logLevels.debug, ...methodLogOptions],
      replace: [opcode.getGlobal, globals.vmLog, ...methodLogOptions],
    },
  ],
  emulatorLog: [
    // emulate_with_emulator: `SET_VERBOSITY_LEVEL(verbosity_DEBUG)`. This log is not used, and its texts of whole
    // transactions take nearly half of a run. The log of the VM is another one. Get-methods set a level of their
    // own: the places of the dumps above depend on it.
    {
      find: [...stackFrame, ...setLogLevel(logLevels.debug)],
      replace: [...stackFrame, ...setLogLevel(logLevels.fatal)],
    },
  ],
} as const satisfies Record<string, readonly Patch[]>;
export type SpeedPatch = keyof typeof speedPatches;

function padded(codes: readonly number[], count: number): number[] {
  return [...codes, ...Array.from({ length: count }, () => opcode.nop)];
}

function setDepth(depth: number): number[] {
  return [opcode.i32, ...signed(depth), opcode.setGlobal, globals.depth];
}
