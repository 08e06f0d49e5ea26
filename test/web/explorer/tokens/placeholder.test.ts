import { expect, it } from "vitest";
import { placeholder } from "../../../../server/web/explorer/tokens/picture.js";

it("a placeholder follows from the account, in any form of its address, and is symmetric", () => {
  const [one, other] = [`0:${"00ff7f3c".repeat(8)}`, `0:${"01fe7e3d".repeat(8)}`];
  const drawn = placeholder(one).text;
  expect(placeholder(one.toUpperCase()).text).toBe(drawn);
  expect(placeholder(other).text).not.toBe(drawn);
  const squares = [...drawn.matchAll(/M(\d) (\d)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`);
  expect(squares.length).toBeGreaterThan(0);
  const mirrored = squares.map((each) => `${4 - Number(each[0])}${each.slice(1)}`);
  expect([...mirrored].sort()).toEqual([...squares].sort());
});

it("a placeholder of a text that is no address is plain", () => {
  expect(placeholder(`<svg onload="x">`).text).toMatch(
    /^<svg viewBox="[^"<>]*" aria-hidden="true" fill="hsl\(0 45% 55%\)"><path d=""\/><\/svg>$/,
  );
});
