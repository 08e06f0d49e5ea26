import { signed } from "../../../../shared/ton/run/emulator-patches.js";
import { opcode } from "../../../os/wasm-bytes.js";

/** Equally long codes. The first one occurs exactly once in the build that is known. */
export type Patch = { find: readonly number[]; replace: readonly number[] };

const builtGlobals = 2;
/** Globals added to the binary, by their indices. */
export const globals = {
  built: builtGlobals,
  depth: builtGlobals,
  leftValues: builtGlobals + 1,
  vmLog: builtGlobals + 2,
  emulatorLog: builtGlobals + 3,
  logBytes: builtGlobals + 4,
} as const;

export const local = (index: number) => [opcode.getLocal, index] as const;

export function nops(count: number): number[] {
  return Array.from({ length: count }, () => opcode.nop);
}

/** `global.set`, with the deepest tree of cells that may be made from here on. */
export function setDepth(depth: number): number[] {
  return [opcode.i32, ...signed(depth), opcode.setGlobal, globals.depth];
}
