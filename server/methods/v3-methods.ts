import { ServiceError } from "../errors.js";
import type { IndexDeps } from "../present/v3/answer-extras.js";
import type { PendingDeps } from "../present/v3/pending-traces.js";
import { implement } from "../rpc/bind.js";
import { type ArtifactView, asSeen, asVouched } from "./artifact-view.js";
import { type ChainState, chainRules } from "./chain-rules.js";
import { accountHandlers } from "./v3/accounts.js";
import { actionHandlers } from "./v3/actions.js";
import { type ActonDeps, actonHandlers, actonRunHandlers } from "./v3/acton.js";
import { type ArtifactDeps, artifactHandlers } from "./v3/artifacts.js";
import { balanceHandlers } from "./v3/balances.js";
import { blockchainHandlers, type GapDeps } from "./v3/blockchain.js";
import { type DebugDeps, debugHandlers } from "./v3/debug.js";
import { type DebugRunDeps, debugRunHandlers } from "./v3/debug-runs.js";
import { type DebugStateDeps, debugStateHandlers } from "./v3/debug-state.js";
import { dnsHandlers } from "./v3/dns.js";
import { type EmulateDeps, emulateHandlers } from "./v3/emulate.js";
import type { TokenDeps } from "./v3/found-tokens.js";
import { hourlyHandlers } from "./v3/hourly.js";
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
import { type UtilDeps, utilHandlers } from "./v3/utils.js";
import { validatorHandlers } from "./v3/validators.js";
import { vestingHandlers } from "./v3/vesting.js";
import { type WebhookDeps, webhookHandlers } from "./v3/webhooks.js";

type V3Deps = LegacyDeps &
  DebugDeps &
  DebugRunDeps &
  DebugStateDeps &
  IndexDeps &
  GapDeps &
  EmulateDeps &
  MessageStatusDeps &
  SupplyDeps &
  UtilDeps &
  ActonDeps &
  WebhookDeps &
  ArtifactDeps &
  TokenDeps &
  ArtifactView &
  ChainState & {
    /** Absent if messages are not emulated. */
    pending: PendingDeps["pending"] | undefined;
  };

/** The methods of the v3 interface, group by group. */
export function v3Implementations(deps: V3Deps) {
  const { pending = noPending } = deps;
  const { refusal, errorOf } = chainRules(deps);
  const pendingDeps = { ...deps, pending };
  const depsOf = asSeen(deps);
  const { debug } = implement(debugHandlers, deps, { errorOf, depsOf });
  const ofIndex = {
    ...accountHandlers,
    ...balanceHandlers,
    ...blockchainHandlers,
    ...actionHandlers,
    ...traceHandlers,
    ...jettonHandlers,
    ...nftHandlers,
    ...dnsHandlers,
    ...multisigHandlers,
    ...vestingHandlers,
    ...stakingHandlers,
    ...validatorHandlers,
    ...statHandlers,
    ...searchHandlers,
    ...hourlyHandlers,
    ...utilHandlers,
    webhooks: webhookHandlers,
  };
  return {
    ...implement(ofIndex, deps, { depsOf }),
    // Answers from the index while the chain is unavailable.
    ...implement(messageStatusHandlers, deps, { errorOf, depsOf }),
    // They choose the texts and statuses of the chain's errors themselves.
    ...implement({ ...emulateHandlers, ...legacyHandlers }, deps, { refusal, depsOf }),
    debug: {
      ...debug,
      ...implement({ ...debugRunHandlers, ...debugStateHandlers }, deps, { refusal, errorOf, depsOf }),
      artifacts: implement(artifactHandlers, deps),
    },
    ...implement({ ...pendingHandlers, ...supplyHandlers }, pendingDeps, {
      ...{ refusal, errorOf },
      depsOf: asSeen(pendingDeps),
    }),
    // Answers in the form of Acton's API do not say whose a contract is.
    acton: {
      ...implement(actonHandlers, deps, { depsOf: asVouched(deps) }),
      ...implement(actonRunHandlers, deps, { refusal, depsOf: asVouched(deps) }),
    },
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
