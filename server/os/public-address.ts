import { BlockList, isIP } from "node:net";

/** IANA's special-purpose registries: what is not reachable from everywhere, multicast, and what stands for another address. */
const notPublic4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10", // shared by carriers (CGNAT)
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/**
 * Global unicast. Outside of it are ::1, ::, unique local, link-local and multicast addresses, and IPv4 addresses that are
 * mapped (::ffff:0:0/96), compatible (::/96) or translated (64:ff9b::/96).
 */
const global6 = "2000::/3";
/** Within it: protocol assignments with Teredo, documentation, 6to4. */
const notPublic6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const refused4 = listOf(notPublic4, "ipv4");
const allowed6 = listOf([global6], "ipv6");
const refused6 = listOf(notPublic6, "ipv6");

/** Whether the text is an IP address of the public internet. */
export function isPublicAddress(text: string): boolean {
  const version = isIP(text);
  if (version === 4) return !refused4.check(text, "ipv4");
  // A zone such as %eth0 names an interface of this machine.
  if (version !== 6 || text.includes("%")) return false;
  return allowed6.check(text, "ipv6") && !refused6.check(text, "ipv6");
}

/**
 * Whether the host of a URL may be one of the public internet: a name that is not the machine's own, or a public address.
 * URLs have addresses in their usual form, however they were written.
 */
export function mayBePublic(url: URL): boolean {
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host !== "" && host !== "localhost" && !host.endsWith(".localhost");
}

/**
 * Whether the host of a URL has a name of the kind that private networks give: one without a dot, below `internal` or
 * `local`, or `metadata`, as clouds name the service that has the secrets of a machine.
 */
export function hasPrivateName(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 && (!host.includes(".") || /^metadata\.|\.(?:internal|local)$/.test(host));
}

/** Whether a URL leads to a port of the web. */
export function hasWebPort({ port }: URL): boolean {
  return ["", "80", "443"].includes(port);
}

/** Whether a URL has a user or a password. */
export function hasCredentials({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

/** Without the brackets of an IPv6 address, and the dot at its end. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, "");
}

function listOf(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = network.split("/");
    list.addSubnet(address!, Number(prefix), family);
  }
  return list;
}
