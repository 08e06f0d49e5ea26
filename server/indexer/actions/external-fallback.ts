import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import type { Slice } from "../../../shared/ton/cells/slice.js";
import { tgWalletOpcode } from "../../../shared/ton/contracts/tg-wallet.js";
import { StateInit } from "../../../shared/ton/tlb/state-init.js";
import { tgWalletOpcodes } from "../../../shared/values/tg-wallet.js";
import type { Action } from "./action.js";
import { basicBlock } from "./basic-blocks.js";
import { Block } from "./block.js";
import { BlockTree } from "./block-tree.js";
import type { ContractLookups } from "./contracts.js";
import { requestedTransfer } from "./families/jettons.js";
import { nodesOf, TraceNode } from "./node.js";
import { rowsOfBlocks, topLevelWithin } from "./rows.js";
import type { HashText, Trace, TraceMessage, TraceTransaction } from "./trace.js";

/**
 * Rows of messages that a wallet was asked to send but did not; they count as failed. Empty if the trace is more than
 * an external message. Throws if its body is of no known wallet.
 */
export function rowsOfFailedExternal(trace: Trace, contracts: ContractLookups): readonly Action[] {
  const [node] = nodesOf(trace);
  const message = node?.message;
  if (!node || !message || message.source !== undefined || node.sent.length > 0) return [];
  const { root } = new BlockTree([]);
  const blocks = requestedMessages(message.body!, node.transaction).map((requested) => {
    const ghost = basicBlock(new TraceNode("ghost", node.transaction, requested), root);
    const transfer = requestedTransfer(ghost, contracts);
    return transfer ? new Block({ ...ghost, ...transfer, parts: [] }) : ghost;
  });
  return rowsOfBlocks([...blocks, ...topLevelWithin(blocks)], trace).actions;
}

/** The messages in a wallet request. Formats are tried in this order; in v5r1 the last action comes first. */
function requestedMessages(body: Cell, transaction: TraceTransaction): TraceMessage[] {
  // The reader of v3 takes almost any body.
  const formats = isForTgWallet(body) ? [readTg] : [readV3, readV4, readV5];
  for (const read of formats) {
    try {
      const requested: TraceMessage[] = [];
      for (const [index, cell] of read(body).entries()) {
        const message = readMessage(cell, transaction, index);
        if (message) requested.push(message);
      }
      return requested;
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
    }
  }
  throw new CellError("invalid", "the body is of no known wallet");
}

const signatureBits = 512;

const { sendOne, sendBulk, changeKey } = tgWalletOpcodes;

function isForTgWallet(body: Cell): boolean {
  const opcode = tgWalletOpcode(body);
  return [sendOne, sendBulk, changeKey].some(({ external }) => external === opcode);
}

/**
 * signature, opcode, wallet id, valid until, seqno, then a mode and a message, or the number of messages, which is not
 * compared, and their first chunk; the change of a key has no message
 */
function readTg(body: Cell): Cell[] {
  const from = body.parse().skip(signatureBits);
  const opcode = from.loadUint(32);
  if (opcode === changeKey.external) return [];
  from.skip(32 + 32 + 32 + 8);
  if (opcode === sendOne.external) return [from.loadRef()];
  const messages: Cell[] = [];
  for (let chunk = from.loadMaybeRef(); chunk; ) {
    const items = chunk.parse();
    chunk = items.loadMaybeRef();
    while (items.remainingRefs > 0) messages.push(items.skip(8).loadRef());
  }
  return messages;
}

/** signature, wallet id, valid until, seqno, then modes and messages */
function readV3(body: Cell): Cell[] {
  return refsOf(body.parse().skip(signatureBits + 32 + 32 + 32));
}

/** As v3, with an operation after the seqno. */
function readV4(body: Cell): Cell[] {
  return refsOf(body.parse().skip(signatureBits + 32 + 32 + 32 + 8));
}

/** opcode, wallet id, valid until, seqno, actions; the trailing signature is not read */
function readV5(body: Cell): Cell[] {
  const actions: Cell[] = [];
  let list = body
    .parse()
    .skip(32 + 32 + 32 + 32)
    .loadMaybeRef();
  while (list && list.bits > 0) {
    const action = list.parse();
    list = action.loadRef();
    actions.push(action.loadRef());
  }
  return actions;
}

function refsOf(from: Slice): Cell[] {
  const refs: Cell[] = [];
  while (from.remainingRefs > 0) refs.push(from.loadRef());
  return refs;
}

/** An internal message; undefined for an external one. Throws for other cells. */
function readMessage(cell: Cell, transaction: TraceTransaction, index: number): TraceMessage | undefined {
  if (cell.parse().preloadBit()) return undefined;
  try {
    return readInternal(cell, { transaction, index, hasExtraCurrencies: true });
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return readInternal(cell, { transaction, index, hasExtraCurrencies: false });
  }
}

type Place = {
  readonly transaction: TraceTransaction;
  readonly index: number;
  readonly hasExtraCurrencies: boolean;
};

/**
 *     int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt
 *       value:CurrencyCollection ihr_fee:Coins fwd_fee:Coins created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
 */
function readInternal(cell: Cell, { transaction, index, hasExtraCurrencies }: Place): TraceMessage {
  const from = cell.parse().skip(2);
  const bounce = from.loadBit();
  from.skip(1);
  from.loadAddress();
  const destination = from.loadAddress()?.toRawUpper();
  const value = from.loadCoins();
  if (hasExtraCurrencies) from.loadMaybeRef();
  from.loadCoins();
  from.loadCoins();
  from.skip(64 + 32);
  const initState = readInit(from);
  const body = from.loadBit() ? from.loadRef() : from.toCell();
  return {
    hash: hashOf(cell, index),
    source: transaction.account,
    destination,
    value,
    extraCurrencies: undefined,
    createdLt: undefined,
    createdAt: undefined,
    opcode: !body.exotic && body.bits >= 32 ? body.parse().loadUint(32) : undefined,
    requestOpcode: tgWalletOpcode(body),
    bounce,
    hasBody: true,
    body,
    initState,
  };
}

function readInit(from: Slice): Cell | undefined {
  if (!from.loadBit()) return undefined;
  if (from.loadBit()) return from.loadRef();
  const start = from.clone();
  StateInit.load(from);
  return start
    .loadBits(start.remainingBits - from.remainingBits, start.remainingRefs - from.remainingRefs)
    .toCell();
}

/** The index distinguishes equal messages of one request. */
function hashOf(cell: Cell, index: number): HashText {
  const hash = Buffer.from(cell.hash()).toString("base64");
  return Buffer.from(`${hash}${index}`).toString("base64");
}
