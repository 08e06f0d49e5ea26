import { accountStates, contractCodes, contractMethods, latestAccountStates } from "./tables/accounts.js";
import { actionAccounts, actionLocator, actions } from "./tables/actions.js";
import { blocks, shardState } from "./tables/blocks.js";
import type { ContractTable } from "./tables/contract-columns.js";
import { dexPools } from "./tables/dex-pools.js";
import {
  accountSlots,
  accountTraces,
  blockLocator,
  bodySlots,
  msgLocator,
  opcodeSlots,
  shardSlots,
  txLocator,
} from "./tables/directories.js";
import { dnsEntries } from "./tables/dns.js";
import { jettonMasters, jettonWallets, mintlessJettonMasters } from "./tables/jettons.js";
import { marketplaceNames } from "./tables/marketplaces.js";
import { messageContents, messages } from "./tables/messages.js";
import { addressMetadata, addressMetadataFlags } from "./tables/metadata.js";
import { multisigOrders, multisigs } from "./tables/multisig.js";
import { nftAuctions, nftCollections, nftItems, nftSales } from "./tables/nfts.js";
import {
  nominatorPoolEvents,
  nominatorPools,
  nominatorPoolValidatorEvents,
  unreplayedPools,
} from "./tables/nominator-pools.js";
import { awaitedContracts, recognitionQueue } from "./tables/recognition.js";
import { telemintItems } from "./tables/telemint.js";
import { jettonBurns, jettonTransfers, nftTransfers, tokenSlots } from "./tables/token-events.js";
import { openEdges, traces } from "./tables/traces.js";
import { transactions } from "./tables/transactions.js";
import { unknownContracts } from "./tables/unknown-contracts.js";
import {
  validatorComplaints,
  validatorCycleMembers,
  validatorCycles,
  validatorElectionParticipants,
  validatorElections,
  validatorEvents,
} from "./tables/validators.js";
import { vestingContracts } from "./tables/vesting.js";

/** Every table that holds data of the chain and of its tokens, in the order in which a transaction writes them. */
export const tables = {
  blocks,
  blockLocator,
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
