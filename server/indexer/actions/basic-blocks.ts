import { tgWalletOpcodes } from "../../../shared/values/tg-wallet.js";
import { type Text, textOf } from "../../contracts/message-text.js";
import { type AnyBlockKind, Block } from "./block.js";
import { BlockKind } from "./block-kind.js";
import type { TraceNode } from "./node.js";

/** A plain TON transfer, with no body or a text. */
export const tonTransfer = new BlockKind("ton_transfer", {
  type: "ton_transfer",
  isLeaf: true,
  row: (_: undefined, { source, destination, value, node }) => {
    const { text, isEncrypted } = commentOf(node);
    return {
      source,
      destination,
      value,
      value_extra_currencies: node.message?.extraCurrencies,
      comment: text,
      encrypted: isEncrypted,
    };
  },
});

/** Any other message, including logs. */
export const callContract = new BlockKind("call_contract", {
  type: "call_contract",
  isLeaf: true,
  row: (_: undefined, { source, destination, value, opcode, node }) => ({
    source,
    destination,
    value,
    extra_currencies: node.message?.extraCurrencies,
    opcode,
  }),
});

/** A deployment: part of the block whose transaction activated the account. Its opcode is the body's first 32 bits. */
export const contractDeploy = new BlockKind("contract_deploy", {
  type: "contract_deploy",
  isLeaf: true,
  row: (_: undefined, { source, destination, value, opcode }) => ({ source, destination, value, opcode }),
});

/**
 * A request to a wallet that its owner signed and another account sends, and pays for: part of the block of its message.
 * Whether the wallet obeys it is not known, as it ignores a wrong signature without failing.
 */
export const gaslessRequest = new BlockKind("gasless_request", {
  type: "gasless_request",
  isLeaf: true,
  row: (_: undefined, { source, destination, value }) => ({ source, destination, value }),
});

/** The opcodes of such requests to Telegram's wallet and to wallet v5 ("sint"). */
const gaslessOpcodes: ReadonlySet<number | undefined> = new Set([
  ...Object.values(tgWalletOpcodes).map(({ internal }) => internal),
  0x73696e74,
]);

export const tickTock = new BlockKind("tick_tock", {
  type: "tick_tock",
  isLeaf: true,
  row: (_: undefined, { account }) => ({ account }),
});

/** The artificial root before all other blocks. */
const rootKind: AnyBlockKind = unseen("root");
/** Joins blocks without a common message. It has no row. */
export const helperKind: AnyBlockKind = unseen("empty");

function unseen(name: string): AnyBlockKind {
  return { name, type: undefined, isLeaf: false, columns: () => ({}), accounts: () => [] };
}

/** The blocks of all nodes below an artificial root. */
export function basicBlocks(roots: readonly TraceNode[]): Block {
  const root = new Block({
    kind: rootKind,
    data: undefined,
    nodes: [],
    initiating: [],
    previous: undefined,
  });
  const open: { node: TraceNode; previous: Block }[] = roots.map((node) => ({ node, previous: root }));
  // The loop appends to the list.
  for (const { node, previous } of open) {
    const block = basicBlock(node, previous);
    previous.followers.push(block);
    for (const sent of node.sent) open.push({ node: sent, previous: block });
  }
  return root;
}

/** The block of a node, not yet linked to its previous block. */
export function basicBlock(node: TraceNode, previous: Block): Block {
  const kind = kindOf(node);
  const { message } = node;
  const opcode = kind === callContract ? (message?.requestOpcode ?? message?.opcode) : undefined;
  const nodes = [node];
  const initiating = node.sender ? [node.sender] : [];
  const parts: Block[] = [];
  const block = new Block({
    kind,
    data: undefined,
    nodes,
    parts,
    initiating,
    previous,
    isFailed: isFailed(kind, node, opcode),
    opcode,
  });
  if (block.source !== undefined && gaslessOpcodes.has(opcode)) parts.push(partOf(block, gaslessRequest));
  if (hasActivated(node)) parts.push(partOf(block, contractDeploy));
  return block;
}

/** A block of the same message within a block. */
function partOf(block: Block, kind: AnyBlockKind): Block {
  const { nodes, node, initiating } = block;
  const part = new Block({
    kind,
    data: undefined,
    nodes,
    initiating,
    previous: block,
    isFailed: node.isAborted,
  });
  part.container = block;
  return part;
}

const comments: ReadonlySet<number | undefined> = new Set([0, 0x2167da4b, undefined]);

function kindOf({ message, transaction }: TraceNode): AnyBlockKind {
  if (message === undefined || transaction.isTickTock) return tickTock;
  const isBetweenAccounts = message.source !== undefined && message.destination !== undefined;
  return isBetweenAccounts && comments.has(message.opcode) ? tonTransfer : callContract;
}

function hasActivated({ kind, transaction: { statusBefore, statusAfter } }: TraceNode): boolean {
  const wasAbsent = statusBefore === "nonexist" || statusBefore === "uninit";
  return kind !== "ghost" && wasAbsent && statusAfter === "active";
}

function isFailed(
  kind: AnyBlockKind,
  { isAborted, message, transaction }: TraceNode,
  opcode: number | undefined,
): boolean {
  if (!isAborted) return false;
  if (kind === tonTransfer)
    return (
      message!.bounce || (transaction.statusAfter !== "uninit" && transaction.skippedReason !== "no_gas")
    );
  if (kind !== callContract) return true;
  const { value, extraCurrencies } = message!;
  const hasValue = (value ?? 0n) !== 0n || Object.keys(extraCurrencies ?? {}).length > 0;
  return hasValue || opcode === undefined || opcode === 0;
}

// Module state: a memo by node.
const texts = new WeakMap<TraceNode, Text>();

/** The text of a transfer, cached because many matchers read it. */
export function commentOf(node: TraceNode): Text {
  const known = texts.get(node);
  if (known) return known;
  const text = textOf(node.message!);
  texts.set(node, text);
  return text;
}
