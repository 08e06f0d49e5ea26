import { copierOf } from "../../store/declare/table.js";
import type { AccountHistory } from "../../store/queries/accounts/account-histories.js";
import type { MessageContentRow } from "../../store/tables/messages.js";
import {
  type MessagePart,
  messagePart,
  type TransactionPart,
  transactionPart,
} from "../../store/tables/trace-parts.js";
import type { TraceRow } from "../../store/tables/traces.js";
import type { TraceRows } from "../actions/trace-of-rows.js";
import type { DecodedTransaction } from "../decode/decode-block.js";
import { keyOf } from "../hash-key.js";
import { historyOf, mergeHistories } from "./account-history.js";

type Parts = { transactions: TransactionPart[]; messages: MessagePart[] };

const copyTransaction = copierOf(transactionPart);
const copyMessage = copierOf(messagePart);

/**
 * Collects the transactions of a batch by trace until the traces that end in it are classified. Copies only the columns
 * that classification reads, since they are sent to another thread.
 */
export class TraceCollector {
  readonly #traces = new Map<string, Parts>();
  readonly #contents = new Map<string, Uint8Array>();
  #histories: ReadonlyMap<string, AccountHistory> | undefined;

  /** Adds a transaction, whose trace id must be final. */
  addTransaction({ row, inMessage, outMessages }: DecodedTransaction): void {
    this.#histories = undefined;
    const key = keyOf(row.trace_id);
    const parts = this.#traces.get(key) ?? { transactions: [], messages: [] };
    this.#traces.set(key, parts);
    parts.transactions.push(copyTransaction(row));
    if (inMessage) parts.messages.push(copyMessage(inMessage));
    for (const message of outMessages) parts.messages.push(copyMessage(message));
  }

  /** Adds a body or state init as a bag of cells. */
  addContent(hash: Uint8Array, boc: Uint8Array): void {
    this.#contents.set(keyOf(hash), boc);
  }

  /** Whether a trace began before the batch. */
  beganBefore({ trace_id, nodes_ }: TraceRow): boolean {
    return this.#traces.get(keyOf(trace_id))?.transactions.length !== nodes_;
  }

  /** Account history derived from the collected transactions. */
  historyOf(account: Uint8Array): AccountHistory | undefined {
    this.#histories ??= historiesOf([...this.#traces.values()].flatMap(({ transactions }) => transactions));
    return this.#histories.get(keyOf(account));
  }

  /** The rows of a trace. `stored` has its parts from before the batch. */
  rowsOf(
    trace: TraceRow,
    stored: Partial<Parts> & { messageContents?: readonly MessageContentRow[] } = {},
  ): TraceRows {
    const own = this.#traces.get(keyOf(trace.trace_id));
    const messages = [...(stored.messages ?? []), ...(own?.messages ?? [])];
    const contents = new Map(stored.messageContents?.map((row) => [keyOf(row.hash), row]));
    for (const hash of messages.flatMap(contentHashes)) {
      const key = keyOf(hash);
      const body = this.#contents.get(key);
      if (body && !contents.has(key)) contents.set(key, { hash, body });
    }
    return {
      trace,
      transactions: [...(stored.transactions ?? []), ...(own?.transactions ?? [])],
      messages,
      messageContents: [...contents.values()],
    };
  }
}

function historiesOf(transactions: readonly TransactionPart[]): Map<string, AccountHistory> {
  const histories = new Map<string, AccountHistory>();
  for (const transaction of transactions) {
    const key = keyOf(transaction.account);
    histories.set(key, mergeHistories(histories.get(key), historyOf(transaction)));
  }
  return histories;
}

/** Hash of the body, and of the state init if there is one. */
export function contentHashes({ body_hash, init_state_hash }: MessagePart): Uint8Array[] {
  return init_state_hash ? [body_hash, init_state_hash] : [body_hash];
}
