import { isIPv4 } from "node:net";

/** Keys have shares of their own, and all callers without a key have one. */
const withoutKey = "without a key";
/** Bits of the prefixes that share above an IPv6 /64: what a registry gives to a provider, and that to a site. */
const ipv6Prefixes = [32, 48] as const;
const bitsOfGroup = 16;

/**
 * The share of a caller in what all callers have, by its id: names from the most general to the most specific. Addresses
 * share with those of their network, so that a network gets no more by its number of addresses.
 */
export function callerShare(id: string): readonly string[] {
  if (isIPv4(id)) return [withoutKey, `${id.slice(0, id.lastIndexOf("."))}.0/24`, id];
  if (!id.endsWith("::/64")) return [`key ${id}`];
  const groups = id.split(":");
  const prefixes = ipv6Prefixes.map((bits) => `${groups.slice(0, bits / bitsOfGroup).join(":")}::/${bits}`);
  return [withoutKey, ...prefixes, id];
}
