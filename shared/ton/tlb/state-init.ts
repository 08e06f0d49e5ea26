// tick_tock$_ tick:Bool tock:Bool = TickTock;
// simple_lib$_ public:Bool root:^Cell = SimpleLib;
// _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock)
//   code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(HashmapE 256 SimpleLib) = StateInitWithLibs;

import type { Cell } from "../cells/cell.js";
import { bytesKey } from "../cells/dictionaries/dictionary.js";
import type { Decoded } from "./codec.js";
import { hashmapE } from "./dictionaries.js";
import { bool, cellRef, maybe, uint } from "./primitives.js";
import { record } from "./record.js";

/** Whether a special masterchain account runs before (tick) and after (tock) the other transactions of each block. */
export type TickTock = Decoded<typeof TickTock>;
export const TickTock = record("tick_tock$_", { tick: bool, tock: bool });

const SimpleLib = record("simple_lib$_", { public: bool, root: cellRef });

const library = hashmapE(bytesKey(32), SimpleLib);

/** `fixedPrefixLength` was formerly named split_depth. `library` is keyed by hash. */
export type StateInit = Decoded<typeof StateInit>;
export const StateInit = record("StateInit", {
  fixedPrefixLength: maybe(uint(5)),
  special: maybe(TickTock),
  code: maybe(cellRef),
  data: maybe(cellRef),
  library,
});

/** StateInit of an ordinary contract. */
export function stateInitOf(code: Cell, data: Cell): StateInit {
  return { fixedPrefixLength: undefined, special: undefined, code, data, library: library.empty };
}
