import { bytesToBase64, compareBytes } from "../../../shared/values/bytes.js";
import { groupBy } from "../../../shared/values/groups.js";
import { codeOf, directions } from "../../store/codes.js";
import { rawAddress } from "../../store/declare/wire-forms.js";
import type { RecordText, TakeText } from "../../store/sql/row-bytes.js";
import type { AccountStateRow } from "../../store/tables/accounts.js";
import type { MessageContentRow, MessageRow } from "../../store/tables/messages.js";
import { type TransactionRecord, transactionRecord } from "../../store/tables/transaction-record.js";
import type { TransactionRow } from "../../store/tables/transactions.js";
import { presentMessage, withBodies } from "./message.js";

export type { TransactionRecord };

/** Parses the text of a transaction, for callers that need its members. */
export function readTransaction({ text }: Pick<RecordText, "text">): TransactionRecord {
  return JSON.parse(withBodies(text)) as TransactionRecord;
}

/** Takes a transaction in its presented form. */
export const takeTransaction: TakeText<PresentedTransaction> = (text, addresses) => ({
  record: readTransaction({ text }),
  addresses,
});

/** Transactions with their messages, contents and account states. */
export type TransactionParts = {
  transactions: readonly TransactionRow[];
  messages: readonly MessageRow[];
  messageContents: readonly MessageContentRow[];
  accountStates: readonly AccountStateRow[];
};

/** A record and its raw addresses for the address book, separated by blanks. */
type PresentedTransaction = { record: TransactionRecord; addresses: string };

/** Transaction records from rows, ascending by logical time and account. */
export function presentTransactions(parts: TransactionParts): PresentedTransaction[] {
  const contents = byHash(parts.messageContents);
  const states = byHash(parts.accountStates);
  const messages = byTransaction(parts.messages);
  return [...parts.transactions].sort(byTime).map((t) => {
    const own = messages.get(bytesToBase64(t.hash)) ?? [];
    const present = (m: MessageRow) =>
      presentMessage(
        m,
        contents.get(bytesToBase64(m.body_hash)),
        m.init_state_hash && contents.get(bytesToBase64(m.init_state_hash)),
      );
    const received = own.find(isIn);
    const sent = own.filter((m) => !isIn(m)).sort(byCreation);
    const record = transactionRecord.present({
      t,
      before: states.get(bytesToBase64(t.account_state_hash_before)),
      after: states.get(bytesToBase64(t.account_state_hash_after)),
      own: { in_msg: received && present(received), out_msgs: sent.map(present) },
    });
    const peers = own.map((m) => (isIn(m) ? m.source : m.destination));
    const addresses = [t.account, ...peers].flatMap((bytes) => (bytes ? [rawAddress.present(bytes)] : []));
    return { record, addresses: addresses.join(" ") };
  });
}

const inbound = codeOf(directions, "in");

function isIn({ direction }: MessageRow): boolean {
  return direction === inbound;
}

function byHash<Row extends { hash: Uint8Array }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [bytesToBase64(row.hash), row]));
}

function byTransaction(rows: readonly MessageRow[]): ReadonlyMap<string, MessageRow[]> {
  return groupBy(rows, (row) => bytesToBase64(row.tx_hash));
}

function byTime(a: TransactionRow, b: TransactionRow): number {
  return a.lt === b.lt ? compareBytes(a.account, b.account) : a.lt < b.lt ? -1 : 1;
}

/** Outbound messages of a transaction have different logical times. */
function byCreation({ created_lt: a = 0n }: MessageRow, { created_lt: b = 0n }: MessageRow): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The raw addresses in the parts of an answer. */
export function addressesOf(texts: readonly { addresses: string }[]): Set<string> {
  return addressesIn(texts.map(({ addresses }) => addresses));
}

/** The raw addresses in lists separated by blanks. */
export function addressesIn(lists: readonly string[]): Set<string> {
  const found = new Set(lists.flatMap((list) => list.split(" ")));
  found.delete("");
  return found;
}
