#!/usr/bin/env node
// Loads the program, which comes second so that its code need not be compiled again at each start.
import { setFlagsFromString } from "node:v8";
import { useCompileCache } from "./process/compile-cache.js";
import { engineFlags } from "./process/engine-flags.js";

// To fill an index at full speed would take a fifth to a third more processor time with a small heap, and saves 100 MB.
const filling = ["index", "backfill", "redetect", "reindex-tokens", "reclassify"];
const isFilling = filling.includes(process.argv[2] ?? "");
for (const flag of engineFlags)
  if (!(isFilling && flag.startsWith("--heap-growing"))) setFlagsFromString(flag);
useCompileCache(process.env, process.argv);
await import("./program.js");
