import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { Listeners } from "../../../shared/values/listeners.js";
import type { Fallback } from "../../observe/fallback.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import { decodeStart } from "../fork/kept-start.js";
import { keepAnswersOf, openOrigin } from "../fork/open-origin.js";
import {
  type ForkOptions,
  type ForkOrigin,
  type ForkStart,
  OriginError,
  type OriginLog,
} from "../fork/origin.js";
import { SwitchedOrigin } from "../fork/switched-origin.js";
import { forkedApi, provenForkApi } from "./forked-api.js";
import { Refork } from "./refork.js";

/** Counters of an origin are shown with this delay, in milliseconds. */
const statusRestMs = 200;

/** Opens the network at a block that is known, or "anew" at a masterchain block, by default the newest one. */
type OpenAt = (at: { start?: ForkStart | "anew"; block?: number | undefined }) => Promise<ForkOrigin>;

/** The network that a devnet forks, at the block at which the fork begins. */
export class ForkedNetwork {
  readonly origin: SwitchedOrigin;
  /** The counters of the origin have changed, or it was exchanged. */
  readonly changes: Listeners<void>;
  readonly #options: ForkOptions;
  readonly #openAt: OpenAt;
  readonly #fallback: Fallback;

  private constructor(
    origin: SwitchedOrigin,
    changes: Listeners<void>,
    { options, openAt, fallback }: { options: ForkOptions; openAt: OpenAt; fallback: Fallback },
  ) {
    this.origin = origin;
    this.changes = changes;
    this.#options = options;
    this.#openAt = openAt;
    this.#fallback = fallback;
  }

  /** Opens the network at the block of the zero states. Rejects with an `OriginError` as `openOrigin` does. */
  static async open(
    options: ForkOptions,
    { fallback, log }: { fallback: Fallback; log: OriginLog },
  ): Promise<ForkedNetwork> {
    const changes = new Listeners<void>();
    const onStatus = atMostEach(statusRestMs, () => changes.notify());
    const openAt: OpenAt = ({ start, block }) =>
      openOrigin(start ? { ...options.origin, block } : options.origin, {
        ...{ log, fallback, onStatus },
        ...(start && { start }),
      });
    const origin = new SwitchedOrigin(await openAt({}));
    return new ForkedNetwork(origin, changes, { options, openAt, fallback });
  }

  /** Goes on at the block at which the stored chain has begun anew, and sets its clock. */
  async join(chain: DevnetChain): Promise<Refork> {
    const { origin, changes } = this;
    if (this.#options.time === "block") chain.clock.set(chain.lastUtime + 1, chain.lastUtime);
    const zero = origin.start;
    const stored = chain.stored.fork && storedStart(chain.stored.fork);
    if (stored) await origin.switchTo(await this.#openAt({ start: stored })).close();
    await this.#forgetOthers(zero);
    return new Refork({
      ...{ chain, origin, isMoved: stored !== undefined },
      open: (block) => this.#openAt({ start: "anew", block }),
      onSwitched: () => {
        changes.notify();
        void this.#forgetOthers(zero);
      },
    });
  }

  /** The chain's answers, with those of the network to what the chain lacks. */
  serve(chain: LiteApi): { api: LiteApi; provenApi: LiteApi } {
    const api = forkedApi(chain, this.origin);
    return { api, provenApi: provenForkApi(api, this.origin) };
  }

  close(): Promise<void> {
    return this.origin.close();
  }

  /** Removes cached answers about other blocks than the current one and that of the zero states. */
  async #forgetOthers(zero: ForkStart): Promise<void> {
    const { folder } = this.#options.origin;
    if (folder === undefined) return;
    await keepAnswersOf([zero, this.origin.start], folder).catch((error) =>
      this.#fallback("fork-cache", error),
    );
  }
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

/** A function that runs the job once for all its calls within `ms` milliseconds. */
function atMostEach(ms: number, job: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      job();
    }, ms).unref();
  };
}
