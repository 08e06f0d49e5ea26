import type { Table } from "../declare/table.js";
import {
  type accountKinds,
  accountStates,
  contractCodes,
  contractMethods,
  latestAccountStates,
} from "./accounts.js";
import { actionAccounts, actionLocator, actions } from "./actions.js";
import { blockHours, blocks, shardState } from "./blocks.js";
import type { ContractTable } from "./contract-columns.js";
import { dexPools } from "./dex-pools.js";
import {
  accountSlots,
  accountTraces,
  blockLocator,
  bodySlots,
  msgLocator,
  opcodeSlots,
  shardSlots,
  txLocator,
} from "./directories.js";
import { dnsEntries } from "./dns.js";
import { jettonMasters, jettonWallets, mintlessJettonMasters } from "./jettons.js";
import { marketplaceNames } from "./marketplaces.js";
import { messageContents, messages } from "./messages.js";
import { addressMetadata, addressMetadataFlags } from "./metadata.js";
import { multisigOrders, multisigs } from "./multisig.js";
import { nftAuctions, nftCollections, nftItems, nftSales } from "./nfts.js";
import {
  nominatorPoolEvents,
  nominatorPools,
  nominatorPoolValidatorEvents,
  unreplayedPools,
} from "./nominator-pools.js";
import { awaitedContracts, recognitionQueue } from "./recognition.js";
import { telemintItems } from "./telemint.js";
import { jettonBurns, jettonTransfers, nftTransfers, tokenSlots } from "./token-events.js";
import { openEdges, traces } from "./traces.js";
import { transactions } from "./transactions.js";
import { unknownContracts } from "./unknown-contracts.js";
import {
  validatorComplaints,
  validatorCycleMembers,
  validatorCycles,
  validatorElectionParticipants,
  validatorElections,
  validatorEvents,
} from "./validators.js";
import { vestingContracts } from "./vesting.js";

/** Every table that holds data of the chain and of its tokens, in the order in which a transaction writes them. */
export const tables = {
  blocks,
  blockLocator,
  blockHours,
  shardState,
  transactions,
  txLocator,
  messages,
  msgLocator,
  accountSlots,
  opcodeSlots,
  bodySlots,
  shardSlots,
  messageContents,
  accountStates,
  contractMethods,
  contractCodes,
  latestAccountStates,
  traces,
  accountTraces,
  openEdges,
  jettonMasters,
  jettonWallets,
  mintlessJettonMasters,
  nftCollections,
  nftItems,
  nftSales,
  nftAuctions,
  telemintItems,
  dexPools,
  jettonTransfers,
  jettonBurns,
  nftTransfers,
  tokenSlots,
  actions,
  actionAccounts,
  actionLocator,
  unknownContracts,
  recognitionQueue,
  awaitedContracts,
  dnsEntries,
  multisigs,
  multisigOrders,
  vestingContracts,
  addressMetadata,
  addressMetadataFlags,
  marketplaceNames,
  validatorEvents,
  validatorElections,
  validatorElectionParticipants,
  validatorCycles,
  validatorCycleMembers,
  validatorComplaints,
  nominatorPools,
  nominatorPoolEvents,
  nominatorPoolValidatorEvents,
  unreplayedPools,
} as const;

/**
 * Whether account_kinds of a divided index has no rows of a kind. The table of this kind is divided, so the shard of an account
 * tells whether the account has a row there.
 */
export function isUnnoted(kind: (typeof accountKinds)[number]): boolean {
  return Object.values<Table>(tables).some(({ name, divideBy }) => name === kind && divideBy !== undefined);
}

/** The tables of contracts that are recognised by their get-methods. */
export const contractTables: readonly ContractTable[] = [
  jettonMasters,
  jettonWallets,
  nftCollections,
  nftItems,
  nftSales,
  nftAuctions,
  telemintItems,
  dnsEntries,
  multisigs,
  multisigOrders,
  vestingContracts,
  dexPools,
  nominatorPools,
];
