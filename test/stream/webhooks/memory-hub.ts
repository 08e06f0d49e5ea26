import { onTestFinished } from "vitest";
import { Hub, type HubOptions } from "../../../server/stream/hub.js";
import { cursorOf, endOf } from "../../../server/stream/subscriptions/event-key.js";
import { MemoryIndex, unitAt } from "../memory-index.js";
import { turnsUntil } from "./memory-receiver.js";

export const chain = "00000000";
/** The cursor behind a block. */
export const behind = (seqno: number): string => cursorOf(endOf(unitAt(seqno)), chain);

/** A hub over an index in memory, which begins with these blocks. */
export async function memoryHub(...seqnos: number[]) {
  const index = new MemoryIndex();
  index.add(...seqnos);
  const hub = new Hub({
    index: { read: async (_: unknown, work: (queries: MemoryIndex) => unknown) => work(index) } as never,
    ...{ book: { testOnly: false }, pending: undefined, isDevnet: false, chain, now: () => 0 },
    fallback: () => {},
    onError: (error: Error) => {
      throw error;
    },
  } as unknown as HubOptions);
  hub.start();
  onTestFinished(() => hub.close());
  /** Stores blocks, whose events the hub sends. */
  const store = async (...more: number[]) => {
    index.add(...more);
    hub.indexChanged();
    const last = Math.max(...more);
    await turnsUntil(`block ${last}`, () => hub.seqno === last);
  };
  await turnsUntil("the first block", () => hub.seqno !== undefined || seqnos.length === 0);
  return { hub, index, store };
}
