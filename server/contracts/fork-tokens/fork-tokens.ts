import { LRUCache } from "lru-cache";
import type { Call } from "../../../shared/methods/define.js";
import type { FoundTokens } from "../../../shared/schema/v3/tokens/found.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { Address } from "../../../shared/values/address.js";
import { handledLater } from "../../../shared/values/promises.js";
import type { Timers } from "../../../shared/values/timers.js";
import {
  type Candidate,
  fromListing,
  fromTransactions,
  type TokenKind,
  type TokenNetwork,
} from "./candidates.js";
import { type Outcome, type SearchParts, type Source, TokenSearch, type Way } from "./token-search.js";

type ForkParts = SearchParts & {
  reader: Pick<ChainReader, "transactions">;
  network: TokenNetwork;
  /** Masters whose wallets are looked up for every owner. */
  jettons: readonly Address[];
  /** How long an answer waits for a search, which goes on without it. */
  waitMs: number;
  timers: Timers;
};
/** `key`: equal for searches with the same outcome. */
type Search = { key: string; owner?: Address; sources: readonly Source[] };

const maxSearches = 4;
const maxSearchMs = 30_000;
/** Owners, masters and addresses of a request that are looked up. */
const limits = { owners: 8, masters: 64, addresses: 64 } as const;
/** Characters of the keys of kept outcomes, and those that an outcome counts for. */
const [maxKept, ownSize] = [4_000_000, 200];
/** An incomplete search is not repeated before. */
const retryMs = 10_000;
const goesOn: Outcome = { by: [], problem: "the search goes on: read again to see what it finds" };

/**
 * Finds tokens of the network that a devnet forks when an answer needs them, and has their accounts imported with a block,
 * from which the index recognises them. Each owner is searched once, and again after a revert.
 */
export class ForkTokens {
  readonly #parts: ForkParts;
  #kept = keptOutcomes();
  readonly #running = new Map<string, Promise<Outcome>>();

  constructor(parts: ForkParts) {
    this.#parts = parts;
  }

  /** Call after a revert, which takes back what was stored. */
  forget(): void {
    this.#kept = keptOutcomes();
  }

  /** Tokens of owners; with masters their wallets of these jettons, which are all that the request is about. */
  ofOwners(
    owners: readonly Address[],
    masters: readonly Address[] | undefined,
    call: Call,
  ): Promise<FoundTokens> {
    const searches = owners
      .slice(0, limits.owners)
      .map((owner) => (masters ? byMasters(owner, masters.slice(0, limits.masters)) : this.#byAll(owner)));
    const isWhole = masters && owners.length <= limits.owners && masters.length <= limits.masters;
    return this.#found(searches, !isWhole, call);
  }

  /** Tokens at addresses. */
  at(kind: TokenKind, addresses: readonly Address[], call: Call): Promise<FoundTokens> {
    const search = byAddresses(kind, addresses.slice(0, limits.addresses));
    return this.#found([search], addresses.length > limits.addresses, call);
  }

  #byAll(owner: Address): Search {
    const { jettons, network, reader } = this.#parts;
    const sources: Source[] = [
      ofMasters("setting", jettons),
      { way: "v3", find: (add, call) => fromListing(owner, { network, call }, add) },
      { way: "transactions", find: (add, call) => fromTransactions(owner, { network, reader, call }, add) },
    ];
    return { key: owner.toRaw(), owner, sources };
  }

  async #found(searches: readonly Search[], partial: boolean, call: Call): Promise<FoundTokens> {
    const { by, problem } = await this.#withinTime(searches, call);
    // Kept answers would hide what a later search finds.
    if (problem !== undefined) call.provisional = true;
    return {
      partial: partial || problem !== undefined,
      by: [...by],
      ...(problem !== undefined && { problem }),
    };
  }

  async #withinTime(searches: readonly Search[], call: Call): Promise<Outcome> {
    const { timers, waitMs } = this.#parts;
    const { timeoutMs = waitMs } = call.options;
    const late = new AbortController();
    const all = handledLater(this.#all(searches, call, late.signal));
    let stop = () => {};
    const over = new Promise<Outcome>((resolve) => {
      stop = timers.after(Math.min(waitMs, timeoutMs), () => resolve(goesOn));
    });
    try {
      return await Promise.race([all, over]);
    } finally {
      stop();
      late.abort();
    }
  }

  async #all(searches: readonly Search[], call: Call, late: AbortSignal): Promise<Outcome> {
    const by = new Set<Way>();
    let problem: string | undefined;
    for (const search of searches) {
      const outcome = await this.#one(search, call, late);
      for (const way of outcome.by) by.add(way);
      problem ??= outcome.problem;
    }
    return { by: [...by], problem };
  }

  async #one(search: Search, call: Call, late: AbortSignal): Promise<Outcome> {
    const { key } = search;
    for (;;) {
      const kept = this.#kept.get(key);
      if (kept && kept.until > this.#parts.timers.now()) return kept.outcome;
      const running = this.#running.get(key);
      if (running) return running;
      // The caller has its answer already.
      if (late.aborted) return goesOn;
      if (this.#running.size < maxSearches) return this.#begin(search, call);
      await Promise.race(this.#running.values());
    }
  }

  #begin(search: Search, call: Call): Promise<Outcome> {
    const running = this.#run(search, call).finally(() => this.#running.delete(search.key));
    this.#running.set(search.key, running);
    return running;
  }

  async #run({ key, owner, sources }: Search, { caller, spent }: Call): Promise<Outcome> {
    // After a revert the outcome is that of a chain which is gone.
    const kept = this.#kept;
    const { timers } = this.#parts;
    const limit = new AbortController();
    const stop = timers.after(maxSearchMs, () => limit.abort());
    try {
      const search = new TokenSearch(this.#parts, { caller, spent, signal: limit.signal });
      const outcome = await search.run(sources, owner);
      const until = outcome.problem === undefined ? Number.POSITIVE_INFINITY : timers.now() + retryMs;
      kept.set(key, { outcome, until });
      return outcome;
    } finally {
      stop();
    }
  }
}

/** The wallets of an owner that these masters have. */
function byMasters(owner: Address, masters: readonly Address[]): Search {
  const key = [owner, ...masters].map((each) => each.toRaw()).join(" ");
  return { key, owner, sources: [ofMasters("request", masters)] };
}

function byAddresses(kind: TokenKind, addresses: readonly Address[]): Search {
  const key = [kind, ...addresses.map((each) => each.toRaw())].join(" ");
  return {
    key,
    sources: [
      named(
        "request",
        addresses.map((address) => ({ kind, address })),
      ),
    ],
  };
}

function ofMasters(way: Way, masters: readonly Address[]): Source {
  return named(
    way,
    masters.map((master) => ({ kind: "wallet", master })),
  );
}

function named(way: Way, candidates: readonly Candidate[]): Source {
  return {
    way,
    async find(add) {
      for (const candidate of candidates) add(candidate);
    },
  };
}

function keptOutcomes() {
  return new LRUCache<string, { outcome: Outcome; until: number }>({
    maxSize: maxKept,
    sizeCalculation: (_, key) => key.length + ownSize,
  });
}
