import { serializeBoc } from "../../cells/boc.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import type { StoryBlock } from "./story-block.js";

/**
 * Lets a story happen on a chain, block after block, so that its times end now. Each block holds what it shall,
 * however long that takes. Resolves after the first block of a new chain; `end` settles when all has been told, or
 * at the signal.
 */
export async function runStory(
  chain: DevnetChain,
  blocks: readonly StoryBlock[],
  signal: AbortSignal,
): Promise<{ end: Promise<void> }> {
  const { clock } = chain;
  const first = clock.next(chain.lastUtime) - blocks.length - 1;
  const timeOf = (index: number) => (clock.mode === "fixed" ? undefined : first + index);
  const makeBlock = (index: number) => chain.step({ utime: timeOf(index), noTimeLimit: true });
  await makeBlock(0);
  return { end: runRest() };

  async function runRest(): Promise<void> {
    for (const [index, { messages }] of blocks.entries()) {
      if (signal.aborted) return;
      for (const message of messages) await chain.sendTrusted(serializeBoc(message));
      if (signal.aborted) return;
      await makeBlock(index + 1);
    }
  }
}
