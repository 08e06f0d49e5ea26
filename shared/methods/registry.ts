import type { Definitions } from "./define.js";
import { devnetMethods } from "./devnet.js";
import { liteMethods } from "./lite.js";
import { rpcMethods } from "./rpc.js";
import { subscriptionMethods } from "./subscriptions.js";
import { accountMethods } from "./v2/accounts.js";
import { blockMethods } from "./v2/blocks.js";
import { configMethods } from "./v2/config.js";
import { dnsMethods } from "./v2/dns.js";
import { feeMethods } from "./v2/fees.js";
import { runMethodMethods } from "./v2/run-method.js";
import { sendMethods } from "./v2/send.js";
import { tokenMethods } from "./v2/tokens.js";
import { transactionMethods } from "./v2/transactions.js";
import { utilMethods } from "./v2/utils.js";
import { accountMethods as v3AccountMethods } from "./v3/accounts.js";
import { actionMethods as v3ActionMethods } from "./v3/actions.js";
import { actonMethods as v3ActonMethods } from "./v3/acton.js";
import { artifactMethods as v3ArtifactMethods } from "./v3/artifacts.js";
import { balanceMethods as v3BalanceMethods } from "./v3/balances.js";
import { blockchainMethods as v3BlockchainMethods } from "./v3/blockchain.js";
import { debugMethods as v3DebugMethods } from "./v3/debug.js";
import { debugRunMethods as v3DebugRunMethods } from "./v3/debug-runs.js";
import { debugStateMethods as v3DebugStateMethods } from "./v3/debug-state.js";
import { dnsMethods as v3DnsMethods } from "./v3/dns.js";
import { emulateMethods as v3EmulateMethods } from "./v3/emulate.js";
import { hourlyMethods as v3HourlyMethods } from "./v3/hourly.js";
import { jettonMethods as v3JettonMethods } from "./v3/jettons.js";
import { legacyMethods as v3LegacyMethods } from "./v3/legacy.js";
import { messageStatusMethods as v3MessageStatusMethods } from "./v3/message-status.js";
import { multisigMethods as v3MultisigMethods } from "./v3/multisig.js";
import { nftMethods as v3NftMethods } from "./v3/nfts.js";
import { pendingMethods as v3PendingMethods } from "./v3/pending.js";
import { searchMethods as v3SearchMethods } from "./v3/search.js";
import { stakingMethods as v3StakingMethods } from "./v3/staking.js";
import { statMethods as v3StatMethods } from "./v3/stats.js";
import { supplyMethods as v3SupplyMethods } from "./v3/supply.js";
import { traceMethods as v3TraceMethods } from "./v3/traces.js";
import { utilMethods as v3UtilMethods } from "./v3/utils.js";
import { validatorMethods as v3ValidatorMethods } from "./v3/validators.js";
import { vestingMethods as v3VestingMethods } from "./v3/vesting.js";
import { webhookMethods as v3WebhookMethods } from "./v3/webhooks.js";
import { v4AccountMethods } from "./v4/accounts.js";
import { v4BlockMethods } from "./v4/blocks.js";
import { v4TransactionMethods } from "./v4/transactions.js";

const v3 = {
  ...v3AccountMethods,
  ...v3BalanceMethods,
  ...v3BlockchainMethods,
  ...v3ActionMethods,
  ...v3TraceMethods,
  ...v3PendingMethods,
  ...v3MessageStatusMethods,
  ...v3EmulateMethods,
  ...v3StatMethods,
  ...v3SupplyMethods,
  ...v3HourlyMethods,
  ...v3JettonMethods,
  ...v3NftMethods,
  ...v3DnsMethods,
  ...v3MultisigMethods,
  ...v3VestingMethods,
  ...v3StakingMethods,
  ...v3ValidatorMethods,
  ...v3SearchMethods,
  ...v3UtilMethods,
  debug: {
    artifacts: v3ArtifactMethods,
    ...v3DebugRunMethods,
    ...v3DebugStateMethods,
    ...v3DebugMethods.debug,
  },
  ...v3LegacyMethods,
  acton: v3ActonMethods,
  webhooks: v3WebhookMethods,
};

const v4 = { ...v4BlockMethods, ...v4AccountMethods, ...v4TransactionMethods };

/**
 * Every method of the service by its JSON-RPC name: v2 methods at the top level, the others in `v3`, `v4`, `devnet` and
 * `rpc`. REST routes, documents, client types and tests are derived from this object.
 */
export const registry = {
  ...accountMethods,
  ...blockMethods,
  ...transactionMethods,
  ...configMethods,
  ...runMethodMethods,
  ...tokenMethods,
  ...dnsMethods,
  ...feeMethods,
  ...sendMethods,
  ...utilMethods,
  v3,
  v4,
  lite: liteMethods,
  devnet: devnetMethods,
  ...subscriptionMethods,
  rpc: rpcMethods,
} satisfies Definitions;

export type Registry = typeof registry;
