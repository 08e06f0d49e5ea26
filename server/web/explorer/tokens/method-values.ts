import { type StackItem, stack } from "../../../../client/values/stack.js";
import { hasSucceeded } from "../../../../shared/values/exit-codes/kinds.js";
import { optional } from "../parts/optional.js";
import type { ViewContext } from "../view.js";

/** Values that a get-method returns; `undefined` if it fails, or the contract has none of this name. */
export async function valuesOf(
  { call }: Pick<ViewContext, "call">,
  address: string,
  method: string,
): Promise<readonly StackItem[] | undefined> {
  const answer = await optional(call("runGetMethod", { address, method, stack: [] }));
  return answer && hasSucceeded(answer.exit_code) ? stack.decode(answer.stack) : undefined;
}
