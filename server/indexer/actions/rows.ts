import { hash } from "node:crypto";
import type { Action, CommonColumns } from "./action.js";
import { callContract, contractDeploy, gaslessRequest } from "./basic-blocks.js";
import type { AnyBlockKind, Block } from "./block.js";
import type { BlockTree } from "./block-tree.js";
import { compare, type TraceNode } from "./node.js";
import type { AddressText, HashText, Trace, TraceTransaction } from "./trace.js";

/** Rows of a tree of blocks, in order. */
type Rows = { readonly actions: Action[]; readonly isBroken: boolean };

/** Whether a block has a row of its own; the external message that began the trace, logs and helpers have none. */
function hasRow({ kind, source, destination }: Block): boolean {
  if (kind.type === undefined) return false;
  return kind !== callContract || (source !== undefined && destination !== undefined);
}

/** Throws if a row cannot be filled, or if two rows have the same identifier. */
export function rowsOf(tree: BlockTree, trace: Trace): Rows {
  const outer = tree.outermostBlocks();
  return rowsOfBlocks([...outer, ...topLevelWithin(outer)], trace);
}

/** Like `rowsOf`, for outermost blocks. */
export function rowsOfBlocks(outer: readonly Block[], trace: Trace): Rows {
  const actions = new Map<HashText, Action>();
  let isBroken = false;
  const gasless = gaslessIds(outer);
  const open: Place[] = outer.map((block) => ({ block, ancestors: [], parentId: undefined }));
  // The loop appends to the list.
  for (const { block, ancestors, parentId } of open) {
    if (!hasRow(block)) continue;
    if (block.isBroken) isBroken = true;
    const action = actionOf(block, trace, { ancestors, parentId, gaslessId: gaslessIdOf(block, gasless) });
    const id = action.action_id;
    if (id !== parentId) {
      if (actions.has(id)) throw new Error(`two actions are ${id}`);
      actions.set(id, action);
    }
    if (block.kind.isLeaf) continue;
    const within = ancestors.includes(block.kind.name) ? ancestors : [...ancestors, block.kind.name];
    for (const part of block.parts)
      if (!topLevelKinds.has(part.kind)) open.push({ block: part, ancestors: within, parentId: id });
  }
  return { actions: [...actions.values()].sort(byStart), isBroken };
}

type Place = {
  readonly block: Block;
  readonly ancestors: readonly string[];
  readonly parentId: HashText | undefined;
};

/** Kinds whose rows are at top level, however deep their block is. */
const topLevelKinds: ReadonlySet<AnyBlockKind> = new Set<AnyBlockKind>([contractDeploy, gaslessRequest]);

/** The blocks of these kinds within others. */
export function topLevelWithin(outer: readonly Block[]): Block[] {
  const open = outer.flatMap(({ parts }) => parts);
  const seen = new Set<Block>(open);
  // The loop adds to the set.
  for (const block of seen) for (const part of block.parts) seen.add(part);
  return [...seen].filter(({ kind }) => topLevelKinds.has(kind));
}

/** Ids of the actions of gasless requests, by the node of the request. */
type GaslessIds = ReadonlyMap<TraceNode, HashText>;

function gaslessIds(outer: readonly Block[]): GaslessIds {
  const ids = new Map<TraceNode, HashText>();
  for (const block of outer) if (block.kind === gaslessRequest) ids.set(block.node, actionIdOf(block));
  return ids;
}

/** The gasless request that a block follows from directly: its first message is the request, or was sent by its receiver. */
function gaslessIdOf(block: Block, ids: GaslessIds): HashText | undefined {
  if (ids.size === 0) return undefined;
  const { kind } = block;
  const first = earliestNode(block);
  const own = kind === gaslessRequest || kind === callContract ? undefined : ids.get(first);
  return own ?? (first.sender && ids.get(first.sender));
}

function actionOf(
  block: Block,
  trace: Trace,
  { ancestors, parentId, gaslessId }: Omit<Place, "block"> & { gaslessId: HashText | undefined },
): Action {
  const { kind, nodes, initiating } = block;
  const columns = kind.columns(block);
  const { startUtime, endLt, endUtime, mcSeqno } = spanOf(nodes);
  const transactions = inOrder([...nodes, ...initiating].map(({ transaction }) => transaction));
  const accounts = new Set<AddressText | undefined>(kind.accounts(block));
  for (const { account } of transactions) accounts.add(account);
  accounts.add(columns.source).add(columns.source_secondary);
  if (block.node.kind !== "ghost") accounts.add(columns.destination).add(columns.destination_secondary);
  // Written out and assigned: spreads would take a sixth of a classification's time.
  const common: CommonColumns & Pick<Action, "type"> = {
    type: kind.type!,
    trace_id: trace.traceId,
    action_id: actionIdOf(block),
    parent_action_id: parentId,
    ancestor_type: ancestors,
    parent_gasless_action: gaslessId,
    success: !block.isFailed,
    start_lt: block.lt,
    start_utime: startUtime,
    end_lt: endLt,
    end_utime: endUtime,
    mc_seqno_end: mcSeqno,
    tx_hashes: transactions.map(({ hash }) => hash),
    accounts: inAscendingOrder(accounts),
    trace_external_hash: trace.externalHash,
    trace_external_hash_norm: trace.externalHashNorm,
    trace_end_lt: trace.endLt,
    trace_end_utime: trace.endUtime,
    trace_mc_seqno_end: trace.mcSeqnoEnd,
  };
  // A kind fills the columns of its own type.
  return Object.assign(common, columns) as Action;
}

/** The only row of a trace without any known action. */
export function unknownAction(trace: Trace): Action {
  const transactions = inOrder(trace.transactions);
  return {
    type: "unknown",
    trace_id: trace.traceId,
    action_id: trace.traceId,
    parent_action_id: undefined,
    ancestor_type: [],
    parent_gasless_action: undefined,
    success: !transactions.some(({ isAborted }) => isAborted),
    start_lt: trace.startLt,
    start_utime: trace.startUtime,
    end_lt: trace.endLt,
    end_utime: trace.endUtime,
    mc_seqno_end: greatest(transactions, ({ mcSeqno }) => mcSeqno),
    tx_hashes: transactions.map(({ hash }) => hash),
    accounts: inAscendingOrder(new Set(transactions.map(({ account }) => account))),
    trace_external_hash: trace.externalHash,
    trace_external_hash_norm: trace.externalHashNorm,
    trace_end_lt: trace.endLt,
    trace_end_utime: trace.endUtime,
    trace_mc_seqno_end: trace.mcSeqnoEnd,
  };
}

/** The id of a block's action. */
export function actionIdOf(block: Block): HashText {
  return hash("sha256", earliestNode(block).hash + block.kind.name, "base64");
}

/** The node of smallest lt; the first one of several. */
function earliestNode({ nodes }: Block): TraceNode {
  const [first, ...others] = nodes;
  let earliest: TraceNode = first!;
  for (const node of others) if (node.lt < earliest.lt) earliest = node;
  return earliest;
}

function inOrder(transactions: readonly TraceTransaction[]): TraceTransaction[] {
  return [...new Set(transactions)].sort((a, b) => compare(a.lt, b.lt) || compare(a.hash, b.hash));
}

/** Span from the first message to the last transaction. */
function spanOf(nodes: readonly TraceNode[]) {
  let [startUtime, endLt, endUtime, mcSeqno] = [Number.POSITIVE_INFINITY, 0n, 0, 0];
  for (const { utime, transaction } of nodes) {
    if (utime < startUtime) startUtime = utime;
    if (transaction.lt > endLt) endLt = transaction.lt;
    if (transaction.now > endUtime) endUtime = transaction.now;
    if (transaction.mcSeqno > mcSeqno) mcSeqno = transaction.mcSeqno;
  }
  return { startUtime, endLt, endUtime, mcSeqno };
}

function greatest<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((greatest, item) => Math.max(greatest, numberOf(item)), 0);
}

function inAscendingOrder(addresses: ReadonlySet<AddressText | undefined>): AddressText[] {
  return [...addresses].filter((address) => address !== undefined).sort(compare);
}

function byStart(a: Action, b: Action): number {
  return compare(a.start_lt, b.start_lt) || compare(a.action_id, b.action_id);
}
