import { describe, expect, test } from "vitest";
import { runCall } from "../../../server/chain/serve/run-call.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import type { ServedChain } from "../../../shared/ton/proofs/make/served-chain.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { ManualTimers } from "../../helpers/manual-timers.js";

/** A chain with a length and nothing else. */
class GrowingChain implements Pick<ServedChain, "last" | "onChange"> {
  seqno = 5;
  readonly listeners = new Set<() => void>();

  get last() {
    const hash = new Uint8Array(32);
    return { workchain: -1, shard: wholeShard, seqno: this.seqno, rootHash: hash, fileHash: hash };
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  grow(): void {
    this.seqno++;
    for (const listener of this.listeners) listener();
  }
}

describe("a call that waits for a block", () => {
  const setUp = () => {
    const chain = new GrowingChain();
    const timers = new ManualTimers();
    const call = (waitSeqno: number, deadline?: number) =>
      runCall(chain as unknown as ServedChain, timers, { waitSeqno, deadline }, async () => chain.seqno);
    return { chain, timers, call };
  };

  test("runs once the block exists, and leaves no listener or timer", async () => {
    const { chain, timers, call } = setUp();
    const answer = call(7);
    chain.grow();
    chain.grow();
    expect(await answer).toBe(7);
    expect([chain.listeners.size, timers.waiting]).toEqual([0, 0]);
  });

  test("waits until its deadline, ten seconds at most", async () => {
    const { chain, timers, call } = setUp();
    const [long, short] = [call(7), call(7, timers.now() + 3000)].map((answer) =>
      answer.catch((error: unknown) => error),
    );
    timers.pass(3000);
    expect(await short).toEqual(new LiteError(652, "timeout"));
    timers.pass(6999);
    chain.grow();
    expect(timers.waiting).toBe(1);
    timers.pass(1);
    expect(await long).toEqual(new LiteError(652, "timeout"));
    expect([chain.listeners.size, timers.waiting]).toEqual([0, 0]);
  });

  test("may be at most a hundred blocks ahead of the chain", async () => {
    const { timers, call } = setUp();
    await expect(call(106)).rejects.toMatchObject({ code: 651, message: "too big masterchain block seqno" });
    const answer = call(105).catch((error: unknown) => error);
    timers.pass(10_000);
    expect(await answer).toMatchObject({ code: 652 });
  });
});

describe("a call with a deadline", () => {
  test("rejects at the deadline while the work goes on", async () => {
    const timers = new ManualTimers();
    const never = new Promise<never>(() => {});
    const answer = runCall({} as ServedChain, timers, { deadline: timers.now() + 500 }, () => never);
    timers.pass(500);
    await expect(answer).rejects.toEqual(new LiteError(652, "timeout"));
  });
});
