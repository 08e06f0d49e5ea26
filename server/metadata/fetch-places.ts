import type { ClaimedLink, PostponedLink } from "../store/queries/tokens/metadata.js";
import { FetchError } from "./fetch-error.js";
import { GroupShares, groupOf } from "./group-shares.js";
import type { HostPacing } from "./host-pacing.js";
import { type TargetOptions, targetOf } from "./link-target.js";

export type FetchPlacesOptions = TargetOptions & {
  /**
   * Maximum number of parallel fetches to hosts of one owner. Default: half of all, so that slow owners leave places
   * for others.
   */
  maxPerGroup?: number;
  pacing: HostPacing;
  /** Wall clock, ms. */
  now: () => number;
};

/** A link to fetch at a time; it holds a place until released. */
export type TakenLink = { link: ClaimedLink; at: number; release: () => void };

/** `host` and `group` of the target; a link that is not fetched has no host. */
type Candidate = { link: ClaimedLink; host: string | undefined; group: string };

/** Each fetch may hold a document of 10 MB. */
const maxInFlight = 8;
/** Minimum spacing of links postponed because of others in their group. */
const minSpacingMs = 1000;

/** Assigns fetch places to claimed links, so that no owner of hosts holds all of them. */
export class FetchPlaces {
  readonly #options: FetchPlacesOptions;
  readonly #shares: GroupShares;
  #taken = 0;

  constructor(options: FetchPlacesOptions) {
    this.#options = options;
    this.#shares = new GroupShares(options.maxPerGroup ?? maxInFlight / 2, options.now);
  }

  get free(): number {
    return maxInFlight - this.#taken;
  }

  /** Returns the links to fetch now, and when the others are due. */
  assign(links: readonly ClaimedLink[]): { taken: TakenLink[]; postponed: PostponedLink[] } {
    const candidates = links.map((link) => this.#candidate(link));
    const taken: TakenLink[] = [];
    const postponed: PostponedLink[] = [];
    for (const candidate of this.#shares.inTurns(candidates, ({ group }) => group)) {
      const { link } = candidate;
      const found = this.#place(candidate);
      if ("release" in found) taken.push({ link, ...found });
      else postponed.push({ link, at: found.postponedTo });
    }
    return { taken, postponed };
  }

  #candidate(link: ClaimedLink): Candidate {
    try {
      const { url } = targetOf(link.url, this.#options);
      return { link, host: url.host, group: groupOf(url) };
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      return { link, host: undefined, group: "" };
    }
  }

  #place({ host, group }: Candidate): Omit<TakenLink, "link"> | { postponedTo: number } {
    const { pacing, now } = this.#options;
    if (this.free === 0) return { postponedTo: now() };
    const leave = this.#shares.take(group);
    if (!leave) return { postponedTo: pacing.postpone(group, now(), minSpacingMs) };
    const turn = host === undefined ? { at: now() } : pacing.reserve(host, now());
    if ("postponedTo" in turn) {
      leave();
      return turn;
    }
    this.#taken++;
    const release = () => {
      this.#taken--;
      leave();
    };
    return { at: turn.at, release };
  }
}
