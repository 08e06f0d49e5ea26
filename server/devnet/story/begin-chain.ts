import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import type { ChainStorage } from "../storage/chain-storage.js";
import type { ChainCache } from "./chain-cache.js";
import type { StoryBlock } from "./story-block.js";

/** A chain with its first block. */
type Begun = {
  /** Settles when all blocks are made or the signal is aborted. */
  end: Promise<void>;
  /** The last of the cached blocks that it started with; undefined also for a chain that goes on. */
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
 * Starts a new chain with the cached first blocks of an equal one, or makes and caches them; a stored chain goes on.
 * Resolves after the first block.
 */
export async function beginChain(
  { chain, storage, cache, settings, story }: Beginning,
  signal: AbortSignal,
): Promise<Begun> {
  const { clock, genesis } = chain;
  if (chain.head.seqno > 0)
    return { end: Promise.resolve(), kept: undefined, cached: Promise.resolve(undefined) };
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

/**
 * Makes the first block of a new chain, and those of the story, timed so that the last one has the current time. Blocks
 * have no time limit, so their content is reproducible. Resolves after the first block; `end` settles when all blocks
 * are made or the signal is aborted.
 */
async function runStory(
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
