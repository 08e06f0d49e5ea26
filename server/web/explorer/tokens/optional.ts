import { isRpcError } from "../../../../client/errors.js";
import { type StackItem, stack } from "../../../../client/values/stack.js";
import type { ViewContext } from "../view.js";

/** The answer of a call that a view can do without; `undefined` if it is refused. */
export async function optional<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isRpcError(error, "aborted")) throw error;
    // The view shows less.
    return undefined;
  }
}

/** Values that a get-method returns; `undefined` if it fails, or the contract has none of this name. */
export async function valuesOf(
  { call }: Pick<ViewContext, "call">,
  address: string,
  method: string,
): Promise<readonly StackItem[] | undefined> {
  const answer = await optional(call("runGetMethod", { address, method, stack: [] }));
  return answer && (answer.exit_code === 0 || answer.exit_code === 1)
    ? stack.decode(answer.stack)
    : undefined;
}
