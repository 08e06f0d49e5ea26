import { expect, it } from "vitest";
import { AnswerCache, noHead } from "../../server/rpc/cache.js";

it("questions whose hashes are equal have answers of their own", () => {
  const chain = { current: "block 1" };
  const cache = new AnswerCache({ maxBytes: 100_000, chain, index: noHead, isChainLocal: true });
  // Only their ends are compared.
  const [one, other] = ["1", "2"].map((digit) => `method ${digit}${"0".repeat(300)}`) as [string, string];
  const slot = (key: string) => cache.slot({ kind: "head" }, key, {})!;
  slot(one).write("first");
  slot(other).write("second");
  expect([slot(one).read(), slot(other).read()]).toEqual([undefined, "second"]);
  slot(one).write("first");
  expect([slot(one).read(), slot(other).read()]).toEqual(["first", "second"]);
});
