import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FetchError } from "./fetch-error.js";
import { ask, connectGuarded } from "./guarded-connection.js";
import { type Target, type TargetOptions, targetOf } from "./link-target.js";
import type { MetadataNetwork } from "./network.js";

type DownloadOptions = TargetOptions & {
  network: MetadataNetwork;
  /** Waits until this host may be requested; called before each redirect is followed. */
  turn(host: string, signal: AbortSignal): Promise<void>;
  /** Default: the limit of the link's kind. A lower one replaces that. */
  maxBytes?: number | undefined;
};

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/**
 * The decompressed body of a link. Connects only to public addresses: names are resolved here, each address is checked,
 * and the connection uses the checked address. Throws a FetchError.
 */
export async function download(
  link: string,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    const first = targetOf(link, options);
    let target = { ...first, maxBytes: Math.min(first.maxBytes, options.maxBytes ?? first.maxBytes) };
    for (let followed = 0; ; followed++) {
      const response = await open(target, options.network, signal);
      const location = redirectOf(response);
      if (location === undefined) return await bodyOf(response, target, signal);
      response.destroy();
      if (followed === maxRedirects) throw new FetchError("redirects");
      const { url } = targetOf(location, options, target.url);
      // A gateway's limit also applies to its redirects.
      target = { url, maxBytes: target.maxBytes };
      await options.turn(target.url.host, signal);
    }
  } catch (error) {
    throw signal.aborted ? new FetchError("timeout", error) : error;
  }
}

/** The request reveals nothing about this service or the caller who requested the token. */
const asked = {
  method: "GET",
  headers: { accept: "application/json", "accept-encoding": "gzip" },
} as const;

async function open(
  { url }: Target,
  network: MetadataNetwork,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return ask(url, await connectGuarded(url, { network }, signal), asked, signal);
}

function redirectOf({ statusCode, headers }: IncomingMessage): string | undefined {
  return redirects.has(statusCode!) ? headers.location : undefined;
}

async function bodyOf(
  response: IncomingMessage,
  { maxBytes }: Target,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    if (response.statusCode !== 200) throw new FetchError("status");
    if (Number(response.headers["content-length"]) > maxBytes) throw new FetchError("size");
    const limit = limitTo(maxBytes);
    const decoder = decoderOf(response.headers["content-encoding"]);
    const chunks: Uint8Array[] = [];
    const collect = async (source: AsyncIterable<Uint8Array>) => {
      for await (const chunk of limit(source)) chunks.push(chunk);
    };
    await (decoder
      ? pipeline(response, limit, decoder, collect, { signal })
      : pipeline(response, collect, { signal }));
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof FetchError) throw error;
    // Error codes of zlib, including its Brotli decoder.
    const isOfDecoder =
      error instanceof Error && "code" in error && /^(Z_|ERR__|ERR_BROTLI)/.test(String(error.code));
    throw new FetchError(isOfDecoder ? "encoding" : "connection", error);
  } finally {
    response.destroy();
  }
}

function decoderOf(encoding: string | undefined): Transform | undefined {
  if (encoding === undefined || encoding === "identity") return undefined;
  const create = decoders.get(encoding.toLowerCase());
  if (!create) throw new FetchError("encoding");
  return create();
}

/** Passes chunks on, and throws once their total exceeds the limit. */
function limitTo(maxBytes: number) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw new FetchError("size");
      yield chunk;
    }
  };
}
