import { keptCode } from "../../server/process/engine-flags.js";

/**
 * V8 optimizes a WebAssembly function once it has executed so many of its bytes, 13 million by default. Each thread of a test compiles
 * its own module of PGlite or of the emulator, and optimizing them took a third of the processor time of a devnet with an index. Tests
 * seldom run such a function long enough to gain it back: only functions that stay hot are optimized.
 */
export const v8Flags = [keptCode, "--wasm-tiering-budget=400000000"];
