import type { IncomingMessage } from "node:http";
import { pause } from "../os/pause.js";
import { FetchError } from "./fetch-error.js";
import { ask, connectGuarded, type GuardOptions } from "./guarded-connection.js";

type ResumedOptions = GuardOptions & {
  maxBytes: number;
  /** Time without a byte after which a connection is given up. */
  silenceMs?: number;
  /** Pause before the next attempt; it doubles. */
  pauseMs?: number;
};

const attempts = 5;

/**
 * The body of a URL that its operator named, over as many connections as it takes: each continues where the one before broke
 * off, as long as the server says by a strong ETag that the content is the same. Redirects are not followed. Throws a
 * FetchError.
 */
export async function resumedDownload(
  url: URL,
  options: ResumedOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { pauseMs = 1000 } = options;
  const body = new PartialBody(options.maxBytes);
  for (let attempt = 1; ; attempt++) {
    try {
      await continueBody(body, url, options, signal);
      return body.bytes;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FetchError && error.isPassing) || attempt === attempts) throw error;
      await pause(pauseMs * 2 ** (attempt - 1), signal);
    }
  }
}

async function continueBody(
  body: PartialBody,
  url: URL,
  { silenceMs = 30_000, ...guard }: ResumedOptions,
  signal: AbortSignal,
): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs).unref();
  const either = AbortSignal.any([signal, silence.signal]);
  try {
    const socket = await connectGuarded(url, guard, either);
    const headers = { "accept-encoding": "identity", ...body.headers };
    const response = await ask(url, socket, { method: "GET", headers }, either);
    try {
      body.begin(response);
      for await (const chunk of response) {
        timer.refresh();
        body.add(chunk as Uint8Array);
      }
      if (!response.complete) throw new FetchError("connection");
    } finally {
      response.destroy();
    }
  } catch (error) {
    if (silence.signal.aborted) throw new FetchError("timeout", error);
    throw error instanceof FetchError ? error : new FetchError("connection", error);
  } finally {
    clearTimeout(timer);
  }
}

/** The bytes that have arrived so far. */
class PartialBody {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #etag: string | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  get headers(): Record<string, string> {
    if (this.#size === 0 || this.#etag === undefined) return {};
    return { range: `bytes=${this.#size}-`, "if-range": this.#etag };
  }

  /** Begins anew unless the answer continues the bytes. */
  begin({ statusCode, headers }: IncomingMessage): void {
    const continues =
      statusCode === 206 && headers["content-range"]?.startsWith(`bytes ${this.#size}-`) === true;
    if (statusCode !== 200 && !continues) throw new FetchError("status");
    if (headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity")
      throw new FetchError("encoding");
    if (!continues) {
      this.#chunks = [];
      this.#size = 0;
    }
    const { etag } = headers;
    this.#etag = etag?.startsWith('"') ? etag : undefined;
    if (this.#size + Number(headers["content-length"] ?? 0) > this.#maxBytes) throw new FetchError("size");
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) throw new FetchError("size");
    this.#chunks.push(chunk);
  }
}
