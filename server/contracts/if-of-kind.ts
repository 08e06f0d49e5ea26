import { ifSuch } from "../../shared/ton/contracts/get-method.js";
import { RunError } from "../../shared/ton/run/run-error.js";
import { StackError } from "../../shared/ton/tvm/stack.js";
import { ExecutorError } from "../chain/executor/executor-error.js";

/** The value read from a contract; `undefined` if it is of another kind or cannot be run. */
export async function ifOfKind<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await ifSuch(reading);
  } catch (error) {
    if (error instanceof StackError || error instanceof RunError) return undefined;
    if (isOfContract(error)) return undefined;
    throw error;
  }
}

/** Whether a run failed because of the contract itself, so that it would fail again. */
function isOfContract(error: unknown): boolean {
  if (!(error instanceof ExecutorError)) return false;
  return error.code === "invalid" || error.code === "timeout" || error.brokeEmulator;
}
