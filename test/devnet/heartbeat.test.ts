import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDevnet } from "../../server/devnet/open-devnet.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A devnet whose heartbeats a test waits for. */
async function open(elections?: "short") {
  const devnet = await openDevnet(
    {
      seed: "tonwire",
      mining: { mode: "interval", intervalMs: 1000 },
      clock: "fixed",
      rewards: false,
      story: false,
      elections,
    },
    {
      nowMs: () => 0,
      onError: (error) => {
        throw error;
      },
      onDegraded: () => {},
    },
  );
  const transactionsIn = async (id: BlockIdExt) =>
    (await devnet.api.listBlockTransactions({ id, count: 100, account: true, lt: true, hash: true })).ids
      .length;
  const heartbeat = async () => {
    const made = new Promise<BlockIdExt>((resolve) => devnet.events.onHead(resolve));
    await vi.advanceTimersByTimeAsync(10_000);
    return transactionsIn(await made);
  };
  return { devnet, heartbeat, transactionsIn };
}

describe("the blocks that an idle devnet makes for the sake of its clock", () => {
  it("have no ticks and tocks, unlike others", async () => {
    const { devnet, heartbeat, transactionsIn } = await open();
    expect(await heartbeat()).toBe(0);
    expect(await heartbeat()).toBe(0);
    const { block } = await devnet.controls.mine(1);
    expect(await transactionsIn(block)).toBeGreaterThan(0);
    await devnet.close();
  });

  it("have those of the contracts that hold elections", async () => {
    const { devnet, heartbeat } = await open("short");
    expect(await heartbeat()).toBeGreaterThan(0);
    await devnet.close();
  });
});
