import { BlockList, isIP } from "node:net";
import { LRUCache } from "lru-cache";

/** Where a request comes from: the peer's address, and the headers that browsers and proxies add. */
export type RequestOrigin = {
  readonly remoteAddress: string;
  /** Header `Host`. A page that rebinds its own name to 127.0.0.1 cannot change it. */
  readonly host: string | undefined;
  /** Header `Origin`. Browsers send it with every POST and WebSocket handshake. */
  readonly origin: string | undefined;
  readonly forwardedFor: string | undefined;
};

/**
 * Says why a request does not come from a program, or a page of a server, on this machine; `undefined` if it does.
 * The page of another site is not local although its browser is.
 */
export function whyNotLocal({
  remoteAddress,
  host,
  origin,
  forwardedFor,
}: RequestOrigin): string | undefined {
  if (!isLoopbackAddress(remoteAddress)) return `it comes from ${remoteAddress}`;
  if (!isLoopbackHost(host)) return `its Host is ${host ?? "missing"}`;
  if (origin !== undefined && !isLoopbackOrigin(origin)) return `its Origin is ${origin}`;
  const stranger = strangerIn(forwardedFor);
  return stranger === undefined ? undefined : `it was forwarded for ${stranger}`;
}

/** Whether a request was sent from this machine, by whatever program or page. */
export function isLocalClient({
  remoteAddress,
  forwardedFor,
}: Pick<RequestOrigin, "remoteAddress" | "forwardedFor">): boolean {
  return isLoopbackAddress(remoteAddress) && strangerIn(forwardedFor) === undefined;
}

/** A proxy on this machine has a loopback address of its own, and often sends a loopback Host. */
function strangerIn(forwardedFor: string | undefined): string | undefined {
  return forwardedFor
    ?.split(",")
    .map((each) => each.trim())
    .find((each) => !isLoopbackAddress(each));
}

/** Whether a `Host` header, with or without a port, is a name or an address of this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) && isLoopbackOrigin(`http://${host}`);
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  // RFC 6761: names below `localhost` resolve to loopback addresses only.
  return /^(?:.+\.)?localhost$/.test(hostname) || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

const loopback = new BlockList();
// Also matches the IPv4-mapped addresses ::ffff:127.0.0.0/104.
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Found before: the same few addresses ask again and again, and each check makes an object of the system. */
const found = new LRUCache<string, boolean>({ max: 1000 });

function isLoopbackAddress(address: string): boolean {
  const known = found.get(address);
  if (known !== undefined) return known;
  const family = isIP(address);
  const isLoopback = family !== 0 && loopback.check(address, family === 6 ? "ipv6" : "ipv4");
  if (family !== 0) found.set(address, isLoopback);
  return isLoopback;
}
