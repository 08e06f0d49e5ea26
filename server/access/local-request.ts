import { BlockList, isIP } from "node:net";
import { LRUCache } from "lru-cache";
import type { Config } from "../config/settings.js";
import { proxyHeaderIn } from "./proxy-headers.js";

/** What of a request says where it comes from. */
export type RequestSource = {
  readonly remoteAddress: string;
  /** The host that it names. A page that rebinds its own name to 127.0.0.1 cannot change it. */
  readonly host: string | undefined;
  /** By name in lower case. Browsers send `Origin` with every POST and WebSocket handshake. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/**
 * Says why a request does not come from a program, or a page of a server, on this machine; `undefined` if it does.
 * The page of another site is not local although its browser is, nor is what a proxy on this machine passes on.
 */
export function whyNotLocal({ remoteAddress, host, headers }: RequestSource): string | undefined {
  if (!isLoopbackAddress(remoteAddress)) return `it comes from ${remoteAddress}`;
  if (!isLoopbackHost(host)) return `its Host is ${host ?? "missing"}`;
  const { origin } = headers;
  if (origin !== undefined && !isLoopbackOrigin(String(origin))) return `its Origin is ${origin}`;
  const added = proxyHeaderIn(headers);
  return added === undefined ? undefined : `a proxy added the header ${added}`;
}

/**
 * Whether callers without a key are never taken for callers on this machine. By default so once others can reach the
 * service: a proxy that adds no header makes all its callers look local.
 */
export function isDevnetKeyRequired({
  devnetKeyRequired,
  host,
  trustProxy,
}: Pick<Config, "devnetKeyRequired" | "host" | "trustProxy">): boolean {
  const hasProxy = "networks" in trustProxy || trustProxy.hops > 0;
  return devnetKeyRequired ?? (hasProxy || !isLoopbackHost(host));
}

/** Longer than any name of a host with its scheme and port. */
const maxNameLength = 300;

/** Whether a host, with or without a port, is a name or an address of this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined || host.length > maxNameLength) return false;
  return isLoopbackAddress(host) || (/^[\w.:[\]-]+$/.test(host) && isLoopbackOrigin(`http://${host}`));
}

function isLoopbackOrigin(origin: string): boolean {
  return origin.length <= maxNameLength && remembered(origin, hasLoopbackName);
}

function hasLoopbackName(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  // RFC 6761: names below `localhost` resolve to loopback addresses only.
  return /^(?:.+\.)?localhost$/.test(hostname) || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

const loopback = new BlockList();
// Also matches the IPv4-mapped addresses ::ffff:127.0.0.0/104.
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && remembered(address, isInLoopback);
}

function isInLoopback(address: string): boolean {
  return loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Found before: the same few names ask again and again, and each check makes objects. Names of origins have a scheme. */
const found = new LRUCache<string, boolean>({ max: 1000 });

function remembered(name: string, find: (name: string) => boolean): boolean {
  const known = found.get(name);
  if (known !== undefined) return known;
  const isLoopback = find(name);
  found.set(name, isLoopback);
  return isLoopback;
}
