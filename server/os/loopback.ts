import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
// Also matches the IPv4-mapped addresses ::ffff:127.0.0.0/104.
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Whether the text is an IP address of this machine itself. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Whether the host of a URL is this machine: RFC 6761 has names below `localhost` resolve to loopback addresses only. */
export function isLoopbackName(host: string): boolean {
  return loopbackOf(host.replace(/^\[|\]$/g, "")) !== undefined;
}

/** The addresses of a host that is this machine: a name covers both families. `undefined` for other hosts. */
export function loopbackOf(host: string): readonly string[] | undefined {
  if (/^(?:.+\.)?localhost$/.test(host)) return ["127.0.0.1", "::1"];
  return isLoopbackAddress(host) ? [host] : undefined;
}
