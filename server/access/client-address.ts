import { isIP, isIPv6 } from "node:net";
import { ipv6Groups, ipv6Prefix } from "../../shared/values/ipv6.js";
import { itemAt } from "../../shared/values/lookups.js";
import { networkList, type TrustProxy } from "../config/kinds.js";

/** Determines the client's address behind trusted proxies. */
type ClientAddress = (remoteAddress: string, forwardedFor: string | undefined) => string;

/**
 * Returns the right-most address of `X-Forwarded-For` that was not added by a trusted proxy. Each proxy appends its
 * peer's address, so addresses further left can be forged.
 */
export function createClientAddress(trust: TrustProxy): ClientAddress {
  const isTrusted =
    "hops" in trust ? (_: string, hop: number) => hop < trust.hops : inNetworks(trust.networks);
  return (remoteAddress, forwardedFor) => {
    const socket = unmapped(remoteAddress);
    if (forwardedFor === undefined || !isTrusted(socket, 0)) return socket;
    return behindProxies(socket, forwardedFor, isTrusted);
  };
}

function behindProxies(
  socket: string,
  forwardedFor: string,
  isTrusted: (address: string, hop: number) => boolean,
): string {
  let client = socket;
  for (const [hop, entry] of forwardedFor.split(",").reverse().entries()) {
    const next = withoutPort(entry.trim());
    if (!isTrusted(client, hop) || isIP(next) === 0) break;
    client = unmapped(next);
  }
  return client;
}

/** The rate limit bucket of an address: each IPv4 address, and each IPv6 /64, the smallest block of a subscriber. */
export function addressBucket(address: string): string {
  if (!address.includes(":")) return address;
  return `${ipv6Prefix(address, 4)}::/64`;
}

function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = networkList(networks);
  return (address) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Unwraps IPv4-mapped IPv6 addresses: dual-stack sockets report `::ffff:a.b.c.d`, proxies may write it in hex. */
function unmapped(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (mapped) return itemAt(mapped, 1);
  if (!/^[:0]*:ffff:/i.test(address) || !isIPv6(address)) return address;
  const groups = ipv6Groups(address);
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return address;
  return [
    itemAt(groups, 6) >> 8,
    itemAt(groups, 6) & 255,
    itemAt(groups, 7) >> 8,
    itemAt(groups, 7) & 255,
  ].join(".");
}

/** Some proxies write `1.2.3.4:5678` and `[::1]:5678`. */
function withoutPort(text: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text);
  return match ? (match[1] ?? itemAt(match, 2)) : text;
}
