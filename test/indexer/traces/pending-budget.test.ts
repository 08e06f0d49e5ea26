import { describe, expect, it } from "vitest";
import { externalMessage } from "../../../server/chain/external-message.js";
import { WaitingMessages } from "../../../server/chain/run/waiting-messages.js";
import { PendingTraces } from "../../../server/indexer/traces/pending.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { testConfig } from "../../helpers/chain/sample-chain.js";
import { someAddress } from "../../helpers/index/detection.js";

const call = { signal: new AbortController().signal };

/** Pending traces of messages that each take this much CPU time, oldest first. */
function follow(costs: readonly number[]) {
  const external = costs.map((cpuMs, n) =>
    externalMessage(
      someAddress(n + 1),
      beginCell().storeUint(n, 32).storeUint(cpuMs, 32).endCell(),
      undefined,
    ),
  );
  const bytes = external.map((cell) => serializeBoc(cell));
  const numbers = new Map(external.map((cell, n) => [cell.hashHex(), n]));
  const clock = { now: 0 };
  const reader = {
    last: blockWith(0),
    config: async () => ({ params: decode(ConfigDictionary, testConfig) }),
  };
  const emulated: number[] = [];
  const emulate = async (message: { hashHex(): string }) => {
    const n = numbers.get(message.hashHex())!;
    emulated.push(n);
    return {
      transactions: [],
      unfollowed: 0,
      isCut: false,
      refusal: undefined,
      waitsSinceLt: 0n,
      cpuMs: costs[n]!,
    };
  };
  const pending = new PendingTraces({
    waiting: new WaitingMessages({ pending: async () => bytes }),
    emulator: { emulate },
    reader,
    classifier: {},
    detection: {},
    now: () => clock.now,
  } as never);
  /** Makes a block after some time; returns the messages that were emulated on it. */
  const block = async (number: number, afterMs: number) => {
    clock.now += afterMs;
    reader.last = blockWith(number);
    emulated.length = 0;
    await pending.traces(await pending.messages(), call);
    return [...emulated];
  };
  return block;
}

function blockWith(seqno: number) {
  const hash = new Uint8Array(32).fill(seqno);
  return { workchain: -1, shard: 1n << 63n, seqno, rootHash: hash, fileHash: hash };
}

describe("pending traces", () => {
  it("are all emulated on each block while they are cheap, newest first", async () => {
    const block = follow([1, 1, 1, 1]);
    expect(await block(1, 0)).toEqual([3, 2, 1, 0]);
    expect(await block(2, 400)).toEqual([3, 2, 1, 0]);
    // Once in a block.
    expect(await block(2, 0)).toEqual([]);
  });

  it("have a bounded part of the time, the dearest and oldest last", async () => {
    const costs = [...Array.from({ length: 5 }, () => 250), ...Array.from({ length: 20 }, () => 1)];
    const block = follow(costs);
    await block(1, 0);
    let spentMs = 0;
    for (let number = 2; number < 32; number++) {
      const emulated = await block(number, 400);
      spentMs += emulated.reduce((sum, n) => sum + costs[n]!, 0);
      const places = emulated.map((n) => costs[n]!);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
    // Each block gives 100 ms of the 1270 that all would take.
    expect(spentMs).toBeLessThan(30 * 100 + 500 + 4 * 250);
    expect(spentMs).toBeGreaterThan(30 * 20);
  });

  it("come back once there is time for them", async () => {
    const block = follow([250, 250, 250]);
    expect(await block(1, 0)).toHaveLength(3);
    expect(await block(2, 10)).toEqual([]);
    // Two fit into half a second.
    expect(await block(3, 10_000)).toEqual([2, 1]);
  });
});
