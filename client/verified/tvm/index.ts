export type {
  DebuggedTransaction,
  DebugTransactionParams,
  FindParams,
  ProfileParams,
  ProvenRun,
  StateParams,
  StepsParams,
} from "../debug/types.js";
export {
  type EmulatorScript,
  type EmulatorWasm,
  emulatorAt,
  type TvmOptions,
} from "../executor/emulator-script.js";
export { TvmError } from "../executor/tvm-error.js";
export type { JettonBalanceParams, NftOwnerParams, ResolveDomainParams } from "../executor/tvm-reads.js";
export { type TvmClient, withTvm } from "./with-tvm.js";
