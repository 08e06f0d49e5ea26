import { expect, onTestFinished, test } from "vitest";
import { BagThread } from "../../../server/chain/liteservers/bag-thread.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";

const cell = beginCell().storeUint(9, 9).endCell();
const bag = serializeBoc(cell);

function openThread(): BagThread {
  const thread = new BagThread();
  onTestFinished(() => thread.stop());
  return thread;
}

test("bags are parsed in order, and an invalid one spoils no other", async () => {
  const [first, bad, last] = await openThread().parse([bag, bag.subarray(1), bag]);
  for (const good of [first!, last!]) expect(parseBocRoot(good).hashHex()).toBe(cell.hashHex());
  expect(() => parseBocRoot(bad!)).toThrow("invalid bag of cells: unknown magic");
});

test("a stopped thread rejects its jobs, and the next job starts another one", async () => {
  const thread = openThread();
  const job = thread.parse([bag]);
  thread.stop();
  await expect(job).rejects.toMatchObject({ trouble: "closed" });
  const [parsed] = await thread.parse([bag]);
  expect(parseBocRoot(parsed!).hashHex()).toBe(cell.hashHex());
});
