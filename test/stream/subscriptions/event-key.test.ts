import { describe, expect, it } from "vitest";
import {
  compareKeys,
  cursorOf,
  type EventKey,
  endOf,
  keyOfCursor,
  ranks,
  unitMark,
} from "../../../server/stream/subscriptions/event-key.js";

const chain = "0a1b2c3d";
const key: EventKey = { seqno: 12, rank: 1, lt: 34n, id: "0:AB", unit: "01020304" };
const encoded = (text: string) => Buffer.from(text).toString("base64url");

describe("the order of events", () => {
  it("is by block, rank, lt and id", () => {
    const sorted: EventKey[] = [
      { seqno: 9, rank: 9, lt: 9n, id: "z" },
      { seqno: 10, rank: 0, lt: 9n, id: "z" },
      { seqno: 10, rank: 1, lt: 2n, id: "z" },
      { seqno: 10, rank: 1, lt: 10n, id: "a" },
      { seqno: 10, rank: 1, lt: 10n, id: "b" },
      endOf({ seqno: 10, rootHash: new Uint8Array(32) }),
      { seqno: 11, rank: 0, lt: 0n, id: "" },
    ];
    for (const [at, one] of sorted.entries())
      for (const [place, other] of sorted.entries())
        expect([at, place, Math.sign(compareKeys(one, other))]).toEqual([at, place, Math.sign(at - place)]);
  });

  it("is the same in both protocols, and ends with the end of the block", () => {
    expect(ranks).toEqual({
      block: 0,
      transactions: 1,
      transaction: 1,
      account_state_change: 2,
      account: 2,
      jettons_change: 3,
      jetton: 3,
      trace: 4,
      trace_record: 4,
      actions: 5,
      action: 5,
      message: 6,
    });
    const rootHash = Uint8Array.of(1, 2, 3, 0xff, 5);
    expect(endOf({ seqno: 7, rootHash })).toEqual({ seqno: 7, rank: 9, lt: 0n, id: "", unit: "010203ff" });
    expect(unitMark({ rootHash })).toBe("010203ff");
  });
});

describe("a cursor", () => {
  it("has the members of its key", () => {
    const text = Buffer.from(cursorOf(key, chain), "base64url").toString();
    expect(text).toBe("c1.12.1.34.0:AB.01020304.0a1b2c3d");
    expect(keyOfCursor(cursorOf(key, chain), chain)).toEqual(key);
  });

  it("may lack the block's hash and the id", () => {
    const short = { seqno: 0, rank: 0, lt: 0n, id: "" };
    const cursor = cursorOf(short, chain);
    expect(Buffer.from(cursor, "base64url").toString()).toBe("c1.0.0.0...0a1b2c3d");
    expect(keyOfCursor(cursor, chain)).toStrictEqual(short);
  });

  it("holds the largest numbers and ids", () => {
    const large = { seqno: 4_294_967_295, rank: 99, lt: 2n ** 64n - 1n, id: "x".repeat(128) };
    expect(keyOfCursor(cursorOf(large, chain), chain)).toEqual(large);
  });

  it.each([
    "c2.12.1.34.0:AB.01020304.0a1b2c3d",
    "xc1.12.1.34.0:AB.01020304.0a1b2c3d",
    "c1.12.1.34.0:AB.01020304.0a1b2c3dx",
    "c1.12.1.34.0:AB.01020304.0a1b2c3e",
    "c1.12345678901.1.34.0:AB.01020304.0a1b2c3d",
    "c1.12.123.34.0:AB.01020304.0a1b2c3d",
    "c1.12.1.123456789012345678901.0:AB.01020304.0a1b2c3d",
    `c1.12.1.34.${"x".repeat(129)}.01020304.0a1b2c3d`,
    "c1.12.1.34.0:AB.0102030.0a1b2c3d",
    "c1.12.1.34.0:AB.0102030G.0a1b2c3d",
    "c1.a.1.34.0:AB.01020304.0a1b2c3d",
    "c1.12.-1.34.0:AB.01020304.0a1b2c3d",
    "c1.12.1..0:AB.01020304.0a1b2c3d",
    "c1.12.1.34.0:AB.01020304",
    "",
  ])("is refused as %j", (text) => {
    expect(keyOfCursor(encoded(text), chain)).toBeUndefined();
  });

  it("is refused if it is no base64, or too long", () => {
    expect(keyOfCursor("?", chain)).toBeUndefined();
    expect(keyOfCursor("A".repeat(600), chain)).toBeUndefined();
  });
});
