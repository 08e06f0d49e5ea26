import { describe, expect, it } from "vitest";
import { multiplied, multiplierOf } from "../../../shared/text/display-multiplier.js";

const most = 2n ** 256n - 1n;

describe("An amount that is multiplied for display", () => {
  it.each<[units: bigint, numerator: bigint, denominator: bigint, shown: bigint | undefined]>([
    [100n, 3n, 2n, 150n],
    [7n, 1n, 2n, 4n],
    [5n, 1n, 3n, 2n],
    [4n, 1n, 3n, 1n],
    [-7n, 1n, 2n, -4n],
    [1n, 1n, 3n, 0n],
    [2n ** 120n, 2n ** 136n - 1n, 1n, 2n ** 256n - 2n ** 120n],
    [most, most, most - 1n, undefined],
    [most, 1n, most, 1n],
    [1n, most, 1n, most],
  ])("%s by %s / %s is %s", (units, numerator, denominator, shown) => {
    expect(multiplied(units, { numerator, denominator })).toBe(shown);
  });

  it("is only shown if it differs, and fits an integer of the TVM", () => {
    expect(multiplied(5n, { numerator: 3n, denominator: 3n })).toBeUndefined();
    expect(multiplied(0n, { numerator: 3n, denominator: 1n })).toBeUndefined();
    expect(multiplied(2n, { numerator: most, denominator: 1n })).toBeUndefined();
    expect(multiplied(10n ** 5000n, { numerator: 1n, denominator: 10n })).toBeUndefined();
  });
});

describe("The multiplier in metadata", () => {
  const of = (scaled_ui: unknown) =>
    multiplierOf({ type: "jetton_masters", extra: { scaled_ui: scaled_ui as never } });

  it("has two positive numbers", () => {
    expect(of({ numerator: "10", denominator: "3" })).toEqual({ numerator: 10n, denominator: 3n });
    expect(of({ numerator: String(most), denominator: "1" })).toEqual({ numerator: most, denominator: 1n });
  });

  it.each([
    [undefined],
    [{}],
    [{ numerator: "1" }],
    [{ numerator: 1, denominator: 2 }],
    [{ numerator: "0", denominator: "1" }],
    [{ numerator: "1", denominator: "0" }],
    [{ numerator: "-1", denominator: "1" }],
    [{ numerator: "1e9", denominator: "1" }],
    [{ numerator: "9".repeat(79), denominator: "1" }],
    ["10"],
    [7],
  ])("is none of %j", (value) => {
    expect(of(value)).toBeUndefined();
  });
});
