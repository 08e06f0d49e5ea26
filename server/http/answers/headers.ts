import type { IncomingMessage } from "node:http";

import type { Api } from "../../errors.js";

/** Headers as a flat list of names and values, which `writeHead` writes without further processing. */
export type HeaderList = readonly string[];

const exposed =
  "Retry-After, X-API-Version, RateLimit, RateLimit-Policy, Server-Timing, X-Executor-Version, X-Network-Version, " +
  "X-Ignored-Params, X-Index-Gaps, X-Index-Seqno, X-Next-Cursor, X-Not-Executed, X-Request-Id";
/** Allowed by a preflight that names no headers. */
const allowed =
  "Content-Type, X-API-Key, X-Ton-Client-Version, X-Actions-Version, X-Timeout, X-No-Address-Book, " +
  "X-No-Metadata, X-Index-Seqno, X-Debug-Request, Authorization, Cache-Control";

/** CORS headers on every answer, errors included: without them a page sees a network failure instead of the error. */
const commonHeaders: HeaderList = [
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Expose-Headers",
  exposed,
  "X-Content-Type-Options",
  "nosniff",
];

/**
 * Additional headers of the answer to OPTIONS. All requested header names are allowed: apps send custom headers such as
 * `X-App-Origin`, and browsers block the call unless each name is listed.
 */
export function preflightHeaders(request: IncomingMessage): HeaderList {
  return [
    "Access-Control-Allow-Methods",
    "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers",
    header(request, "access-control-request-headers") || allowed,
    "Access-Control-Max-Age",
    "86400",
    "Vary",
    "Access-Control-Request-Headers",
  ];
}

/**
 * Version of an API, as in `X-API-Version` and in documents. v2 and v4: the major number is the interface, minor 2 this
 * implementation. v3: TON Center's version is that of its database schema.
 */
export function apiVersion(api: Api, packageVersion: string): string {
  if (api === "v3") return "1.3.0";
  return `${api.slice(1)}.2.${/^\d+\.\d+\.(\d+)/.exec(packageVersion)?.[1] ?? "0"}`;
}

/** The constant headers of all answers, by API version. */
export class Heads {
  readonly #v2: HeaderList;
  readonly #v3: HeaderList;
  readonly #v4: HeaderList;

  constructor(packageVersion: string) {
    this.#v2 = [...commonHeaders, "X-API-Version", apiVersion("v2", packageVersion)];
    this.#v3 = [...commonHeaders, "X-API-Version", apiVersion("v3", packageVersion)];
    this.#v4 = [...commonHeaders, "X-API-Version", apiVersion("v4", packageVersion)];
  }

  of(path: string): HeaderList {
    if (isV4(path)) return this.#v4;
    return isV3(path) ? this.#v3 : this.#v2;
  }
}

/** Whether a path belongs to v3, which emulation is a part of. */
export function isV3(path: string): boolean {
  return path.startsWith("/api/v3/") || path === "/api/v3" || path.startsWith("/api/emulate/");
}

/** Whether a path belongs to v4. */
export function isV4(path: string): boolean {
  return path.startsWith("/api/v4/") || path === "/api/v4";
}

/** Whether a path belongs to the streaming protocol; its errors have the form of v3. */
export function isStreaming(path: string): boolean {
  return path.startsWith("/api/streaming/") || path.startsWith("/streaming/");
}

/** The value of a header; the first one if it was sent several times. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * The host of a request: that of a target in absolute form, which overrides the header (RFC 9112, 3.2.2), else the
 * header `Host`.
 */
export function hostOf({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): string | undefined {
  return url.startsWith("/")
    ? headers.host
    : (/^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host);
}
