import { isIPv4 } from "node:net";
import { getDomain } from "tldts-icann";
import { ipv6Prefix } from "../../shared/values/ipv6.js";

/** The first 48 bits of an IPv6 address, the minimum allocation of a site. */
const groupsOfSite = 3;

/**
 * The owner of a host, as far as its URL shows: the registered domain, which can have any number of subdomains, or an
 * address's network.
 */
export function groupOf({ hostname }: URL): string {
  if (isIPv4(hostname)) return hostname.split(".").slice(0, 3).join(".");
  if (hostname.startsWith("[")) return `[${ipv6Prefix(hostname.slice(1, -1), groupsOfSite)}]`;
  const name = hostname.replace(/\.$/, "");
  return getDomain(name) ?? name;
}
