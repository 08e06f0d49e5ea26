import { expect, test } from "vitest";
import { BrokenRowError, MessageReader, type RowMessage } from "../../../server/store/wire/row-messages.js";
import { backend, dataRow } from "../../helpers/fake-postgres.js";

/** Messages of bytes that arrive in parts of this size. */
function read(bytes: Buffer, size: number): { rows: unknown[]; others: Buffer } {
  const others: Buffer[] = [];
  const rows: unknown[] = [];
  const reader = new MessageReader({
    takeRow: ({ fields }) => rows.push(fields),
    takeOthers: (part) => others.push(part),
  });
  const shared = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(shared, 0, at, at + size);
    reader.take(shared.subarray(0, length));
    shared.fill("?");
  }
  return { rows, others: Buffer.concat(others) };
}

test("rows and other messages are whole wherever the bytes are cut", () => {
  const others = [
    backend("2", Buffer.alloc(0)),
    backend("C", Buffer.from("SELECT 3\0")),
    backend("Z", Buffer.from("I")),
  ];
  const rows = [["a", null, ""], ["naïve", "x".repeat(40), null], [null]];
  const bytes = Buffer.concat([
    others[0]!,
    ...rows.map((values) => dataRow(...values)),
    others[1]!,
    others[2]!,
  ]);
  for (let size = 1; size <= bytes.length; size++)
    expect(read(bytes, size)).toEqual({ rows, others: Buffer.concat(others) });
});

test.each([
  ["no count of its fields", backend("D", Buffer.alloc(1))],
  ["a field longer than the row", backend("D", Buffer.from("\0\x01\0\0\0\x05abcd", "latin1"))],
  ["fewer fields than it says", backend("D", Buffer.from("\0\x02\0\0\0\x01a", "latin1"))],
  ["a length that is none", Buffer.from("D\0\0\0\x01\0\0\0\0", "latin1")],
])("a row with %s is refused, wherever the bytes are cut", (_, bytes) => {
  for (let size = 1; size <= bytes.length; size++) expect(() => read(bytes, size)).toThrow(BrokenRowError);
});

test("an answer is long from more than 128 KiB on, until it has ended", () => {
  const reader = new MessageReader({ takeRow: () => {}, takeOthers: () => {} });
  const ready = backend("Z", Buffer.from("I"));
  const row = (length: number) => dataRow("x".repeat(length - 11));
  expect([reader.take(row(131_072)), reader.take(row(20))]).toEqual([false, true]);
  expect([reader.take(ready), reader.take(row(131_072))]).toEqual([false, false]);
  expect(reader.take(row(131_072).subarray(0, 1))).toBe(true);
});

test("a row has so many fields as it is asked for", () => {
  const rows: RowMessage[] = [];
  const reader = new MessageReader({ takeRow: (row) => rows.push(row), takeOthers: () => {} });
  reader.take(dataRow("a", "", null));
  const [row] = rows as [RowMessage];
  expect([row.name, row.count]).toEqual(["dataRow", 3]);
  const taken: (string | null)[] = [];
  row.each(3, (bytes, start, end, index) =>
    taken.push(end < start ? null : `${index} ${bytes.toString("utf8", start, end)}`),
  );
  expect(taken).toEqual(["0 a", "1 ", null]);
  for (const count of [0, 2, 4]) expect(() => row.each(count, () => {})).toThrow(BrokenRowError);
  expect(() => row.each(2, () => {})).toThrow("a row of the database server does not have the fields");
});

test("a row may have no fields", () => {
  const rows: unknown[] = [];
  const reader = new MessageReader({ takeRow: ({ fields }) => rows.push(fields), takeOthers: () => {} });
  reader.take(dataRow());
  expect(rows).toEqual([[]]);
});

test("only rows are no other messages, and nothing is passed on without a byte", () => {
  const passed: number[] = [];
  const reader = new MessageReader({ takeRow: () => {}, takeOthers: ({ length }) => passed.push(length) });
  reader.take(Buffer.concat([dataRow("a"), dataRow("b")]));
  expect(passed).toEqual([]);
  reader.take(Buffer.concat([backend("C", "SELECT 2\0"), dataRow("a")]));
  expect(passed).toEqual([14]);
});

test("a message whose length is none is refused, whatever it is", () => {
  const reader = new MessageReader({ takeRow: () => {}, takeOthers: () => {} });
  expect(() => reader.take(Buffer.from("N\0\0\0\x03", "latin1"))).toThrow(BrokenRowError);
});
