import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Log } from "../../observe/log.js";
import { type FetchLimits, fetchText, OversizedError } from "../../os/fetch-text.js";
import type { KeptFiles } from "../../os/kept-files.js";
import { GlobalConfigError, type ListedServer } from "../liteservers/global-config.js";
import { publishedServers } from "./published.js";

/** `kept`: the last successfully read published list. */
export type ServerList = { source: "shipped" | "published" | "kept"; servers: readonly ListedServer[] };

type ListOptions = {
  network: string;
  /** The configuration that comes with the program. */
  shipped: { servers: readonly ListedServer[]; zeroState: BlockIdExt };
  /** URL of the network's published global configuration. */
  url: string;
  /** Stores the newest list, for use when it cannot be read. */
  kept?: KeptFiles | undefined;
  limits?: FetchLimits;
  log: Pick<Log, "warn">;
};

const defaultLimits: FetchLimits = { maxBytes: 1 << 20, timeoutMs: 5000 };

/**
 * The newest known liteservers of a network: the published ones, or those of the last successful read. An invalid
 * published configuration is ignored in favour of the servers that come with the program.
 */
export async function newestServers(options: ListOptions): Promise<ServerList> {
  const { network, shipped, url, kept, limits = defaultLimits, log } = options;
  const initial: ServerList = { source: "shipped", servers: shipped.servers };
  try {
    const text = await fetchText(url, limits);
    const servers = publishedServers(text, shipped.zeroState);
    await kept?.write(network, [Buffer.from(text)]);
    return { source: "published", servers };
  } catch (error) {
    const isIgnored = error instanceof GlobalConfigError || error instanceof OversizedError;
    const outcome = isIgnored ? "is ignored" : "cannot be read";
    log.warn(
      { url, problem: (error as Error).message },
      `the published global configuration of ${network} ${outcome}`,
    );
    return isIgnored ? initial : ((await keptList(options)) ?? initial);
  }
}

async function keptList({ network, shipped, kept }: ListOptions): Promise<ServerList | undefined> {
  const bytes = await kept?.read(network);
  if (!bytes) return undefined;
  try {
    const servers = publishedServers(Buffer.from(bytes).toString("utf8"), shipped.zeroState);
    return { source: "kept", servers };
  } catch (error) {
    if (error instanceof GlobalConfigError) return undefined;
    throw error;
  }
}
