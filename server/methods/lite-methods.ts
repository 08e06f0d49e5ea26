import { implement } from "../rpc/bind.js";
import { type ChainState, chainRules } from "./chain-rules.js";
import { type LiteDeps, liteHandlers } from "./lite/query.js";

/** The methods `lite.*`, which answer errors of liteservers as liteservers do. */
export function liteImplementations(deps: LiteDeps & ChainState) {
  const { refusal } = chainRules(deps);
  return implement(liteHandlers, deps, { refusal });
}
