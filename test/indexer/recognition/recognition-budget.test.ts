import { expect, test } from "vitest";
import type { FinalAccountState } from "../../../server/indexer/decode/account.js";
import { keyOf } from "../../../server/indexer/hash-key.js";
import type { AccountTurn } from "../../../server/indexer/recognition/account-turn.js";
import {
  type BatchBudget,
  RecognitionBudget,
} from "../../../server/indexer/recognition/recognition-budget.js";

const limits = { codeMs: 5, trustedMs: 50, accountMs: 100, share: 0.1, savedMs: 400, trialGas: 20_000 };
const block = {} as never;
const account = (name: string) => ({ state: { account: Buffer.from(name) } }) as unknown as FinalAccountState;

/** Runs a code once for an account. Whether it was recognised. */
async function run(batch: BatchBudget, { name = "one", code = "code", ms = 0 }): Promise<boolean> {
  const found = await batch.turn(account(name), block, async (turn) => {
    turn.begin(code);
    turn.spent(ms);
    return true;
  });
  return found === true;
}

const names = ({ deferred }: BatchBudget) => deferred.map((each) => keyOf(each.account.state.account));

test("A code that owes more than an account may take waits until cheap accounts have paid for it", async () => {
  const budget = new RecognitionBudget(limits);
  const batch = budget.forBatch();
  expect(await run(batch, { name: "dear", ms: 120 })).toBe(true);
  expect(await run(batch, { name: "next" })).toBe(false);
  expect(await run(batch, { name: "other", code: "other" })).toBe(true);
  expect(names(batch)).toEqual(["next"]);
  expect(batch.deferred[0]).toMatchObject({ blamed: "code", costMs: 120 });
  const later = budget.unbounded();
  for (let i = 0; i < 4; i++) expect(await run(later, { name: `cheap ${i}` })).toBe(true);
  expect(await run(budget.forBatch(), { name: "next" })).toBe(true);
});

test("An account that was dear is left for later although its code is cheap, until it is cheap", async () => {
  const budget = new RecognitionBudget(limits);
  const cheap = async (batch: BatchBudget) => {
    for (let i = 0; i < 40; i++) await run(batch, { name: `cheap ${i}` });
  };
  await cheap(budget.forBatch());
  expect(await run(budget.forBatch(), { name: "dear", ms: 150 })).toBe(true);
  await cheap(budget.forBatch());
  const batch = budget.forBatch();
  expect([await run(batch, { name: "dear" }), await run(batch, { name: "cheap 1" })]).toEqual([false, true]);
  expect(batch.deferred[0]).toMatchObject({ blamed: "code", costMs: 150 });
  expect(await run(budget.unbounded(), { name: "dear", ms: 1 })).toBe(true);
  expect(await run(budget.forBatch(), { name: "dear" })).toBe(true);
});

test("Codes without savings share a part of the time that passes, however many batches come in it; trusted code does not wait", async () => {
  let now = 0;
  const budget = new RecognitionBudget(limits, () => now);
  for (let i = 0; i < 12; i++) await run(budget.forBatch(), { name: `cheap ${i}`, code: "trusted" });
  let codes = 0;
  const recognised = async (many: BatchBudget) => {
    for (let count = 0; ; count++) {
      const name = `new ${codes++}`;
      if (!(await run(many, { name, code: name, ms: 55 }))) return count;
    }
  };
  // They are unknown, so none has an allowance.
  expect(await recognised(budget.forBatch())).toBe(8);
  expect(await run(budget.forBatch(), { name: "cheap 1", code: "trusted" })).toBe(true);
  for (let i = 0; i < 100; i++) expect(await recognised(budget.forBatch())).toBe(0);
  now += 2000;
  expect(await recognised(budget.forBatch())).toBe(3);
  now += 1_000_000;
  expect(await recognised(budget.forBatch())).toBe(8);
  // Time taken beyond the budget is owed.
  budget.take(1000);
  now += 10_000;
  expect(await recognised(budget.forBatch())).toBe(0);
  now += 490;
  expect(await recognised(budget.forBatch())).toBe(1);
});

test("A code of which nothing is known has a trial; if that is not enough, it waits until it was run without one", async () => {
  const budget = new RecognitionBudget(limits);
  const isTrial = async (batch: BatchBudget, name: string, fails = false) => {
    let isTried: boolean | undefined;
    await batch.turn(account(name), block, async (turn) => {
      isTried = turn.begin("code");
      turn.spent(1);
      if (fails) turn.failTrial("code");
    });
    return isTried;
  };
  const batch = budget.forBatch();
  expect(await isTrial(batch, "first", true)).toBe(true);
  expect(await isTrial(batch, "second")).toBeUndefined();
  expect(batch.deferred).toMatchObject([
    { blamed: "code", costMs: 50 },
    { blamed: "code", costMs: 50 },
  ]);
  const late = budget.unbounded();
  expect(await isTrial(late, "first")).toBe(false);
  expect(await isTrial(budget.forBatch(), "second")).toBe(false);
});

test("Accounts that are under way are stopped once there is no time left", async () => {
  const budget = new RecognitionBudget({ ...limits, savedMs: 10 });
  const batch = budget.forBatch();
  const begun: AccountTurn[] = [];
  const hang = (name: string) =>
    batch.turn(account(name), block, (turn) => {
      begun.push(turn);
      turn.begin(name);
      return new Promise<never>((_, reject) => {
        turn.signal.addEventListener("abort", () => reject(turn.signal.reason));
      });
    });
  const waiting = [hang("a"), hang("b")];
  begun[0]!.spent(20);
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  expect(names(batch)).toEqual(["a", "b"]);
});

test("A failure that is no budget's is thrown", async () => {
  const batch = new RecognitionBudget(limits).forBatch();
  const failing = batch.turn(account("one"), block, () => Promise.reject(new Error("the chain is away")));
  await expect(failing).rejects.toThrow("the chain is away");
  expect(batch.deferred).toEqual([]);
});
