import { LRUCache } from "lru-cache";
import type { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { parseBocRoot, serializeBoc } from "../cells/boc.js";
import type { Cell } from "../cells/cell.js";
import type { PendingMessages } from "../chain/chain-events.js";
import type { LiteCall } from "../chain/lite-api.js";
import type { ChainReader } from "../chain/read/reader.js";
import type { ExpectedTrace, ExpectedTransaction, TraceEmulator } from "../chain/run/trace-emulator.js";
import type { Queries } from "../store/database.js";
import type { AccountStateRow } from "../store/tables/accounts.js";
import type { ActionRow } from "../store/tables/actions.js";
import type { MessageContentRow, MessageRow } from "../store/tables/messages.js";
import type { TransactionRow } from "../store/tables/transactions.js";
import type { Account } from "../tlb/account.js";
import type { CellOf } from "../tlb/cell-of.js";
import { decode, encode } from "../tlb/codec.js";
import { configParam } from "../tlb/config/config-param.js";
import { Message, normalizeExternal } from "../tlb/message.js";
import type { Transaction } from "../tlb/transaction.js";
import type { TraceRows } from "./actions/trace-of-rows.js";
import type { TraceClassifier } from "./classify/trace-classifier.js";
import { finalAccountState } from "./decode/account.js";
import { messageRow } from "./decode/message-row.js";
import { transactionRow } from "./decode/transaction-row.js";

/** An external message whose trace may not have ended. */
export type PendingMessage = {
  /** Hash of the message, and its normalized hash. */
  readonly hash: Uint8Array;
  readonly hashNorm: Uint8Array;
};

/** Rows of transactions that are in no table, with the messages, contents and account states they name. */
export type ExpectedRows = {
  transactions: TransactionRow[];
  messages: MessageRow[];
  messageContents: MessageContentRow[];
  accountStates: AccountStateRow[];
};

/** The transactions that followed from such a message, and those expected by emulation. */
export type PendingTrace = PendingMessage & {
  rows: ExpectedRows;
  /** Hashes of the transactions that are in a block, in base64. */
  happened: ReadonlySet<string>;
  /** Number of messages that were not emulated. */
  unfollowed: number;
};

/** Only the newest messages are followed. */
const maxMessages = 100;
const keptTraces = 1000;

type PendingParts = {
  mempool: Pick<PendingMessages, "pending">;
  emulator: Pick<TraceEmulator, "emulate">;
  reader: Pick<ChainReader, "last" | "config">;
  classifier: Pick<TraceClassifier, "classify">;
};

/** A message and the state of following it. */
class Followed implements PendingMessage {
  readonly external: Cell;
  readonly hash: Uint8Array;
  readonly hashNorm: Uint8Array;
  /** Its receiver has not accepted it up to this logical time. */
  waitsSinceLt = 0n;
  hasEnded = false;

  constructor(message: Uint8Array) {
    this.external = parseBocRoot(message);
    this.hash = this.external.hash();
    this.hashNorm = encode(Message, normalizeExternal(decode(Message, this.external))).hash();
  }
}

/** Traces of known messages as of the last block, until the index has all of their transactions. */
export class PendingTraces {
  readonly #parts: PendingParts;
  /** By identity: a waiting message keeps its byte array. */
  readonly #followed = new WeakMap<Uint8Array, Followed>();
  /** Cached traces by block and message. */
  readonly #known = new LRUCache<string, Promise<PendingTrace>>({ max: keptTraces });

  constructor(parts: PendingParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  async messages(): Promise<PendingMessage[]> {
    const all = (await this.#parts.mempool.pending()).map((message) => this.#follow(message));
    return all
      .filter(({ hasEnded }) => !hasEnded)
      .slice(-maxMessages)
      .reverse();
  }

  /** Marks a message whose trace the index has completely. */
  end(message: PendingMessage): void {
    if (message instanceof Followed) message.hasEnded = true;
  }

  /** Traces of messages; a message without a transaction has none. */
  async traces(messages: readonly PendingMessage[], call: LiteCall): Promise<PendingTrace[]> {
    const block = bytesToBase64(this.#parts.reader.last.rootHash);
    const followed = messages.filter((message) => message instanceof Followed);
    const traces = await Promise.all(followed.map((message) => this.#traceOf(block, message, call)));
    return traces.filter(({ rows }) => rows.transactions.length > 0);
  }

  /** The actions of traces, with contracts as the index has them. */
  async actions(queries: Queries, traces: readonly PendingTrace[]): Promise<ActionRow[][]> {
    const results = await this.#parts.classifier.classify(queries, traces.map(classifiable), {
      horizon: "now",
    });
    return results.map(({ actions }) => [...actions]);
  }

  #follow(message: Uint8Array): Followed {
    const known = this.#followed.get(message) ?? new Followed(message);
    this.#followed.set(message, known);
    return known;
  }

  #traceOf(block: string, message: Followed, call: LiteCall): Promise<PendingTrace> {
    const key = `${block} ${message.external.hashHex()}`;
    const known = this.#known.get(key);
    if (known) return known;
    const trace = this.#expect(message, call);
    this.#known.set(key, trace);
    trace.catch(() => this.#known.delete(key));
    return trace;
  }

  async #expect(message: Followed, call: LiteCall): Promise<PendingTrace> {
    const { emulator, reader } = this.#parts;
    const { hash, hashNorm, external } = message;
    const { params } = await reader.config(reader.last);
    const trace = await emulator.emulate(external, message.waitsSinceLt, call);
    message.waitsSinceLt = trace.waitsSinceLt;
    const happened = trace.transactions.filter(({ block }) => block !== undefined);
    const globalVersion = configParam(params, 8)?.version ?? 0;
    return {
      hash,
      hashNorm,
      rows: rowsOf(trace, { block: reader.last, hashNorm, globalVersion }),
      happened: new Set(happened.map(({ transaction }) => bytesToBase64(transaction.cell.hash()))),
      unfollowed: trace.unfollowed,
    };
  }
}

/** A trace as it will be if no more follows from it. */
function classifiable({ hash, hashNorm, rows }: PendingTrace): TraceRows {
  const [first] = rows.transactions;
  const end = <K extends "lt" | "now" | "mc_block_seqno">(column: K) =>
    rows.transactions.map((row) => row[column]).reduce((a, b) => (b > a ? b : a));
  const trace = {
    trace_id: first!.trace_id,
    external_hash: hash,
    external_hash_norm: hashNorm,
    start_lt: first!.lt,
    start_utime: first!.now,
    end_lt: end("lt"),
    end_utime: end("now"),
    mc_seqno_end: end("mc_block_seqno"),
  };
  return { trace, ...rows };
}

type EmulatedBlock = { block: ChainReader["last"]; hashNorm: Uint8Array; globalVersion: number };

function rowsOf({ transactions }: ExpectedTrace, place: EmulatedBlock): ExpectedRows {
  const rows: ExpectedRows = { transactions: [], messages: [], messageContents: [], accountStates: [] };
  // Shared contents and states are one row, as in the tables.
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
      if (account) states.set(account.cell.hashHex(), stateRow(expected.address, account));
  }
  rows.messageContents = Array.from(contents.values(), (cell) => ({
    hash: cell.hash(),
    body: serializeBoc(cell),
  }));
  rows.accountStates = [...states.values()];
  return rows;
}

function addTransaction(
  rows: ExpectedRows,
  { address, transaction, block }: ExpectedTransaction,
  place: EmulatedBlock,
): TransactionRow {
  const [first] = rows.transactions;
  const row = {
    ...transactionRow(transaction, block ?? { ...place.block, workchain: address.workchain }, 0),
    // A trace is named by its first transaction once that is in a block, and by the message before.
    trace_id: first?.trace_id ?? (block ? transaction.cell.hash() : place.hashNorm),
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
  return finalAccountState(value, facts).state;
}
