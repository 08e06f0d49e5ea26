import { serializeBoc } from "../../../shared/ton/cells/boc.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import type { StoryBlock } from "./story-block.js";

/**
 * Makes the first block of a new chain, and those of the story, timed so that the last one has the current time. Blocks
 * have no time limit, so their content is reproducible. Resolves after the first block; `end` settles when all blocks
 * are made or the signal is aborted.
 */
export async function runStory(
  chain: DevnetChain,
  blocks: readonly StoryBlock[],
  signal: AbortSignal,
): Promise<{ end: Promise<void> }> {
  const { clock } = chain;
  await chain.begin();
  if (blocks.length === 0) await chain.catchUp();
  const first = clock.next(chain.lastUtime) - blocks.length;
  const timeOf = (index: number) => (clock.mode === "fixed" ? undefined : first + index);
  return { end: runRest() };

  async function runRest(): Promise<void> {
    for (const [index, { messages, edits = [] }] of blocks.entries()) {
      if (signal.aborted) return;
      for (const message of messages) await chain.sendTrusted(serializeBoc(message));
      if (signal.aborted) return;
      await chain.step({ utime: timeOf(index), noTimeLimit: true, edits });
    }
  }
}
