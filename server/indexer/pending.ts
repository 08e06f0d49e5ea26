import { LRUCache } from "lru-cache";
import type { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { parseBocRoot, serializeBoc } from "../cells/boc.js";
import type { Cell } from "../cells/cell.js";
import type { PendingMessages } from "../chain/devnet/chain-events.js";
import type { LiteCall } from "../chain/lite-api.js";
import type { ChainReader } from "../chain/reader.js";
import type { Account } from "../chain/tlb/account.js";
import type { CellOf } from "../chain/tlb/cell-of.js";
import { decode, encode } from "../chain/tlb/codec.js";
import { configParam } from "../chain/tlb/config/config-param.js";
import { Message, normalizeExternal } from "../chain/tlb/message.js";
import type { Transaction } from "../chain/tlb/transaction.js";
import type { ExpectedTrace, ExpectedTransaction, TraceEmulator } from "../chain/trace-emulator.js";
import type { LooseRows } from "../store/queries/pending.js";
import type { AccountStateRow, TransactionRow } from "../store/tables.js";
import { accountEnd } from "./decode/account.js";
import { messageRow } from "./decode/message-row.js";
import { transactionRow } from "./decode/transaction-row.js";

/** What is expected to follow from a message that waits for a block. */
export type PendingTrace = {
  /** Hash of the message, and hash it is found by, however it was laid out. */
  hash: Uint8Array;
  hashNorm: Uint8Array;
  rows: LooseRows;
  /** Messages that were not followed to their ends. */
  unfollowed: number;
};

/** More are not looked at; the newest count. */
const mostMessages = 100;
const keptTraces = 1000;

type PendingParts = {
  mempool: Pick<PendingMessages, "pending">;
  emulator: Pick<TraceEmulator, "emulate">;
  reader: Pick<ChainReader, "last" | "config">;
};

/** The traces of the messages this service has taken in and no block has yet, as of the last block. */
export class PendingTraces {
  readonly #parts: PendingParts;
  /** By block and message: what is asked for again and again is emulated once. */
  readonly #known = new LRUCache<string, Promise<PendingTrace>>({ max: keptTraces });

  constructor(parts: PendingParts) {
    this.#parts = parts;
  }

  /** Newest first. A message that no transaction would come of has no trace. */
  async read(call: LiteCall): Promise<PendingTrace[]> {
    const { mempool, reader } = this.#parts;
    const waiting = (await mempool.pending()).slice(-mostMessages).reverse();
    const block = bytesToBase64(reader.last.rootHash);
    const traces = await Promise.all(
      waiting.map((boc) => {
        const external = parseBocRoot(boc);
        return this.#traceOf(`${block} ${external.hashHex()}`, external, call);
      }),
    );
    return traces.filter(({ rows }) => rows.transactions.length > 0);
  }

  #traceOf(key: string, external: Cell, call: LiteCall): Promise<PendingTrace> {
    const known = this.#known.get(key);
    if (known) return known;
    const trace = this.#expect(external, call);
    this.#known.set(key, trace);
    trace.catch(() => this.#known.delete(key));
    return trace;
  }

  async #expect(external: Cell, call: LiteCall): Promise<PendingTrace> {
    const { emulator, reader } = this.#parts;
    const { params } = await reader.config(reader.last);
    const trace = await emulator.emulate(external, call);
    const hashNorm = encode(Message, normalizeExternal(decode(Message, external))).hash();
    const globalVersion = configParam(params, 8)?.version ?? 0;
    return {
      hash: external.hash(),
      hashNorm,
      rows: rowsOf(trace, { block: reader.last, hashNorm, globalVersion }),
      unfollowed: trace.unfollowed,
    };
  }
}

type Place = { block: ChainReader["last"]; hashNorm: Uint8Array; globalVersion: number };

function rowsOf({ transactions }: ExpectedTrace, place: Place): LooseRows {
  const rows: LooseRows = { transactions: [], messages: [], messageContents: [], accountStates: [] };
  // What many have in common is one row, as in the tables.
  const contents = new Map<string, Cell>();
  const states = new Map<string, AccountStateRow>();
  for (const expected of transactions) {
    const { transaction, before, after } = expected;
    const row = addTransaction(rows, expected, place);
    for (const { message, direction } of sidesOf(transaction.value)) {
      rows.messages.push(messageRow(message, { transaction: row, direction }, place.globalVersion));
      const { body, init } = message.value;
      for (const cell of [body, ...(init ? [init.cell] : [])]) contents.set(cell.hashHex(), cell);
    }
    for (const account of [before, after])
      states.set(account.cell.hashHex(), stateRow(expected.address, account));
  }
  rows.messageContents = Array.from(contents.values(), (cell) => ({
    hash: cell.hash(),
    body: serializeBoc(cell, { crc32: false }),
  }));
  rows.accountStates = [...states.values()];
  return rows;
}

function addTransaction(
  rows: LooseRows,
  { address, transaction }: ExpectedTransaction,
  { block, hashNorm }: Place,
): TransactionRow {
  const row = {
    ...transactionRow(transaction, { ...block, workchain: address.workchain }, 0),
    trace_id: hashNorm,
  };
  rows.transactions.push(row);
  return row;
}

function sidesOf({ messages }: Transaction) {
  const { inMsg, outMsgs } = messages.value;
  return [
    ...(inMsg ? [{ message: inMsg, direction: "in" as const }] : []),
    ...Array.from(outMsgs.values(), (message) => ({ message, direction: "out" as const })),
  ];
}

function stateRow(address: Address, { cell, value }: CellOf<Account>): AccountStateRow {
  const facts = { address, timestamp: 0, lastTransaction: undefined, hash: cell.hash() };
  return accountEnd(value, facts).state;
}
