import { describe, expect, it } from "vitest";
import { bytesOfBase64, bytesOfHex } from "../../../shared/values/bytes.js";
import {
  deleteOldest,
  foundIn,
  itemAt,
  memberOf,
  takeFirst,
  valueAt,
} from "../../../shared/values/lookups.js";

describe("a lookup of what is known to be there", () => {
  it("gives it", () => {
    const list = ["a", "b", "c"];
    expect([itemAt(list, 0), itemAt(list, -1), itemAt("xyz", 1), itemAt([null], 0)]).toEqual([
      "a",
      "c",
      "y",
      null,
    ]);
    expect(foundIn(list, (each) => each > "a")).toBe("b");
    expect(valueAt(new Map([["a", 1]]), "a")).toBe(1);
    expect(memberOf({ a: 0 }, "a")).toBe(0);
    expect([takeFirst(list), list]).toEqual(["a", ["b", "c"]]);
    expect([bytesOfHex("0aff"), bytesOfBase64("Cv8=")]).toEqual(Array(2).fill(Uint8Array.of(10, 255)));
  });

  it("throws where it is not", () => {
    for (const place of [3, -4, 0.5]) expect(() => itemAt([1, 2, 3], place)).toThrow(RangeError);
    expect(() => foundIn([1], (each) => each > 1)).toThrow(RangeError);
    expect(() => valueAt(new Map<string, number>(), "a")).toThrow("nothing is known by a");
    expect(() => memberOf<number>({}, "a")).toThrow("a record has no a");
    expect(() => takeFirst([])).toThrow(RangeError);
    expect(() => bytesOfHex("x")).toThrow("not hex");
    expect(() => bytesOfBase64("*")).toThrow("not base64");
  });

  it("takes the oldest key out of maps and sets, if there is one", () => {
    const set = new Set([3, 1]);
    const map = new Map([[2, "two"]]);
    for (let round = 0; round < 2; round++) {
      deleteOldest(map);
      if (round === 0) deleteOldest(set);
    }
    expect([set, map]).toEqual([new Set([1]), new Map()]);
  });
});
