#!/usr/bin/env node
// Loads the program, which comes second so that its code need not be compiled again at each start.
import { setFlagsFromString } from "node:v8";
import { keepCompiledCode } from "./process/compiled-code.js";

// One thread at a time optimizes WebAssembly: each takes tens of megabytes for it, which the C library keeps for that thread.
setFlagsFromString("--wasm-num-compilation-tasks=1");
// A heap grows by half before it is collected, and full collections take 1 to 3% of the time of a service. Where memory is plentiful,
// V8 lets a heap grow to three times what is live: 150 MB more under mixed calls. To fill an index at full speed would take a
// fifth to a third more processor time so, and saves 100 MB.
const filling = ["index", "backfill", "redetect", "reindex-tokens", "reclassify"];
if (!filling.includes(process.argv[2] ?? "")) setFlagsFromString("--heap-growing-percent=50");
keepCompiledCode(process.env, process.argv);
await import("./program.js");
