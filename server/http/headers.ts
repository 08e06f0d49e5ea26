import type { IncomingMessage } from "node:http";

import type { Api } from "../errors.js";

/** Headers as one flat list, the form `writeHead` takes without another look. */
export type HeaderList = readonly string[];

const exposed = "Retry-After, X-API-Version, RateLimit, RateLimit-Policy, Server-Timing";
const allowed =
  "Content-Type, X-API-Key, X-Ton-Client-Version, X-Actions-Version, X-Timeout, X-No-Address-Book, " +
  "X-No-Metadata, X-Debug-Request, Authorization, Cache-Control";

/** What answers to browsers of any origin carry: without it a page sees a network failure instead of a refusal. */
const everywhere: HeaderList = [
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Expose-Headers",
  exposed,
  "X-Content-Type-Options",
  "nosniff",
];

/** What an answer to OPTIONS has besides. */
export const preflight: HeaderList = [
  "Access-Control-Allow-Methods",
  "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers",
  allowed,
  "Access-Control-Max-Age",
  "86400",
];

/**
 * Version of an interface, as `X-API-Version` and documents name it. v2: major 2 names the interface, minor 2 this
 * implementation of it. v3: TON Center counts it by its database schema.
 */
export function apiVersion(api: Api, packageVersion: string): string {
  if (api === "v3") return "1.3.0";
  return `2.2.${/^\d+\.\d+\.(\d+)/.exec(packageVersion)?.[1] ?? "0"}`;
}

/** The constant heads of all answers. */
export class Heads {
  readonly #v2: HeaderList;
  readonly #v3: HeaderList;

  constructor(packageVersion: string) {
    this.#v2 = [...everywhere, "X-API-Version", apiVersion("v2", packageVersion)];
    this.#v3 = [...everywhere, "X-API-Version", apiVersion("v3", packageVersion)];
  }

  of(path: string): HeaderList {
    return isV3(path) ? this.#v3 : this.#v2;
  }
}

export function isV3(path: string): boolean {
  return path.startsWith("/api/v3/") || path === "/api/v3";
}

/** A header that is to be there once. */
export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
