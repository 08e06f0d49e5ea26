import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Deadline } from "../os/deadline.js";
import type { Sql } from "../store/database.js";
import { indexChannel } from "../store/queries/index-ranges.js";
import {
  type ClaimedLink,
  claimLinks,
  type FetchedMetadata,
  postponeLink,
  retryLink,
  storeFetched,
} from "../store/queries/metadata.js";
import { notifyEach } from "../store/queries/notifications.js";
import { DocumentThread } from "./document-thread.js";
import { download } from "./download.js";
import { FetchError, type FetchFailure } from "./fetch-error.js";
import { HostPacing } from "./host-pacing.js";
import { type TargetOptions, targetOf } from "./link-target.js";
import type { MetadataNetwork } from "./network.js";

export type FetcherOptions = TargetOptions & {
  database: Sql;
  network: MetadataNetwork;
  /** Between requests to one host. */
  hostIntervalMs: number;
  /** Of one try, all redirects included. */
  timeoutMs?: number;
  /** Wall clock, ms. */
  now: () => number;
  /** Called after each try. */
  onFetched(outcome: "ok" | FetchFailure): void;
  /** Called when the database fails. */
  onError(error: Error): void;
};

/** Each may hold a document of 10 MB. */
const maxInFlight = 8;
const defaultTimeoutMs = 30_000;
const maxTries = 5;
const firstRetryMs = 5000;
const maxRetryMs = 300_000;
const expiryMs = 7 * 24 * 3600 * 1000;
/** How often the queue is read for links of other processes and for retries. */
const pollMs = 5000;
/** Between notifications that metadata has changed: each one drops the cached answers of all processes. */
const notifyMs = 1000;

/**
 * Fetches the links of the queue. Any number of processes may do so: each claims links in the database. Answers and the
 * indexer never wait for it.
 */
export class MetadataFetcher {
  readonly #options: FetcherOptions;
  readonly #pacing: HostPacing;
  readonly #documents = new DocumentThread();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #woken = new AbortController();
  #ended: Promise<void> | undefined;
  #notifying: NodeJS.Timeout | undefined;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#pacing = new HostPacing(options.hostIntervalMs);
    setMaxListeners(0, this.#ending.signal);
  }

  /** Fetches in the background until `close`. */
  start(): void {
    this.#ended ??= this.#run();
  }

  /** The queue has a new link. */
  wake(): void {
    this.#woken.abort();
  }

  /** Fetches what is due now. Resolves once every try has ended. */
  async fetchDue(): Promise<void> {
    while ((await this.#begin()) > 0) await Promise.all(this.#inFlight);
  }

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
      const begun = await this.#begin().catch((error: Error) => {
        this.#options.onError(error);
        return 0;
      });
      if (this.#inFlight.size >= maxInFlight) await Promise.race(this.#inFlight);
      else if (begun === 0) await wait(pollMs, undefined, { signal: this.#woken.signal }).catch(() => {});
    }
  }

  /** Claims as many links as may be in flight, and begins to fetch them. Returns their number. */
  async #begin(): Promise<number> {
    const { database, now, timeoutMs = defaultTimeoutMs, hostIntervalMs } = this.#options;
    const limit = maxInFlight - this.#inFlight.size;
    // A try waits for its host, then runs until its timeout; the result is stored well before the claim ends.
    const claimEndsAt = now() + hostIntervalMs + 2 * timeoutMs;
    const links = await claimLinks(database, { now: now(), claimEndsAt, limit });
    for (const link of links) {
      const fetching = this.#fetch(link)
        .catch((error: Error) => this.#options.onError(error))
        .finally(() => this.#inFlight.delete(fetching));
      this.#inFlight.add(fetching);
    }
    return links.length;
  }

  async #fetch(link: ClaimedLink): Promise<void> {
    const { database, now, onFetched } = this.#options;
    try {
      const { url } = targetOf(link.url, this.#options);
      const turn = this.#pacing.reserve(url.host, now());
      if ("postponedTo" in turn) return await postponeLink(database, link, turn.postponedTo);
      await this.#store(link, await this.#load(link.url, turn.at));
      onFetched("ok");
    } catch (error) {
      // The next start fetches what was in flight.
      if (this.#ending.signal.aborted) return await postponeLink(database, link, now());
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
    await notifyEach(this.#options.database, indexChannel, [""]).catch(this.#options.onError);
  }
}
