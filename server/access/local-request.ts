import { LRUCache } from "lru-cache";
import { hasProxy } from "../config/kinds.js";
import type { Config } from "../config/settings.js";
import { isLoopbackAddress, isLoopbackName } from "../os/loopback.js";

/** The parts of a request that show its source. */
export type RequestSource = {
  readonly remoteAddress: string;
  /** The host that it names. A page that rebinds its own name to 127.0.0.1 cannot change it. */
  readonly host: string | undefined;
  /** By name in lower case. Browsers send `Origin` with every POST and WebSocket handshake. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/**
 * The reason why a request does not come from a program, or a page of a server, on this machine; `undefined` if it
 * does. A page of another site is not local although its browser is, nor is a request that a proxy on this machine
 * passes on. Proxies that add no header are left to `UnmarkedProxies`.
 */
export function whyNotLocal({ remoteAddress, host, headers }: RequestSource): string | undefined {
  if (!isLoopbackSource(remoteAddress)) return `it comes from ${remoteAddress}`;
  if (!isLoopbackHost(host)) return `its Host is ${host ?? "missing"}`;
  const { origin } = headers;
  if (origin !== undefined && !isLoopbackOrigin(String(origin))) return `its Origin is ${origin}`;
  const added = proxyHeaderIn(headers);
  return added === undefined ? undefined : `a proxy added the header ${added}`;
}

/**
 * Whether callers without a key are never taken for callers on this machine. By default so once others can reach the
 * service: a proxy of the same user that adds no header makes all its callers look local.
 */
export function isDevnetKeyRequired({
  devnetKeyRequired,
  host,
  trustProxy,
}: Pick<Config, "devnetKeyRequired" | "host" | "trustProxy">): boolean {
  return devnetKeyRequired ?? (hasProxy(trustProxy) || !isLoopbackHost(host));
}

const isLoopbackSource = remembered(isLoopbackAddress);

const isLoopbackOrigin = remembered(isUrlOfLoopback);

const namesLoopback = remembered(
  (host) => isLoopbackSource(host) || (/^[\w.:[\]-]+$/.test(host) && isUrlOfLoopback(`http://${host}`)),
);

/** Whether a host, with or without a port, is a name or an address of this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && namesLoopback(host);
}

function isUrlOfLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  return isLoopbackName(new URL(url).hostname);
}

/**
 * Caches the results of a check: few names recur, and each check allocates objects. Each check needs its own cache, as
 * one text can be a host and a malformed origin.
 */
// Module state: a memo of at most 1000 names.
function remembered(check: (name: string) => boolean): (name: string) => boolean {
  const found = new LRUCache<string, boolean>({ max: 1000 });
  return (name) => {
    // Longer than any name of a host with its scheme and port.
    if (name.length > 300) return false;
    const known = found.get(name);
    if (known !== undefined) return known;
    const isLoopback = check(name);
    found.set(name, isLoopback);
    return isLoopback;
  };
}

/**
 * Names of headers that proxies add, in lower case: `Via`, `Forwarded`, `X-Forwarded-*` and variants, those of delivery
 * networks (`CF-*`, `CDN-Loop`), and client addresses (`X-Real-IP`, `True-Client-IP`, `Fastly-Client-IP`).
 */
const namesOfProxies = /^via$|^cf-|^cdn-|forward|proxy|-ip$/;

/** The name of a header that a proxy has added to a request; `undefined` if there is none. */
function proxyHeaderIn(headers: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in headers) if (namesOfProxies.test(name)) return name;
  return undefined;
}
