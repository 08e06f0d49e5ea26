import { Executor } from "../../../server/chain/executor/executor.js";

let executor: Promise<Executor> | undefined;

/** One executor for all chains of a worker: each has an emulator of its own, which takes some time to make. */
export function sharedExecutor(): Promise<Executor> {
  executor ??= Executor.create();
  return executor;
}
