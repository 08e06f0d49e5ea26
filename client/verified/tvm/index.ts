// Get-methods in a browser or a worker. The application serves two files, `emulator.wasm` and `emulator.cjs` (LGPL, so they are
// no part of its bundle). A content security policy allows them by `script-src 'self' 'wasm-unsafe-eval'`.
export type { EmulatorScript, EmulatorWasm } from "./emulator-files.js";
export type { TvmOptions } from "./emulator-script.js";
export { Tvm, type TvmContract, type TvmFiles, type TvmResult, type TvmRun } from "./tvm.js";
export { TvmError } from "./tvm-error.js";
export type { JettonBalanceParams, NftOwnerParams, ResolveDomainParams } from "./tvm-methods.js";
export { type TvmClient, withTvm } from "./with-tvm.js";
