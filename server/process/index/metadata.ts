import type { Config } from "../../config/settings.js";
import { isSetupError, SetupError } from "../../errors.js";
import { MetadataFetcher } from "../../metadata/fetcher.js";
import { type ImageProxy, imageLinksOf } from "../../metadata/image-proxy.js";
import { LinkQueue } from "../../metadata/link-queue.js";
import { internet } from "../../metadata/network.js";
import { type OperatorEntries, readOperatorFiles } from "../../metadata/operator-files.js";
import type { TokenSettings } from "../../present/v3/answer-extras.js";
import type { Database, Sql } from "../../store/database.js";
import { replaceMarketplaceNames } from "../../store/queries/tokens/marketplaces.js";
import { replaceFlags, type TokenLink } from "../../store/queries/tokens/metadata.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import type { Context } from "../context/context.js";
import { logFailure } from "../failure-log.js";

/** The part of a process that handles token metadata: it fetches links and stores the operator's entries. */
export interface MetadataPart {
  /** Requests the links of tokens in an answer; ignored before `start` and if fetching is off. */
  want(links: readonly TokenLink[]): void;
  /** Starts to work on a database that has the schema of this version. Call it once. */
  start(database: Database): void;
  close(): Promise<void>;
}

/** Throws a SetupError for an operator's file that cannot be used; `isWriter` is whether this process writes the index. */
export function createMetadataPart(context: Context, isWriter: boolean): MetadataPart {
  return new DatabaseMetadataPart(context, isWriter ? readOperatorFiles(context.config) : undefined);
}

class DatabaseMetadataPart implements MetadataPart {
  readonly #context: Context;
  readonly #entries: OperatorEntries | undefined;
  #fetcher: MetadataFetcher | undefined;
  #queue: LinkQueue | undefined;
  #storing = Promise.resolve();
  #isClosed = false;
  #failure: string | undefined;

  constructor(context: Context, entries: OperatorEntries | undefined) {
    this.#context = context;
    this.#entries = entries;
  }

  want(links: readonly TokenLink[]): void {
    this.#queue?.add(links);
  }

  start(opened: Database): void {
    const { config, live, now, metrics, metadataNetwork: network = internet } = this.#context;
    const { metadataHostIntervalMs: hostIntervalMs } = this.#context;
    const entries = this.#entries;
    if (entries === undefined && config.metadataFetch === "off") return;
    const database = opened.sql({ connections: 2 });
    const onError = (error: Error) => this.#failed(error);
    if (entries) {
      this.#store(database, entries);
      live.onReload(() => this.#storeAgain(database));
    }
    if (config.metadataFetch === "off") return;
    const fetcher = new MetadataFetcher({
      database,
      network,
      ipfsGateway: config.metadataIpfsGateway,
      plainHttp: config.metadataHttp,
      hostIntervalMs,
      now,
      onFetched: (outcome) => metrics.metadataFetched(outcome),
      onError,
    });
    fetcher.start();
    this.#fetcher = fetcher;
    this.#queue = new LinkQueue({ database, now, onQueued: () => fetcher.wake(), onError });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue?.close();
    await this.#fetcher?.close();
    await this.#storing;
  }

  /** One after the other, so that the entries read last are stored last. */
  #store(database: Sql, { flags, marketplaces }: OperatorEntries): void {
    this.#storing = this.#storing
      .then(() =>
        database.transaction(async (each) => {
          await replaceFlags(each, flags);
          if (marketplaces) await replaceMarketplaceNames(each, marketplaces);
          await raiseIndexVersion(each);
        }),
      )
      .catch((error) => this.#failed(error));
  }

  #storeAgain(database: Sql): void {
    if (this.#isClosed) return;
    const { config, log } = this.#context;
    try {
      const entries = readOperatorFiles(config);
      if (entries) this.#store(database, entries);
    } catch (error) {
      if (!isSetupError(error)) throw error;
      log.error(`the entries of tokens stay as they were: ${error.message}`);
    }
  }

  /** Logs a failure of the database once, until a different one occurs. */
  #failed(error: Error): void {
    if (error.message === this.#failure) return;
    this.#failure = error.message;
    logFailure(this.#context.log, error, { failed: "metadata of tokens cannot be stored" });
  }
}

/** How answers show tokens. */
export function tokenSettings(
  { config, now }: Context,
  part: Pick<MetadataPart, "want"> | undefined,
): TokenSettings {
  const proxy = imageProxyOf(config);
  return { now, imageLinks: proxy && imageLinksOf(proxy), want: part && ((links) => part.want(links)) };
}

/** `undefined` without an image proxy. Throws a SetupError if its links cannot be signed. */
function imageProxyOf(config: Config): ImageProxy | undefined {
  const { imageProxy, imageProxyKey, imageProxySalt, metadataIpfsGateway } = config;
  if (imageProxy === undefined) return undefined;
  if (imageProxyKey === undefined || imageProxySalt === undefined)
    throw new SetupError("an image proxy needs its key and its salt: --image-proxy-key, --image-proxy-salt");
  return {
    base: imageProxy,
    key: Buffer.from(imageProxyKey, "hex"),
    salt: Buffer.from(imageProxySalt, "hex"),
    ipfsGateway: metadataIpfsGateway,
  };
}
