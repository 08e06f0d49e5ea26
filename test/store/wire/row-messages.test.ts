import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { type RowMessage, readRowMessages } from "../../../server/store/wire/row-messages.js";

/** A message of the server: its code, its length, and what it has. */
function message(code: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(code), length, body]);
}

function row(...values: (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(values.length);
  const fields = values.map((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value));
    return Buffer.concat([length, Buffer.from(value ?? "")]);
  });
  return message("D", Buffer.concat([count, ...fields]));
}

/** What a connection is given of bytes that arrive in parts of this size. */
function read(bytes: Buffer, size: number): { rows: unknown[]; others: Buffer } {
  const others: Buffer[] = [];
  const connection = Object.assign(new EventEmitter(), {
    attachListeners: (stream: EventEmitter) => void stream.on("data", (part: Buffer) => others.push(part)),
  });
  const rows: unknown[] = [];
  connection.on("dataRow", ({ fields }: RowMessage) => rows.push(fields));
  readRowMessages(connection);
  const stream = new EventEmitter();
  connection.attachListeners(stream);
  const shared = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(shared, 0, at, at + size);
    stream.emit("data", shared.subarray(0, length));
    shared.fill("?");
  }
  return { rows, others: Buffer.concat(others) };
}

test("rows and other messages are whole wherever the bytes are cut", () => {
  const others = [
    message("2", Buffer.alloc(0)),
    message("C", Buffer.from("SELECT 3\0")),
    message("Z", Buffer.from("I")),
  ];
  const rows = [["a", null, ""], ["naïve", "x".repeat(40), null], [null]];
  const bytes = Buffer.concat([others[0]!, ...rows.map((values) => row(...values)), others[1]!, others[2]!]);
  for (let size = 1; size <= bytes.length; size++)
    expect(read(bytes, size)).toEqual({ rows, others: Buffer.concat(others) });
});
