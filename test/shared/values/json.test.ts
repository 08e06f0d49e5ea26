import { expect, it } from "vitest";
import { ifJson } from "../../../shared/values/json.js";

it("a text that is not JSON has no value", () => {
  expect(ifJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(ifJson("null")).toBeNull();
  for (const text of ["", "{", "<html>", "undefined"]) expect(ifJson(text)).toBeUndefined();
});
