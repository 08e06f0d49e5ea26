import { expect, test } from "vitest";
import { randomSource } from "../../server/os/random-bytes.js";

test("gives as many bytes as are asked for, and none twice", () => {
  const randomBytes = randomSource();
  const counts = [32, 8, 160, 1, 0, 8192, 32, 10_000, ...Array.from({ length: 2000 }, () => 32)];
  const given = counts.map((count) => randomBytes(count));
  expect(given.map(({ length }) => length)).toEqual(counts);
  const long = given.filter(({ length }) => length >= 8).map((bytes) => Buffer.from(bytes).toString("hex"));
  const parts = long.flatMap((hex) => hex.match(/.{16}/g)!);
  expect(new Set(parts).size).toBe(parts.length);
});

test("what was given out is not changed by later calls", () => {
  const randomBytes = randomSource();
  const first = randomBytes(32);
  const before = first.slice();
  for (let i = 0; i < 600; i++) randomBytes(32);
  expect(first).toEqual(before);
});
