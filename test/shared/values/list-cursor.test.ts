import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesToBase64Url } from "../../../shared/values/bytes.js";
import {
  hasSeal,
  type KeyValue,
  keyBytes,
  ListCursor,
  textOfCursor,
} from "../../../shared/values/list-cursor.js";

const digest = Uint8Array.from({ length: 32 }, (_, place) => 200 + place);
const seal = [200, 201, 202, 203, 204, 205, 206, 207];
const withKey = (...key: number[]) => bytesToBase64Url(Uint8Array.from([...seal, ...key]));

const key = fc.array(
  fc.oneof(
    fc.bigInt(-(2n ** 256n), 2n ** 256n),
    fc.string({ maxLength: 60, unit: "grapheme" }).filter((text) => text.length < 60),
    fc.uint8Array({ maxLength: 64 }),
  ),
  { minLength: 1, maxLength: 8 },
);

describe("a cursor of a list", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(key, (values) => {
        const read = ListCursor.read(textOfCursor(values, digest))!;
        expect(read.after).toEqual(values);
        expect(hasSeal(read, digest)).toBe(true);
        expect(hasSeal(read, digest.toReversed())).toBe(false);
      }),
    );
  });

  it("has the shortest form of its numbers", () => {
    const vectors: [KeyValue, number[]][] = [
      [0n, []],
      [1n, [1]],
      [127n, [127]],
      [128n, [0, 128]],
      [-1n, [255]],
      [-128n, [128]],
      [-129n, [255, 127]],
      [2n ** 63n - 1n, [127, 255, 255, 255, 255, 255, 255, 255]],
    ];
    for (const [value, bytes] of vectors) expect([...keyBytes([value])]).toEqual([1, bytes.length, ...bytes]);
  });

  it("begins with the word start", () => {
    const { after, seal: none } = ListCursor.read("start")!;
    expect([after, none]).toEqual([undefined, undefined]);
    expect(hasSeal(new ListCursor(), digest)).toBe(false);
  });

  it.each([
    ["empty", ""],
    ["another word", "START"],
    ["no base64", "!!!!"],
    ["without a key", withKey()],
    ["padded", `${withKey(1, 1, 5, 1, 0)}=`],
    ["of a value that ends too early", withKey(1, 4, 5)],
    ["of an unknown kind of value", withKey(9, 1, 5)],
    ["of a number that is longer than need be", withKey(1, 2, 0, 5)],
    ["of a text that is no UTF-8", withKey(3, 1, 255)],
    ["of more values than any list has", withKey(...Array(9).fill([1, 0]).flat())],
  ])("is refused: %s", (_, text) => {
    expect(ListCursor.read(text)).toBeUndefined();
  });

  it("is never made of a value that is too long", () => {
    expect(() => textOfCursor(["x".repeat(256)], digest)).toThrow("too long for a cursor");
  });
});
