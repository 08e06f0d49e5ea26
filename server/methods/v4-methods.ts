import { implement } from "../rpc/bind.js";
import { type ArtifactView, asSeen } from "./artifact-view.js";
import { type ChainState, chainRules } from "./chain-rules.js";
import { type V4AccountDeps, v4AccountHandlers } from "./v4/accounts.js";
import { type V4BlockDeps, v4BlockHandlers } from "./v4/blocks.js";
import { type V4TransactionDeps, v4TransactionHandlers } from "./v4/transactions.js";

type V4Deps = V4AccountDeps & V4BlockDeps & V4TransactionDeps & ArtifactView & ChainState;

/** The methods `v4.*`, which clients of API v4 call. */
export function v4Implementations(deps: V4Deps) {
  const handlers = { ...v4BlockHandlers, ...v4AccountHandlers, ...v4TransactionHandlers };
  return implement(handlers, deps, { ...chainRules(deps), depsOf: asSeen(deps) });
}
