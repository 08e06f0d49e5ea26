import type { ViewContext } from "../view.js";
import type { Account } from "./contract.js";

/** Shows a contract by its ABI, with a script that is loaded for the first one. */
export async function showContract(
  context: ViewContext,
  place: HTMLElement,
  account: Account,
): Promise<void> {
  const loaded = await import("./contract.js");
  loaded.showContract(context, place, account);
}
