import type { BlockTree } from "./block-tree.js";
import type { ContractLookups } from "./contracts.js";

/** Modifies the blocks once all matchers have run. A throw fails the classification of the trace. */
export type AfterPass = (tree: BlockTree, contracts: ContractLookups) => void;
