import { type StackItem, stack } from "../../../../client/values/stack.js";
import { optional } from "../parts/optional.js";
import type { ViewContext } from "../view.js";

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
