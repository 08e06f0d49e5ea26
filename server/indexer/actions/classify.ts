import { itemAt } from "../../../shared/values/lookups.js";
import type { Action, Classification } from "./action.js";
import type { AfterPass } from "./after-pass.js";
import { LeftForLater, StepBudget } from "./attempt.js";
import { BlockTree } from "./block-tree.js";
import type { ContractLookups } from "./contracts.js";
import { rowsOfFailedExternal } from "./external-fallback.js";
import { pairDedustDeposits } from "./families/dedust-deposits.js";
import { pairDedustV2Deposits } from "./families/dedust-v2-deposits.js";
import { type Matcher, runPass } from "./matcher.js";
import { matchers } from "./matchers.js";
import { nodesOf } from "./node.js";
import type { Recorder } from "./recorder.js";
import { rowsOf, unknownAction } from "./rows.js";
import type { Trace } from "./trace.js";

/** Larger traces are not classified. */
export const maxTransactions = 4000;
/** Large traces of mainnet take a few thousand. */
const maxSteps = 2_000_000;

/** In this order. */
export const afterPasses: readonly AfterPass[] = [pairDedustDeposits, pairDedustV2Deposits];

export type ClassifyOptions = {
  /** Records the result of matchers for each block. */
  readonly recorder?: Recorder;
  /** Matchers to run; all by default. */
  readonly matchers?: readonly Matcher[];
  readonly afterPasses?: readonly AfterPass[];
  /** Whether the trace has taken too long and must be deferred. */
  readonly isOver?: (() => boolean) | undefined;
};

/**
 * Derives the actions of a trace in bounded time, without throwing. Contracts missing from `contracts` count as unknown
 * and are recorded there: load them and classify again for the final answer (`classifyWithLookups`).
 */
export function classify(
  trace: Trace,
  contracts: ContractLookups,
  options: ClassifyOptions = {},
): Classification {
  const { transactions } = trace;
  if (transactions.length > maxTransactions)
    return { state: "failed", actions: [], error: new RangeError("the trace has too many transactions") };
  if (transactions.length === 1 && itemAt(transactions, 0).isTickTock) return { state: "ok", actions: [] };
  try {
    const { actions, isBroken } = rowsOf(matched(trace, contracts, options), trace);
    if (actions.length > 0) return { state: isBroken ? "broken" : "ok", actions };
    return { state: "ok", actions: withoutRows(trace, contracts) };
  } catch (error) {
    if (error instanceof LeftForLater) return { state: "unclassified", actions: basicActions(trace) };
    return { state: "failed", actions: basicActions(trace), error };
  }
}

function matched(trace: Trace, contracts: ContractLookups, options: ClassifyOptions): BlockTree {
  const tree = new BlockTree(nodesOf(trace));
  options.recorder?.began(tree);
  const pass = {
    tree,
    contracts,
    budget: new StepBudget(maxSteps, options.isOver),
    recorder: options.recorder,
  };
  for (const matcher of options.matchers ?? matchers) runPass(matcher, pass);
  for (const after of options.afterPasses ?? afterPasses) after(tree, contracts);
  return tree;
}

/** Actions of a trace without rows: the messages requested from its wallet, else the unknown action. */
function withoutRows(trace: Trace, contracts: ContractLookups): readonly Action[] {
  try {
    const actions = rowsOfFailedExternal(trace, contracts);
    if (actions.length > 0) return actions;
  } catch {
    // The body is of no known wallet.
  }
  return [unknownAction(trace)];
}

/** The rows of a trace's messages, without recognised events. */
function basicActions(trace: Trace): readonly Action[] {
  try {
    const tree = new BlockTree(nodesOf(trace));
    if (tree.root.followers.length === 0) return [unknownAction(trace)];
    return rowsOf(tree, trace).actions;
  } catch {
    // `classify` returns the error of the whole trace.
    return [];
  }
}
