import { expect, test } from "vitest";
import { joinBytes } from "../../../shared/values/join-bytes.js";

test("joins parts of any length in order", () => {
  expect(joinBytes([Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)])).toEqual(
    Uint8Array.of(1, 2, 3),
  );
  expect(joinBytes([])).toEqual(new Uint8Array(0));
});
