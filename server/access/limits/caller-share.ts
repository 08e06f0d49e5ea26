import { isIPv4 } from "node:net";

/** The caller of the service's own calls, such as those for its documents. No key has such an id. */
export const serviceItself = "the service itself";

/** An hour: longer than the service's own calls wait on any machine. */
const longestMs = 3_600_000;

/** How long runs and emulations of a caller may take, waiting included; `undefined` if it has no other limit than others. */
export function patienceOf(id: string | undefined): number | undefined {
  return id === serviceItself ? longestMs : undefined;
}

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
  if (id === serviceItself) return [id];
  if (!id.endsWith("::/64")) return [`key ${id}`];
  const groups = id.split(":");
  const prefixes = ipv6Prefixes.map((bits) => `${groups.slice(0, bits / bitsOfGroup).join(":")}::/${bits}`);
  return [withoutKey, ...prefixes, id];
}
