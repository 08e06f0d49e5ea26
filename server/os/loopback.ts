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
  return /^(?:.+\.)?localhost$/.test(host) || isLoopbackAddress(host.replace(/^\[|\]$/g, ""));
}
