import { setTimeout as wait } from "node:timers/promises";
import { download } from "./download.js";
import { HostPacing } from "./host-pacing.js";
import { type TargetOptions, targetOf } from "./link-target.js";
import type { MetadataNetwork } from "./network.js";

type PacedOptions = TargetOptions & {
  network: MetadataNetwork;
  /** Minimum interval between requests to one host. Default: a second. */
  hostIntervalMs?: number | undefined;
  /** Wall clock, ms. */
  now: () => number;
};

/** Downloads of documents that are not metadata, under the same rules. They throw a FetchError. */
export function pacedDownload(options: PacedOptions) {
  const { now, hostIntervalMs } = options;
  const pacing = new HostPacing(hostIntervalMs);
  const turn = (host: string, signal: AbortSignal) =>
    wait(Math.max(0, pacing.reserveAnyTime(host, now()) - now()), undefined, { signal });
  return async (link: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> => {
    await turn(targetOf(link, options).url.host, signal);
    return download(link, { ...options, turn, maxBytes }, signal);
  };
}
