import {
  Cell as CoreCell,
  Dictionary as CoreDictionary,
  type Slice as CoreSlice,
  type DictionaryValue,
  loadCurrencyCollection,
  loadTransaction,
} from "@ton/core";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { transactionsOf } from "../../shared/ton/tlb/account-block.js";
import { Block } from "../../shared/ton/tlb/block.js";
import type { CellOf } from "../../shared/ton/tlb/cell-of.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import type { Message } from "../../shared/ton/tlb/message.js";
import type { Transaction } from "../../shared/ton/tlb/transaction.js";
import { testData } from "../helpers/test-data.js";
import type { Contender, Suite } from "./harness.js";

/** Units are transactions. */
export const suite: Suite = {
  title: "Blocks (baseline: @ton/core, fromBoc and loadTransaction)",
  needs: "recorded blocks",
  rows() {
    const blocks = (testData().chain?.where({ kind: "block" }) ?? []).map((entry) =>
      Buffer.from(entry.read()),
    );
    if (blocks.length === 0) return [];
    const core = overAll(blocks, loadCoreTransactions);
    return [
      {
        title: "decode blocks, all fields, hashes of transactions, messages and bodies",
        ours: overAll(blocks, (bytes) => decodeTransactions(bytes, lookAtEverything)),
        baseline: core,
        goal: { floor: 15, aim: 40 },
      },
      {
        title: "decode blocks, transactions without messages and phases",
        ours: overAll(blocks, (bytes) => decodeTransactions(bytes, ({ value }) => value.lt)),
        baseline: core,
      },
    ];
  },
};

function overAll(blocks: readonly Buffer[], countTransactions: (bytes: Buffer) => number): Contender {
  return () => blocks.reduce((count, bytes) => count + countTransactions(bytes), 0);
}

function decodeTransactions(bytes: Uint8Array, look: (transaction: CellOf<Transaction>) => unknown): number {
  const block = decode(Block, parseBocRoot(bytes, { verify: "later" }));
  let count = 0;
  for (const transaction of transactionsOf(block.extra.value.accountBlocks.value)) {
    look(transaction);
    count++;
  }
  return count;
}

/** The reads of an index of transactions. */
function lookAtEverything({ cell, value }: CellOf<Transaction>): void {
  cell.hash();
  const { stateUpdate, description, messages } = value;
  void stateUpdate.value;
  const descr = description.value;
  if ("action" in descr) void descr.action?.value;
  const { inMsg, outMsgs } = messages.value;
  if (inMsg) lookAtMessage(inMsg);
  for (const message of outMsgs.values()) lookAtMessage(message);
}

function lookAtMessage({ cell, value }: CellOf<Message>): void {
  cell.hash();
  value.body.hash();
  value.init?.cell.hash();
}

const coreTransactions: DictionaryValue<CoreCell> = {
  serialize: unused,
  parse(slice) {
    loadCurrencyCollection(slice);
    return slice.loadRef();
  },
};
const coreAccountBlocks: DictionaryValue<CoreDictionary<bigint, CoreCell>> = {
  serialize: unused,
  parse(slice) {
    loadCurrencyCollection(slice);
    slice.skip(4 + 256);
    return CoreDictionary.loadDirect(CoreDictionary.Keys.BigUint(64), coreTransactions, slice);
  },
};

function unused(): never {
  throw new Error("nothing is written here");
}

function loadCoreTransactions(bytes: Buffer): number {
  const extra = CoreCell.fromBoc(bytes)[0]!.refs[3]!;
  const accounts: CoreSlice = extra.refs[2]!.beginParse();
  let count = 0;
  for (const transactions of accounts.loadDict(CoreDictionary.Keys.Buffer(32), coreAccountBlocks).values())
    for (const transaction of transactions.values()) {
      loadTransaction(transaction.beginParse());
      count++;
    }
  return count;
}
