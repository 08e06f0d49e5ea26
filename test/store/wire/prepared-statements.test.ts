import { describe, expect, it } from "vitest";
import { PreparedStatements } from "../../../server/store/wire/prepared-statements.js";

const text = "select 1";

describe("the prepared statements of a connection", () => {
  it("are known from the moment they are sent", () => {
    const prepared = new PreparedStatements();
    expect(prepared.get("a", text)).toBeUndefined();
    const a = prepared.add("a", text);
    expect(prepared.get("a", text)).toBe(a);
  });

  it("are forgotten if the server skipped them behind an error, and are then prepared again", () => {
    const prepared = new PreparedStatements();
    const [first, second] = [prepared.add("first", text), prepared.add("second", text)];
    prepared.drop(second);
    expect([prepared.get("first", text), prepared.get("second", text)]).toEqual([first, undefined]);
    expect([prepared.isTaken("second"), prepared.isTaken("third")]).toEqual([true, false]);
    const again = prepared.add("second", text);
    expect(again).not.toBe(second);
    expect(prepared.get("second", text)).toBe(again);
  });

  it("do not include those without a name, which are for one query", () => {
    const prepared = new PreparedStatements();
    const unnamed = prepared.add("", text);
    expect(prepared.get("", text)).toBeUndefined();
    prepared.drop(unnamed);
    expect(prepared.isTaken("")).toBe(false);
  });

  it("keep a later statement of the same name when an earlier one is dropped", () => {
    const prepared = new PreparedStatements();
    const early = prepared.add("same", text);
    const late = prepared.add("same", text);
    prepared.drop(early);
    expect(prepared.get("same", text)).toBe(late);
  });

  it("have one text by a name, which is closed before it is another's", () => {
    const prepared = new PreparedStatements();
    expect(prepared.isTaken("a")).toBe(false);
    prepared.add("a", text);
    expect([prepared.get("a", "select 2"), prepared.isTaken("a")]).toEqual([undefined, true]);
    const other = prepared.add("a", "select 2");
    expect([prepared.get("a", text), prepared.get("a", "select 2")]).toEqual([undefined, other]);
  });
});
