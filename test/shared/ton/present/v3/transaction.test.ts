import fc from "fast-check";
import { expect, test } from "vitest";
import { messageRow } from "../../../../../server/indexer/decode/message-row.js";
import { transactionRow } from "../../../../../server/indexer/decode/transaction-row.js";
import { presentTransactions } from "../../../../../server/present/v3/transaction.js";
import { serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { v3Transaction } from "../../../../../shared/ton/present/v3/transaction.js";
import { CellOf } from "../../../../../shared/ton/tlb/cell-of.js";
import { Transaction } from "../../../../../shared/ton/tlb/transaction.js";
import { Address } from "../../../../../shared/values/address.js";
import { transaction } from "../../../../helpers/chain/tlb-arbitraries.js";

const place = { block: { workchain: 0, shard: 0x4800000000000000n, seqno: 7 }, mcSeqno: 9 };

/** The record that the service answers from its rows. */
function byRows(value: CellOf<Transaction>, globalVersion: number): Record<string, unknown> {
  const row = transactionRow(value, place.block, place.mcSeqno);
  const { inMsg, outMsgs } = value.value.messages.value;
  const all = [...(inMsg ? [inMsg] : []), ...outMsgs.values()];
  const cells = all.flatMap((each) => [each.value.body, ...(each.value.init ? [each.value.init.cell] : [])]);
  const sides = [
    ...(inMsg ? [[inMsg, "in"] as const] : []),
    ...Array.from(outMsgs.values(), (each) => [each, "out"] as const),
  ];
  const [presented] = presentTransactions({
    transactions: [row],
    messages: sides.map(([each, direction]) =>
      messageRow(each, { transaction: row, direction }, globalVersion),
    ),
    messageContents: cells.map((cell) => ({ hash: cell.hash(), body: serializeBoc(cell) })),
    accountStates: [],
  });
  return presented!.record as unknown as Record<string, unknown>;
}

const notShown = new Set(["body", "decoded", "decoded_opcode", "trace_id"]);

/** Members that a cell shows, without bags, whose hashes are there, and with messages in the order of their hashes. */
function comparable(record: object): unknown {
  const text = JSON.stringify(record, (name, value) => {
    if (notShown.has(name)) return undefined;
    if (name.startsWith("account_state_")) return { hash: value.hash };
    return name === "out_msgs" ? value.toSorted((a: Hashed, b: Hashed) => (a.hash < b.hash ? -1 : 1)) : value;
  });
  return JSON.parse(text);
}

type Hashed = { hash: string };

test("a transaction's cell shows the record that the service answers from its rows", () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(transaction, fc.constantFrom(11, 12), (value, globalVersion) => {
      const cell = CellOf.of(Transaction, value);
      const found = { address: new Address(0, value.accountAddr), cell: cell.cell, transaction: value };
      const record = v3Transaction(found, { ...place, globalVersion });
      kinds.add(record.description.type);
      expect(comparable(record)).toEqual(comparable(byRows(cell, globalVersion)));
    }),
  );
  expect(kinds.size).toBe(7);
});
