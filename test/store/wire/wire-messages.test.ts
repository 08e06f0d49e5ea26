import { describe, expect, it } from "vitest";
import { WireMessages } from "../../../server/store/wire/wire-messages.js";
import { type FrontendMessage, frontendMessages } from "../../helpers/frontend-messages.js";

const bound = (...values: unknown[]) => {
  const [message] = frontendMessages(new WireMessages().bind("s1", values).take());
  return (message as FrontendMessage & { is: "bind" }).values;
};

describe("the messages of a statement", () => {
  it("are those of the extended protocol, in one piece", () => {
    const messages = new WireMessages();
    messages.close("s1").parse("s1", "select 'ä€😀', $1").bind("s1", ["ä€😀"]).describe().execute();
    expect(frontendMessages(messages.sync().take())).toEqual([
      { is: "close", kind: "S", name: "s1" },
      { is: "parse", name: "s1", text: "select 'ä€😀', $1", types: 0 },
      { is: "bind", portal: "", name: "s1", values: ["ä€😀"], results: [0] },
      { is: "describe", kind: "P", name: "" },
      { is: "execute", portal: "", rows: 0 },
      { is: "sync" },
    ]);
  });

  it("of several statements follow each other", () => {
    const messages = new WireMessages();
    for (const name of ["one", "two"]) messages.bind(name, []).execute();
    expect(frontendMessages(messages.take()).map(({ is }) => is)).toEqual([
      "bind",
      "execute",
      "bind",
      "execute",
    ]);
  });

  it("are bytes of their own", () => {
    const first = new WireMessages().parse("a", "select 1").take();
    const before = Buffer.from(first);
    new WireMessages().parse("b", "select 2").take();
    expect(first).toEqual(before);
  });
});

describe("the values of a statement", () => {
  it("are texts, or null", () => {
    expect(bound("", 7, 2n ** 64n, true, null, undefined, { a: [1] }, "ä")).toEqual([
      "",
      "7",
      "18446744073709551616",
      "true",
      null,
      null,
      '{"a":[1]}',
      "ä",
    ]);
    expect(bound()).toEqual([]);
  });

  it("are bytes as they are", () => {
    const bytes = new Uint8Array([0, 1, 255]);
    expect(bound("text", bytes, new Uint8Array(0), "more")).toEqual([
      "text",
      Buffer.from(bytes),
      Buffer.alloc(0),
      "more",
    ]);
  });

  it("are lists in the text form of arrays", () => {
    expect(bound([1, 2n], ["a", null], [], [null], [new Uint8Array([1]), "x"])).toEqual([
      '{"1","2"}',
      '{"a",NULL}',
      "{}",
      "{NULL}",
      '{"\\\\x01","x"}',
    ]);
  });

  it.each([
    ["without null", 0, [new Uint8Array([1, 2]), new Uint8Array(0)]],
    ["with null", 1, [null, new Uint8Array([3])]],
  ])("are lists of bytes in the binary form of arrays, %s", (_what, hasNull, list) => {
    const [array] = bound(list) as [Buffer];
    const ints = (...numbers: number[]) => {
      const bytes = Buffer.alloc(4 * numbers.length);
      for (const [at, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * at);
      return bytes;
    };
    const entries = list.flatMap((entry) => (entry ? [ints(entry.length), entry] : [ints(-1)]));
    // One dimension of bytea (17), with so many entries, counted from 1.
    expect(array).toEqual(Buffer.concat([ints(1, hasNull, 17, list.length, 1), ...entries]));
  });

  it.each([1 << 10, 1 << 16, 1 << 18, 1 << 21])("may have %i bytes, with others behind them", (length) => {
    const [text, bytes] = ["ä".repeat(length), Buffer.alloc(length, 7)];
    const given = [text, bytes, [bytes], bytes, text];
    const read = bound(...given);
    expect(
      read.map((value, at) => at === 2 || Buffer.from(value!).equals(Buffer.from(given[at] as string))),
    ).toEqual(Array(5).fill(true));
    // 20 bytes of the array and 4 of its entry before it.
    expect((read[2] as Buffer).subarray(24).equals(bytes)).toBe(true);
    expect(bound(1)).toEqual(["1"]);
  });

  it("fill buffers to the last byte", () => {
    // Whatever the message has before its texts, some length ends at the end of a buffer.
    for (let length = (1 << 16) - 64; length <= 1 << 16; length++) {
      const text = "x".repeat(length);
      expect(bound(text)[0]).toHaveLength(length);
      const [parse] = frontendMessages(new WireMessages().parse("", text).take());
      expect(parse).toMatchObject({ is: "parse", types: 0 });
    }
  });
});
