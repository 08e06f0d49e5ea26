import { expect, test } from "vitest";
import { RecentMap } from "../../../shared/values/recent-map.js";

const keysIn = (map: RecentMap<number, string>, upTo: number) =>
  Array.from({ length: upTo }, (_, key) => key).filter((key) => map.has(key));

test("It has its entries until they are deleted or replaced", () => {
  const map = new RecentMap<number, string>(10);
  map.set(1, "one");
  map.set(2, "two");
  map.set(1, "other");
  map.delete(2);
  expect([map.get(1), map.get(2), map.has(1), map.has(2)]).toEqual(["other", undefined, true, false]);
});

test("It has at least as many of the newest entries as it was made for, and at most twice as many", () => {
  const map = new RecentMap<number, string>(10);
  for (let key = 0; key < 1000; key++) {
    map.set(key, `${key}`);
    const kept = keysIn(map, key + 1);
    expect(kept.length).toBeLessThanOrEqual(20);
    expect(kept.slice(-10)).toEqual(
      Array.from({ length: Math.min(10, key + 1) }, (_, n) => key - n).reverse(),
    );
  }
});

test("Entries that are used stay, lookups of others do not matter", () => {
  const map = new RecentMap<number, string>(10);
  map.set(0, "used");
  map.set(1, "looked for");
  for (let key = 2; key < 1000; key++) {
    map.set(key, `${key}`);
    map.get(0);
    map.has(1);
  }
  expect([map.get(0), map.has(1)]).toEqual(["used", false]);
});

test("An entry that is replaced or deleted after a while has no earlier value left", () => {
  const map = new RecentMap<number, string>(2);
  map.set(0, "first");
  map.set(1, "");
  map.set(2, "");
  map.set(0, "second");
  expect(map.get(0)).toBe("second");
  map.delete(0);
  expect(map.has(0)).toBe(false);
  map.set(3, "");
  map.set(4, "");
  map.delete(3);
  expect(map.has(3)).toBe(false);
});
