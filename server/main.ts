#!/usr/bin/env node
// Loads the program, which comes second so that the flags hold for all of it.
import { setFlagsFromString } from "node:v8";
import { engineFlags } from "./process/engine-flags.js";

// To fill an index at full speed would take a fifth to a third more processor time with a small heap, and saves 100 MB.
const filling = ["index", "backfill", "redetect", "reindex-tokens", "reclassify"];
const isFilling = filling.includes(process.argv[2] ?? "");
for (const flag of engineFlags)
  if (!(isFilling && flag.startsWith("--heap-growing"))) setFlagsFromString(flag);
await import("./program.js");
