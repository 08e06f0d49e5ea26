#!/usr/bin/env node
// Loads the program, which comes second so that its code need not be compiled again at each start.
import { keepCompiledCode } from "./process/compiled-code.js";

keepCompiledCode(process.env, process.argv);
await import("./program.js");
