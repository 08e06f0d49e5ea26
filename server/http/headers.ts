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

const preflight: HeaderList = [
  "Access-Control-Allow-Methods",
  "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers",
  allowed,
  "Access-Control-Max-Age",
  "86400",
];

/** Version of the v3 interface: TON Center counts it by its database schema. */
const v3Version = "1.3.0";

/** The constant heads of all answers. Major 2 names the v2 interface, minor 2 this implementation of it. */
export class Heads {
  readonly #v2: HeaderList;
  readonly #v3: HeaderList = [...everywhere, "X-API-Version", v3Version];

  constructor(packageVersion: string) {
    const patch = /^\d+\.\d+\.(\d+)/.exec(packageVersion)?.[1] ?? "0";
    this.#v2 = [...everywhere, "X-API-Version", `2.2.${patch}`];
  }

  of(path: string): HeaderList {
    return isV3(path) ? this.#v3 : this.#v2;
  }

  preflight(path: string): HeaderList {
    return [...this.of(path), ...preflight];
  }
}

export function isV3(path: string): boolean {
  return path.startsWith("/api/v3/") || path === "/api/v3";
}
