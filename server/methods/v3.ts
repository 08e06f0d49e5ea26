import { accountMethods } from "../../shared/methods/v3/accounts.js";
import { blockchainMethods } from "../../shared/methods/v3/blockchain.js";
import { legacyMethods } from "../../shared/methods/v3/legacy.js";
import { pendingMethods } from "../../shared/methods/v3/pending.js";
import { statMethods } from "../../shared/methods/v3/stats.js";
import { traceMethods } from "../../shared/methods/v3/traces.js";
import { utilMethods } from "../../shared/methods/v3/utils.js";
import { implement } from "../rpc/bind.js";
import { accountHandlers } from "./v3/accounts.js";
import { blockchainHandlers } from "./v3/blockchain.js";
import { type LegacyDeps, legacyHandlers } from "./v3/legacy.js";
import { type PendingDeps, pendingHandlers } from "./v3/pending.js";
import { statHandlers } from "./v3/stats.js";
import { traceHandlers } from "./v3/traces.js";
import { utilHandlers } from "./v3/utils.js";

/** The methods of the v3 interface: those that do without the chain, and those that read it or send to it. */
export function v3Implementations(deps: PendingDeps & LegacyDeps) {
  return {
    ofIndex: {
      ...implement(accountMethods, accountHandlers, deps),
      ...implement(blockchainMethods, blockchainHandlers, deps),
      ...implement(traceMethods, traceHandlers, deps),
      ...implement(statMethods, statHandlers, deps),
      ...implement(utilMethods, utilHandlers, undefined),
    },
    ofChain: {
      ...implement(pendingMethods, pendingHandlers, deps),
      ...implement(legacyMethods, legacyHandlers, deps),
    },
  };
}
