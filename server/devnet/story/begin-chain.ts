import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import type { ChainStorage } from "../storage/chain-storage.js";
import type { ChainCache } from "./chain-cache.js";
import { runStory } from "./run-story.js";
import type { StoryBlock } from "./story-block.js";

/** A chain with its first block. */
type Begun = {
  /** Settles when all blocks are made or the signal is aborted. */
  end: Promise<void>;
  /** The last of the cached blocks that it started with. */
  kept: BlockIdExt | undefined;
  /** The last block of the cached beginning, once it is cached. */
  cached: Promise<BlockIdExt | undefined>;
};

type Beginning = {
  chain: DevnetChain;
  storage: Pick<ChainStorage, "records" | "statesAt" | "idOf">;
  /** Cache of first blocks; absent if they are not cached. */
  cache: ChainCache | undefined;
  /** Everything that the blocks depend on besides the zero states. */
  settings: { story: boolean };
  /** Composes the story. */
  story: () => StoryBlock[];
};

/**
 * Starts a new chain with the cached first blocks of an equal one, or makes and caches them. Resolves after the first
 * block.
 */
export async function beginChain(
  { chain, storage, cache, settings, story }: Beginning,
  signal: AbortSignal,
): Promise<Begun> {
  const { clock, genesis } = chain;
  // The first block has the same time in all chains.
  const now = settings.story && clock.mode === "wall" ? clock.next(0) : undefined;
  const kept = await cache?.find(genesis, settings, now);
  if (kept) {
    await chain.beginWith(kept);
    const last = chain.head;
    await chain.catchUp({ noTicks: true });
    return { end: Promise.resolve(), kept: last, cached: Promise.resolve(last) };
  }
  const blocks = story();
  let accepted = 0;
  const stopCounting = chain.accepted.add(() => accepted++);
  const { end } = await runStory(chain, blocks, signal);
  const cached = end.then(keep).finally(stopCounting);
  return { end: cached.then(() => {}), kept: undefined, cached };

  async function keep(): Promise<BlockIdExt | undefined> {
    const steps = 1 + blocks.length;
    const sent = blocks.reduce((sum, { messages }) => sum + messages.length, 0);
    // Other messages or blocks may have been added meanwhile.
    const isItself = blocks.length === 0 || (accepted === sent && chain.head.seqno === steps);
    if (signal.aborted || !isItself || !cache) return undefined;
    const [records, states] = await Promise.all([storage.records(steps), storage.statesAt(steps)]);
    if (!states) return undefined;
    await cache.keep(genesis, settings, { records, states });
    return storage.idOf(steps);
  }
}
