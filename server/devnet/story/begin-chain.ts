import type { DevnetChain } from "../chain/devnet-chain.js";
import type { ChainStorage } from "../storage/chain-storage.js";
import { runStory } from "./run-story.js";
import type { StoryBlock } from "./story-block.js";
import type { ToldChains } from "./told-chains.js";

type Beginning = {
  chain: DevnetChain;
  storage: Pick<ChainStorage, "records" | "statesAt">;
  /** Where the first blocks are kept; absent if they are not. */
  told: ToldChains | undefined;
  /** All that these blocks depend on besides the zero states. */
  settings: { story: boolean };
  /** Composes the story. */
  story: () => StoryBlock[];
};

/**
 * Begins a new chain with the blocks that an equal one began with, if they are kept; otherwise makes and keeps them. Resolves
 * after the first block; `end` settles when all blocks are made or the signal is aborted.
 */
export async function beginChain(
  { chain, storage, told, settings, story }: Beginning,
  signal: AbortSignal,
): Promise<{ end: Promise<void> }> {
  const { clock, genesis } = chain;
  // The first block has the same time in all chains.
  const now = settings.story && clock.mode === "wall" ? clock.next(0) : undefined;
  const kept = await told?.find(genesis, settings, now);
  if (kept) {
    await chain.beginWith(kept);
    await chain.catchUp({ noTicks: true });
    return { end: Promise.resolve() };
  }
  const blocks = story();
  let accepted = 0;
  const stopCounting = chain.accepted.add(() => accepted++);
  const { end } = await runStory(chain, blocks, signal);
  return { end: end.then(keep).finally(stopCounting) };

  async function keep(): Promise<void> {
    const steps = 1 + blocks.length;
    const sent = blocks.reduce((sum, { messages }) => sum + messages.length, 0);
    // Others may have sent messages or made blocks meanwhile.
    const isItself = blocks.length === 0 || (accepted === sent && chain.head.seqno === steps);
    if (signal.aborted || !isItself || !told) return;
    const [records, states] = await Promise.all([storage.records(steps), storage.statesAt(steps)]);
    if (states) await told.keep(genesis, settings, { records, states });
  }
}
