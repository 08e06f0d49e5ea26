import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Deadline } from "../os/deadline.js";
import { pause } from "../os/pause.js";
import type { Sql } from "../store/database.js";
import {
  type ClaimedLink,
  claimLinks,
  type FetchedMetadata,
  postponeLinks,
  retryLink,
  storeFetched,
} from "../store/queries/tokens/metadata.js";
import { raiseIndexVersion } from "../store/queries/upkeep/index-version.js";
import { DocumentThread } from "./document-thread.js";
import { download } from "./download.js";
import { FetchError, type FetchFailure } from "./fetch-error.js";
import { FetchPlaces, type FetchPlacesOptions, type TakenLink } from "./fetch-places.js";
import { defaultHostIntervalMs, HostPacing } from "./host-pacing.js";
import type { TargetOptions } from "./link-target.js";
import type { MetadataNetwork } from "./network.js";

type FetcherOptions = TargetOptions &
  Pick<FetchPlacesOptions, "maxPerGroup"> & {
    database: Sql;
    network: MetadataNetwork;
    /** Minimum interval between requests to one host. Default: a second. */
    hostIntervalMs?: number | undefined;
    /** Time limit of a try, including all redirects. */
    timeoutMs?: number;
    /** Wall clock, ms. */
    now: () => number;
    /** Called after each try. */
    onFetched(outcome: "ok" | FetchFailure): void;
    /** Called when the database fails. */
    onError(error: Error): void;
  };

/**
 * Claimed links per place: some must wait for their host, or for others of its owner. While all must wait, the number
 * is raised, to find links behind many of one owner.
 */
const minClaimsPerPlace = 4;
const maxClaimsPerPlace = 128;
const defaultTimeoutMs = 30_000;
const maxTries = 5;
const firstRetryMs = 5000;
const maxRetryMs = 300_000;
const expiryMs = 7 * 24 * 3600 * 1000;
/** Polling interval of the queue, for links of other processes and for retries. */
const pollMs = 5000;
/** Minimum interval between change notifications, because each invalidates the cached answers of all processes. */
const notifyMs = 1000;

/**
 * Fetches the links of the queue. Processes can do so in parallel, because each claims links in the database. Answers
 * and the indexer never wait for it.
 */
export class MetadataFetcher {
  readonly #options: FetcherOptions;
  readonly #pacing: HostPacing;
  readonly #places: FetchPlaces;
  #claimsPerPlace = minClaimsPerPlace;
  readonly #documents = new DocumentThread();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #woken = new AbortController();
  #ended: Promise<void> | undefined;
  #notifying: NodeJS.Timeout | undefined;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#pacing = new HostPacing(options.hostIntervalMs);
    this.#places = new FetchPlaces({ ...options, pacing: this.#pacing });
    setMaxListeners(0, this.#ending.signal);
  }

  /** Fetches in the background until `close`. */
  start(): void {
    this.#ended ??= this.#run();
  }

  /** Call when the queue has a new link. */
  wake(): void {
    this.#woken.abort();
  }

  /** Fetches all links that are due. Resolves once every try has ended. */
  async fetchDue(): Promise<void> {
    while ((await this.#begin()) > 0) await Promise.all(this.#inFlight);
  }

  /** Aborts the fetches under way. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.wake();
    await this.#ended;
    await Promise.all(this.#inFlight);
    if (this.#notifying) {
      clearTimeout(this.#notifying);
      await this.#notify();
    }
    await this.#documents.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      this.#woken = new AbortController();
      const claimed = await this.#begin().catch((error: Error) => {
        this.#options.onError(error);
        return 0;
      });
      if (this.#places.free === 0) await Promise.race(this.#inFlight);
      else if (claimed === 0) await pause(pollMs, this.#woken.signal);
    }
  }

  /** Claims links, and starts fetching those that get a place. Returns the number of claimed links. */
  async #begin(): Promise<number> {
    const {
      database,
      now,
      timeoutMs = defaultTimeoutMs,
      hostIntervalMs = defaultHostIntervalMs,
    } = this.#options;
    const limit = this.#places.free * this.#claimsPerPlace;
    // A try waits for its host, then runs until its timeout; the result is stored well before the claim ends.
    const claimEndsAt = now() + hostIntervalMs + 2 * timeoutMs;
    const links = await claimLinks(database, { now: now(), claimEndsAt, limit });
    const { taken, postponed } = this.#places.assign(links);
    for (const each of taken) this.#track(each);
    const wider = Math.min(2 * this.#claimsPerPlace, maxClaimsPerPlace);
    this.#claimsPerPlace = taken.length > 0 ? minClaimsPerPlace : wider;
    if (postponed.length > 0) await postponeLinks(database, postponed);
    return links.length;
  }

  #track({ link, at, release }: TakenLink): void {
    const fetching = this.#fetch(link, at)
      .catch((error: Error) => this.#options.onError(error))
      .finally(() => {
        release();
        this.#inFlight.delete(fetching);
      });
    this.#inFlight.add(fetching);
  }

  async #fetch(link: ClaimedLink, at: number): Promise<void> {
    const { database, now, onFetched } = this.#options;
    try {
      await this.#store(link, await this.#load(link.url, at));
      onFetched("ok");
    } catch (error) {
      // The next start fetches links that were in flight.
      if (this.#ending.signal.aborted) return await postponeLinks(database, [{ link, at: now() }]);
      if (!(error instanceof FetchError)) throw error;
      await this.#failed(link, error);
      onFetched(error.failure);
    }
  }

  async #load(url: string, at: number): Promise<FetchedMetadata> {
    const { now, timeoutMs = defaultTimeoutMs } = this.#options;
    const ending = this.#ending.signal;
    await wait(Math.max(0, at - now()), undefined, { signal: ending });
    const deadline = new Deadline(timeoutMs, ending);
    const { signal } = deadline;
    const turn = (host: string) =>
      wait(Math.max(0, this.#pacing.reserveAnyTime(host, now()) - now()), undefined, { signal });
    try {
      return await this.#documents.read(await download(url, { ...this.#options, turn }, signal));
    } finally {
      deadline.clear();
    }
  }

  async #failed(link: ClaimedLink, { failure, isFinal }: FetchError): Promise<void> {
    const { database, now } = this.#options;
    if (isFinal || link.tries >= maxTries) return this.#store(link, { error: failure });
    const pauseMs = Math.min(firstRetryMs * 2 ** (link.tries - 1), maxRetryMs);
    return retryLink(database, link, { error: failure, at: now() + pauseMs });
  }

  async #store(link: ClaimedLink, result: FetchedMetadata | { error: FetchFailure }): Promise<void> {
    const { database, now } = this.#options;
    await storeFetched(database, link, { result, expiresAt: now() + expiryMs });
    this.#notifying ??= setTimeout(() => void this.#notify(), notifyMs).unref();
  }

  async #notify(): Promise<void> {
    this.#notifying = undefined;
    await raiseIndexVersion(this.#options.database).catch(this.#options.onError);
  }
}
