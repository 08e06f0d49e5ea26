import type { BlockTree } from "./block-tree.js";
import type { ContractLookups } from "./contracts.js";

/** Changes the blocks once all matchers have run. A throw fails the classification of the trace. */
export type AfterPass = (tree: BlockTree, contracts: ContractLookups) => void;

/** In this order; first the pairing of dedust deposits, then of dedust v2 deposits. */
export const afterPasses: readonly AfterPass[] = [];
