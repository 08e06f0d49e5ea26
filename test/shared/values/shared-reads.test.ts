import { describe, expect, it } from "vitest";
import { sharedRead } from "../../../shared/values/shared-reads.js";

describe("reads by key", () => {
  it("are shared by callers, before and after they end", async () => {
    const reads = new Map<string, Promise<number>>();
    let count = 0;
    const read = async () => ++count;
    expect(await Promise.all(["a", "a", "b"].map((key) => sharedRead(reads, key, read)))).toEqual([1, 1, 2]);
    expect(await sharedRead(reads, "a", read)).toBe(1);
  });

  it("are repeated after a failure, which all callers get", async () => {
    const reads = new Map<string, Promise<number>>();
    const failure = new Error("no answer");
    const failed = [1, 2].map(() => sharedRead(reads, "a", () => Promise.reject(failure)));
    for (const each of failed) await expect(each).rejects.toBe(failure);
    expect(await sharedRead(reads, "a", async () => 3)).toBe(3);
  });
});
