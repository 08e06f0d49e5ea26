import { expect, it } from "vitest";
import { AnswerCache, noHead } from "../../server/rpc/cache.js";

it("questions whose hashes are equal have separate answers", () => {
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

it("results are stored only if they were read from the newest version of the index that is known", () => {
  const index = { current: "7 0", version: { n: 7, seqno: 40 } };
  const cache = new AnswerCache({ maxBytes: 100_000, chain: { current: "block 1" }, index });
  for (const kind of ["index", "both"] as const) {
    const slot = (key: string) => cache.slot({ kind }, key, {})!;
    slot("behind").write("old", { n: 6, seqno: 39 });
    slot("level").write("new", { n: 7, seqno: 40 });
    slot("without").write("none");
    expect([slot("behind").read(), slot("level").read(), slot("without").read()]).toEqual([
      undefined,
      "new",
      "none",
    ]);
    expect(slot("level").indexVersion).toEqual({ n: 7, seqno: 40 });
  }
  // A version that was read before its notification arrived.
  const early = cache.slot({ kind: "index" }, "early", {})!;
  Object.assign(index, { current: "8 0", version: { n: 8, seqno: 41 } });
  early.write("newer", { n: 8, seqno: 41 });
  const slot = (key: string) => cache.slot({ kind: "index" }, key, {})!;
  expect([slot("early").read(), slot("level").read()]).toEqual([undefined, undefined]);
  expect(slot("level").indexVersion).toBeUndefined();
});
