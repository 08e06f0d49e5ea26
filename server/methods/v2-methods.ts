import { mapHandlers } from "../../shared/methods/define.js";
import { accountMethods } from "../../shared/methods/v2/accounts.js";
import { blockMethods } from "../../shared/methods/v2/blocks.js";
import { configMethods } from "../../shared/methods/v2/config.js";
import { dnsMethods } from "../../shared/methods/v2/dns.js";
import { feeMethods } from "../../shared/methods/v2/fees.js";
import { runMethodMethods } from "../../shared/methods/v2/run-method.js";
import { sendMethods } from "../../shared/methods/v2/send.js";
import { tokenMethods } from "../../shared/methods/v2/tokens.js";
import { transactionMethods } from "../../shared/methods/v2/transactions.js";
import { utilMethods } from "../../shared/methods/v2/utils.js";
import { implement } from "../rpc/bind.js";
import { refuseWhile } from "./handler-wraps.js";
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
  TransactionDeps & {
    /** While it returns a reason, methods that use the chain answer `unavailable` with it. */
    chainUnavailableReason(): string | undefined;
  };

/** The methods of the v2 interface, group by group. */
export function v2Implementations(deps: V2Deps) {
  const ofChain = {
    ...implement(accountMethods, accountHandlers, deps),
    ...implement(blockMethods, blockHandlers, deps),
    ...implement(transactionMethods, transactionHandlers, deps),
    ...implement(configMethods, configHandlers, deps),
    ...implement(runMethodMethods, runMethodHandlers, deps),
    ...implement(tokenMethods, tokenHandlers, deps),
    ...implement(dnsMethods, dnsHandlers, deps),
    ...implement(feeMethods, feeHandlers, deps),
    ...implement(sendMethods, sendHandlers, deps),
  };
  return {
    ...mapHandlers(ofChain, refuseWhile(deps.chainUnavailableReason)),
    ...implement(utilMethods, utilHandlers, undefined),
  };
}
