import { isIPv4 } from "node:net";

/** Each key has its own share; all callers without a key have one together. */
const withoutKey = "without a key";
/** Bits of the prefixes that share above an IPv6 /64: what a registry gives to a provider, and that to a site. */
const ipv6Prefixes = [32, 48] as const;
const bitsOfGroup = 16;

/**
 * The share of a caller among all callers, by its id: names from the most general to the most specific. An address
 * shares with its network, so that a network gains nothing from many addresses.
 */
export function callerShare(id: string): readonly string[] {
  if (isIPv4(id)) return [withoutKey, `${id.slice(0, id.lastIndexOf("."))}.0/24`, id];
  if (!id.endsWith("::/64")) return [`key ${id}`];
  const groups = id.split(":");
  const prefixes = ipv6Prefixes.map((bits) => `${groups.slice(0, bits / bitsOfGroup).join(":")}::/${bits}`);
  return [withoutKey, ...prefixes, id];
}
