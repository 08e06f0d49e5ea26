import fc, { type Arbitrary } from "fast-check";
import { messageRow } from "../../server/indexer/decode/message-row.js";
import { transactionRow } from "../../server/indexer/decode/transaction-row.js";
import type { AnyColumnType } from "../../server/store/declare/columns.js";
import type { Table } from "../../server/store/declare/table.js";
import * as forms from "../../server/store/declare/wire-forms.js";
import type { AccountStateRow } from "../../server/store/tables/accounts.js";
import { accountStates } from "../../server/store/tables/accounts.js";
import { accountKey } from "../../server/store/tables/directories.js";
import type { MessageRow } from "../../server/store/tables/messages.js";
import { membersForm } from "../../server/store/tables/nominator-pools.js";
import type { TransactionRow } from "../../server/store/tables/transactions.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { wholeShard } from "../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../shared/ton/tlb/cell-of.js";
import type { Message } from "../../shared/ton/tlb/message.js";
import { Transaction } from "../../shared/ton/tlb/transaction.js";
import { transaction } from "../helpers/chain/tlb-arbitraries.js";
import type { Rows } from "../helpers/store/rows.js";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const currencies = fc.dictionary(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 248n }).map(String),
);
const anyText = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", ""));

const anyMember = fc.oneof(anyText, fc.boolean(), fc.constant(null), int32, fc.array(anyText));

const byForm = new Map<unknown, Arbitrary<unknown>>([
  [forms.shortBase64, bytes(32)],
  [forms.upperHex, bytes(32)],
  [
    membersForm,
    fc.array(fc.record({ address: anyText, balance: int64.map(String), pending_balance: anyText })),
  ],
  [forms.rawAddress, bytes(33)],
  [forms.rawAddresses, fc.array(bytes(33))],
  [forms.base64, fc.uint8Array({ maxLength: 200 })],
  [forms.shardHex, int64],
  [forms.opcodeHex, int32],
  [forms.currencies, currencies],
  [forms.anyText, anyText],
  [forms.attributes, fc.dictionary(fc.constantFrom("name", "symbol", "image_data", "uri"), anyText)],
  [forms.json, fc.dictionary(anyText, anyMember)],
  [forms.flag, fc.boolean()],
  [forms.list, fc.array(int32)],
  [forms.decimals, fc.array(int64)],
  [forms.texts, fc.array(anyText)],
  [forms.hashes, fc.array(bytes(32))],
  [forms.rawAddresses, fc.array(bytes(33))],
  [forms.json, fc.dictionary(fc.constantFrom("amount", "query_id"), fc.oneof(anyText, int32, fc.boolean()))],
]);
/** Range of numbers, whose form does not show it. */
const byType = new Map<string, Arbitrary<unknown>>([
  ["smallint", fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })],
  ["integer", int32],
  ["numeric", fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n })],
]);

function arbitraryOf(type: AnyColumnType, isNumber: boolean): Arbitrary<unknown> {
  const known = byForm.get(type.form);
  if (known) return known;
  if (type.sqlType === "smallint" && type.form.kind === "text") return codesOf(type);
  if (type.sqlType === "bigint") return isNumber ? fc.integer({ min: 0, max: 2 ** 32 - 1 }) : int64;
  return byType.get(type.sqlType)!;
}

function codesOf({ form }: AnyColumnType): Arbitrary<number> {
  const isWord = (code: number) => form.present(code as never) !== undefined;
  let count = 0;
  while (isWord(count)) count++;
  return fc.integer({ min: 0, max: count - 1 });
}

/** Any rows of a table. */
export function rowsOf(table: Table): Arbitrary<Record<string, unknown>> {
  return fc.record(
    Object.fromEntries(
      Object.entries(table.columns).map(([name, type]) => {
        const value = arbitraryOf(type, type.read("1") === 1);
        return [name, type.nullable ? fc.option(value, { nil: undefined }) : value];
      }),
    ),
  );
}

const block = { workchain: 0, shard: wholeShard, seqno: 1 };
/** Since this version messages have flags. */
const globalVersion = 12;

/** Random transactions with their messages, contents and states, as rows that fit the tables: one trace. */
export function sampleTransactions(
  count: number,
  seed: number,
): Required<Pick<Rows, "transactions" | "messages" | "messageContents" | "accountStates">> {
  const trace = new Uint8Array(32).fill(1);
  const values = fc.sample(transaction, { numRuns: count, seed });
  const states = fc.sample(rowsOf(accountStates), { numRuns: 2 * count, seed }) as AccountStateRow[];
  const rows = { transactions: [], messages: [], messageContents: [], accountStates: [] } as {
    transactions: TransactionRow[];
    messages: MessageRow[];
    messageContents: { hash: Uint8Array; body: Uint8Array }[];
    accountStates: AccountStateRow[];
  };
  for (const [i, value] of values.entries()) {
    const [before, after] = [states[2 * i]!, states[2 * i + 1]!];
    const own = fitting({
      ...transactionRow(CellOf.of(Transaction, value), block, 1),
      account_state_hash_before: before.hash,
      account_state_hash_after: after.hash,
    });
    const row = { ...own, lt: BigInt(i + 1), prev_trans_lt: BigInt(i), trace_id: trace };
    const { lt, prev_trans_lt } = row;
    const account_key = accountKey(row.account);
    const known = [
      { ...before, account_key, lt: prev_trans_lt },
      { ...after, account_key, lt },
    ];
    // Some states are not known.
    rows.accountStates.push(...known.slice(i % 3));
    rows.transactions.push(row);
    const { inMsg, outMsgs } = value.messages.value;
    const add = (message: CellOf<Message>, direction: "in" | "out", created: bigint) => {
      const made = fitting(messageRow(message, { transaction: row, direction }, globalVersion));
      // Messages of a transaction are sent at different times.
      rows.messages.push(direction === "out" ? { ...made, created_lt: created } : made);
      const { body, init } = message.value;
      // Some contents are not known.
      const cells = i % 5 === 0 ? [] : [body, ...(init ? [init.cell] : [])];
      for (const cell of cells) rows.messageContents.push({ hash: cell.hash(), body: serializeBoc(cell) });
    };
    if (inMsg) add(inMsg, "in", 0n);
    for (const [at, message] of [...outMsgs.values()].entries()) add(message, "out", BigInt(at + 1));
  }
  return rows;
}

/** Amounts of more than 63 bits are no amounts of a real chain. Columns of type numeric have room for them. */
function fitting<Row extends object>(row: Row): Row {
  const wide = ["extra_flags", "import_fee", "block_shard"];
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "bigint" && !wide.includes(name) ? BigInt.asUintN(63, value) : value,
  ]);
  return Object.fromEntries(entries) as Row;
}
