import { describe, expect, it } from "vitest";
import { PreparedStatements } from "../../../server/store/wire/prepared-statements.js";

describe("the prepared statements of a connection", () => {
  it("are known from the moment they are sent", () => {
    const prepared = new PreparedStatements();
    expect(prepared.get("a")).toBeUndefined();
    const a = prepared.add("a");
    expect(prepared.get("a")).toBe(a);
    expect(prepared.isUncertain("a")).toBe(false);
  });

  it("are forgotten if the server skipped them behind an error, and are then prepared again", () => {
    const prepared = new PreparedStatements();
    const [first, second] = [prepared.add("first"), prepared.add("second")];
    prepared.drop(second);
    expect([prepared.get("first"), prepared.get("second")]).toEqual([first, undefined]);
    expect([prepared.isUncertain("first"), prepared.isUncertain("second")]).toEqual([false, true]);
    const again = prepared.add("second");
    expect(again).not.toBe(second);
    expect(prepared.get("second")).toBe(again);
    expect(prepared.isUncertain("second")).toBe(false);
  });

  it("do not include those without a name, which are for one query", () => {
    const prepared = new PreparedStatements();
    const unnamed = prepared.add("");
    expect(prepared.get("")).toBeUndefined();
    prepared.drop(unnamed);
    expect(prepared.isUncertain("")).toBe(false);
  });

  it("keep a later statement of the same name when an earlier one is dropped", () => {
    const prepared = new PreparedStatements();
    const early = prepared.add("same");
    const late = prepared.add("same");
    prepared.drop(early);
    expect(prepared.get("same")).toBe(late);
    expect(prepared.isUncertain("same")).toBe(false);
  });
});
