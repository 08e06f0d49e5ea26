import { expect, test } from "vitest";
import { recordStore } from "../../../client/verified/record-store.js";
import type { TrustStorage } from "../../../client/verified/storage.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { ManualTimers } from "../../helpers/manual-timers.js";

const hash = new Uint8Array(32).fill(7);
const zeroState = { workchain: masterchain, shard: wholeShard, seqno: 0, rootHash: hash, fileHash: hash };
const record = {
  ...{ network: "test", zeroState, start: zeroState, keyBlock: zeroState },
  ...{ genUtime: 1, verifiedAt: 2 },
};
const never = () => new Promise<never>(() => {});

test("a storage that does not answer is reported, and stops nothing", async () => {
  const timers = new ManualTimers();
  const blocked: TrustStorage = { name: "a database", get: never, set: never };
  const store = recordStore(blocked, zeroState, timers);
  const problems: string[] = [];
  const read = store.read((problem) => problems.push(problem));
  timers.pass(5000);
  expect(await read).toBeUndefined();
  expect(problems).toEqual(["the storage does not answer"]);
  const written = store.write(record);
  timers.pass(5000);
  await expect(written).rejects.toThrow("the storage does not answer");
  expect(timers.waiting).toBe(0);
});

test("a record is read as it was written, under the name of its network", async () => {
  const texts = new Map<string, string>();
  const timers = new ManualTimers();
  const storage: TrustStorage = {
    name: "a map",
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
  };
  const store = recordStore(storage, zeroState, timers);
  await store.write(record);
  expect([...texts.keys()]).toEqual(["07".repeat(8)]);
  expect(await store.read(expect.unreachable)).toEqual(record);
  expect(timers.waiting).toBe(0);
});
