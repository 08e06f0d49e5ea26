// Get-methods in a browser or a worker. The application serves two files of the package, `emulator.wasm` and `emulator.cjs`
// (LGPL, so they are no part of its bundle): the second as a classic script that defines `EmulatorModule`, by `<script src>`
// or `importScripts`. A content security policy allows them by `script-src 'self' 'wasm-unsafe-eval'`.
export type { EmulatorScript, EmulatorWasm } from "./emulator-files.js";
export { Tvm, type TvmContract, type TvmFiles, type TvmResult, type TvmRun } from "./tvm.js";
export { TvmError } from "./tvm-error.js";
