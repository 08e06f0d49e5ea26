// Patches for speed. Results are the same without them; `npm run bench -- executor` shows what each of them saves.
import { methodLogPatch, signed } from "../../../../shared/ton/run/emulator-patches.js";
import { opcode, wordAlignment } from "../../../os/wasm-bytes.js";
import { logLevels, setLogLevel } from "./contract-functions.js";
import { globals, local, nops, type Patch } from "./patch.js";

/** `local.tee 5`, `global.set 0`: the stack pointer, at the start of emulate_with_emulator. */
const stackFrame = [0x22, 5, opcode.setGlobal, 0];

/** `local.set 4`, `i32.const 1`, `local.set 14`, `i32.const 1` */
const accountLogOptions = [opcode.setLocal, 4, opcode.i32, 1, opcode.setLocal, 14, opcode.i32, 1];
/** `global.get 0`, `i32.const 96`, `i32.sub`, `local.tee 6`, `global.set 0`; then eight blocks, the last with a result. */
const initFrame = [opcode.getGlobal, 0, opcode.i32, ...signed(96), 0x6b, 0x22, 6, opcode.setGlobal, 0];
const initBlocks = [...Array.from({ length: 7 }, () => [0x02, 0x40]).flat(), 0x02, 0x7f];
/** `vm_debug_enabled = enable_debug` */
const keepDebug = [opcode.i32, ...signed(1_843_380), ...local(0), 0x3a, 0, 0];
/** Whether the static table of operations is made. */
const ifMade = [opcode.i32, ...signed(1_843_420), 0x2d, 0, 0, 0x04, 0x40];
const takeTable = [opcode.i32, ...signed(1_843_416), opcode.loadI32, wordAlignment, 0, 0x0c, 1, opcode.end];
const returnOk = [opcode.i32, 0, 0x0f, opcode.end];

export const speedPatches = {
  /**
   * What: vm::init_vm, which each run calls, returns at its start once the table of operations is made.
   * Why: it is by far the largest function. Engines weigh a call by where it returns, and take its calls for a reason to
   * optimize it.
   * Without: the optimization takes about half a second and 60 MB; the first 300 runs take 1.1 instead of 0.55 s of CPU time.
   */
  operations: [
    {
      find: [...initFrame, ...initBlocks, ...keepDebug, ...ifMade, ...takeTable],
      replace: [
        ...[...keepDebug, ...ifMade, ...returnOk, ...initFrame, ...initBlocks],
        ...nops(takeTable.length - returnOk.length),
      ],
    },
  ],
  /**
   * What: the level of the VM's log is a global, in runs of both kinds.
   * Why: the service does not read the VM log at verbosity 0.
   * Without: the VM logs each instruction, and a get-method takes 41 instead of 29 µs.
   */
  vmLog: [
    // The options of the VM's log: its level, then true and false.
    {
      find: [opcode.i32, logLevels.debug, ...accountLogOptions],
      replace: [opcode.getGlobal, globals.vmLog, ...accountLogOptions],
    },
    methodLogPatch([opcode.getGlobal, globals.vmLog]),
  ],
  /**
   * What: the level to which emulate_with_emulator sets the emulator's own log is a global instead of "debug".
   * Why: only debug runs read that log, which describes the transaction. Get-methods keep their own log level, on which the
   * limit patch `depth` depends.
   * Without: a transaction takes twice the time.
   */
  emulatorLog: [
    {
      find: [...stackFrame, ...setLogLevel(logLevels.debug)],
      replace: [...stackFrame, ...setLogLevel([opcode.getGlobal, globals.emulatorLog])],
    },
  ],
} as const satisfies Record<string, readonly Patch[]>;
