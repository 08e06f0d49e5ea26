import { isIPv4 } from "node:net";
import { getDomain } from "tldts-icann";

/**
 * Names the owner of a host as far as its URL tells: the domain that somebody has registered, which can have any number of
 * names below it, or the network of an address.
 */
export function groupOf({ hostname }: URL): string {
  if (isIPv4(hostname)) return hostname.split(".").slice(0, 3).join(".");
  if (hostname.startsWith("[")) return firstGroups(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/, "");
  return getDomain(name) ?? name;
}

/** The first 48 bits of an IPv6 address, the least that a site has. */
function firstGroups(address: string): string {
  const [before = "", after] = address.split("::");
  const first = before === "" ? [] : before.split(":");
  const last = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  return `[${[...first, ...zeros, ...last].slice(0, 3).join(":")}]`;
}
