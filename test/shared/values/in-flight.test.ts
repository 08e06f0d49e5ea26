import { expect, it } from "vitest";
import { InFlight } from "../../../shared/values/in-flight.js";

it("Values in flight are found by key until they are taken or deleted", () => {
  const calls = new InFlight<string, number>();
  calls.set("a", 1);
  calls.set("b", 2);
  calls.set("c", 3);
  expect([calls.get("a"), calls.take("a"), calls.take("a"), calls.get("a")]).toEqual([
    1,
    1,
    undefined,
    undefined,
  ]);
  calls.delete("b");
  calls.delete("b");
  expect(calls.takeAll()).toEqual([3]);
  expect(calls.takeAll()).toEqual([]);
});

it("Keys are no members that objects have", () => {
  const calls = new InFlight<string, number>();
  for (const key of ["toString", "constructor", "__proto__"]) {
    expect(calls.get(key)).toBeUndefined();
    calls.set(key, 1);
    expect(calls.take(key)).toBe(1);
    expect(calls.get(key)).toBeUndefined();
  }
});
