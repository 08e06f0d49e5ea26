import { implement } from "../rpc/bind.js";
import { type ArtifactView, asSeen } from "./artifact-view.js";
import { type ChainState, chainRules } from "./chain-rules.js";
import { type AccountDeps, accountHandlers } from "./v2/accounts.js";
import { type BlockDeps, blockHandlers } from "./v2/blocks.js";
import { type ConfigDeps, configHandlers } from "./v2/config.js";
import { dnsHandlers } from "./v2/dns.js";
import { type FeeDeps, feeHandlers } from "./v2/fees.js";
import { type RunMethodDeps, runMethodHandlers } from "./v2/run-method.js";
import { type SendDeps, sendHandlers } from "./v2/send.js";
import { type TokenDeps, tokenHandlers } from "./v2/tokens.js";
import { type TransactionDeps, transactionHandlers } from "./v2/transactions.js";
import { utilHandlers } from "./v2/utils.js";

type V2Deps = AccountDeps &
  BlockDeps &
  ConfigDeps &
  FeeDeps &
  RunMethodDeps &
  SendDeps &
  TokenDeps &
  TransactionDeps &
  ArtifactView &
  ChainState;

/** The methods of the v2 interface, group by group. */
export function v2Implementations(deps: V2Deps) {
  const ofChain = {
    ...accountHandlers,
    ...blockHandlers,
    ...transactionHandlers,
    ...configHandlers,
    ...runMethodHandlers,
    ...tokenHandlers,
    ...dnsHandlers,
    ...feeHandlers,
    ...sendHandlers,
  };
  return {
    ...implement(ofChain, deps, { ...chainRules(deps), depsOf: asSeen(deps) }),
    ...implement(utilHandlers, undefined),
  };
}
