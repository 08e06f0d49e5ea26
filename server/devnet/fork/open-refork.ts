import type { DevnetChain } from "../chain/devnet-chain.js";
import { decodeStart } from "./kept-start.js";
import { keepAnswersOf } from "./open-origin.js";
import { type ForkOrigin, type ForkStart, OriginError } from "./origin.js";
import { Refork } from "./refork.js";
import type { SwitchedOrigin } from "./switched-origin.js";

/** Opens the network at a block that is known, or "anew" at a masterchain block, by default the newest one. */
export type OpenFork = (at: {
  start?: ForkStart | "anew";
  block?: number | undefined;
}) => Promise<ForkOrigin>;

type ReforkOptions = {
  chain: DevnetChain;
  /** The origin at the block of the zero states. */
  origin: SwitchedOrigin;
  open: OpenFork;
  /** Folder of the cached answers. */
  folder: string | undefined;
  onSwitched(): void;
  /** Called if files of the cache cannot be removed. */
  onFailure(error: unknown): void;
};

/** Goes on at the block at which the stored chain has begun anew. */
export async function openRefork(options: ReforkOptions): Promise<Refork> {
  const { chain, origin, open, folder, onSwitched, onFailure } = options;
  const zero = origin.start;
  const stored = chain.stored.fork && storedStart(chain.stored.fork);
  if (stored) await origin.switchTo(await open({ start: stored })).close();
  const forgetOthers = async () => folder !== undefined && keepAnswersOf([zero, origin.start], folder);
  await forgetOthers().catch(onFailure);
  return new Refork({
    ...{ chain, origin, isMoved: stored !== undefined },
    open: (block) => open({ start: "anew", block }),
    onSwitched: () => {
      onSwitched();
      forgetOthers().catch(onFailure);
    },
  });
}

function storedStart(encoded: Uint8Array): ForkStart {
  try {
    return decodeStart(encoded);
  } catch (cause) {
    throw new OriginError("refused", "the data folder has a fork of another version of this program", {
      cause,
    });
  }
}
