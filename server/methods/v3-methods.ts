import { mapHandlers } from "../../shared/methods/define.js";
import { accountMethods } from "../../shared/methods/v3/accounts.js";
import { actionMethods } from "../../shared/methods/v3/actions.js";
import { balanceMethods } from "../../shared/methods/v3/balances.js";
import { blockchainMethods } from "../../shared/methods/v3/blockchain.js";
import { dnsMethods } from "../../shared/methods/v3/dns.js";
import { emulateMethods } from "../../shared/methods/v3/emulate.js";
import { hourlyMethods } from "../../shared/methods/v3/hourly.js";
import { jettonMethods } from "../../shared/methods/v3/jettons.js";
import { legacyMethods } from "../../shared/methods/v3/legacy.js";
import { messageStatusMethods } from "../../shared/methods/v3/message-status.js";
import { multisigMethods } from "../../shared/methods/v3/multisig.js";
import { nftMethods } from "../../shared/methods/v3/nfts.js";
import { pendingMethods } from "../../shared/methods/v3/pending.js";
import { searchMethods } from "../../shared/methods/v3/search.js";
import { stakingMethods } from "../../shared/methods/v3/staking.js";
import { statMethods } from "../../shared/methods/v3/stats.js";
import { supplyMethods } from "../../shared/methods/v3/supply.js";
import { traceMethods } from "../../shared/methods/v3/traces.js";
import { utilMethods } from "../../shared/methods/v3/utils.js";
import { validatorMethods } from "../../shared/methods/v3/validators.js";
import { vestingMethods } from "../../shared/methods/v3/vesting.js";
import { webhookMethods } from "../../shared/methods/v3/webhooks.js";
import { ServiceError } from "../errors.js";
import type { IndexDeps } from "../present/v3/index-deps.js";
import type { PendingDeps } from "../present/v3/pending-traces.js";
import { implement } from "../rpc/bind.js";
import { refuseWhile } from "./handler-wraps.js";
import { mapChainErrors } from "./v2/lite-errors.js";
import { accountHandlers } from "./v3/accounts.js";
import { actionHandlers } from "./v3/actions.js";
import { balanceHandlers } from "./v3/balances.js";
import { blockchainHandlers, type GapDeps } from "./v3/blockchain.js";
import { dnsHandlers } from "./v3/dns.js";
import { type EmulateDeps, emulateHandlers } from "./v3/emulate.js";
import { type HourlyDeps, hourlyHandlers } from "./v3/hourly.js";
import { jettonHandlers } from "./v3/jettons.js";
import { type LegacyDeps, legacyHandlers } from "./v3/legacy.js";
import { type MessageStatusDeps, messageStatusHandlers } from "./v3/message-status.js";
import { multisigHandlers } from "./v3/multisig.js";
import { nftHandlers } from "./v3/nfts.js";
import { pendingHandlers } from "./v3/pending.js";
import { searchHandlers } from "./v3/search.js";
import { stakingHandlers } from "./v3/staking.js";
import { statHandlers } from "./v3/stats.js";
import { type SupplyDeps, supplyHandlers } from "./v3/supply.js";
import { traceHandlers } from "./v3/traces.js";
import { utilHandlers } from "./v3/utils.js";
import { validatorHandlers } from "./v3/validators.js";
import { vestingHandlers } from "./v3/vesting.js";
import { type WebhookDeps, webhookHandlers } from "./v3/webhooks.js";

type V3Deps = LegacyDeps &
  IndexDeps &
  GapDeps &
  EmulateDeps &
  MessageStatusDeps &
  SupplyDeps &
  HourlyDeps &
  WebhookDeps & {
    /** Absent if messages are not emulated. */
    pending: PendingDeps["pending"] | undefined;
    /** While it returns a reason, methods that use the chain answer `unavailable` with it. */
    chainUnavailableReason(): string | undefined;
  };

/** The methods of the v3 interface, group by group. */
export function v3Implementations(deps: V3Deps) {
  const { pending = noPending } = deps;
  const ofChain = {
    ...implement(pendingMethods, mapChainErrors(pendingHandlers), { ...deps, pending }),
    ...implement(emulateMethods, emulateHandlers, deps),
    ...implement(legacyMethods, legacyHandlers, deps),
    ...implement(supplyMethods, mapChainErrors(supplyHandlers), deps),
  };
  return {
    ...implement(accountMethods, accountHandlers, deps),
    ...implement(balanceMethods, balanceHandlers, deps),
    ...implement(blockchainMethods, blockchainHandlers, deps),
    ...implement(actionMethods, actionHandlers, deps),
    ...implement(traceMethods, traceHandlers, deps),
    ...implement(messageStatusMethods, mapChainErrors(messageStatusHandlers), deps),
    ...implement(jettonMethods, jettonHandlers, deps),
    ...implement(nftMethods, nftHandlers, deps),
    ...implement(dnsMethods, dnsHandlers, deps),
    ...implement(multisigMethods, multisigHandlers, deps),
    ...implement(vestingMethods, vestingHandlers, deps),
    ...implement(stakingMethods, stakingHandlers, deps),
    ...implement(validatorMethods, validatorHandlers, deps),
    ...implement(statMethods, statHandlers, deps),
    ...implement(searchMethods, searchHandlers, deps),
    ...implement(hourlyMethods, hourlyHandlers, deps),
    ...implement(utilMethods, utilHandlers, undefined),
    webhooks: implement(webhookMethods, webhookHandlers, deps),
    ...mapHandlers(ofChain, refuseWhile(deps.chainUnavailableReason)),
  };
}

/** TON Center's answer if messages are not emulated. */
const noPending: PendingDeps["pending"] = {
  messages: () =>
    Promise.reject(
      new ServiceError("conflict", "emulatedTracesRepository is not initialized", { status: 500 }),
    ),
  end: () => {},
  traces: () => Promise.resolve([]),
  actions: () => Promise.resolve([]),
};
