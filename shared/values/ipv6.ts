/** The eight 16-bit groups of a valid IPv6 address. */
export function ipv6Groups(address: string): number[] {
  const hex = address
    .split("%", 1)[0]!
    .replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, a, b, c, d) =>
      [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(":"),
    );
  const [head, tail] = hex.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const middle = tail === undefined ? [] : Array(8 - head!.length - tail.length).fill("0");
  return [...head!, ...middle, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
}

/** The text of a valid IPv6 address's first groups, its network. */
export function ipv6Prefix(address: string, groups: number): string {
  return ipv6Groups(address)
    .slice(0, groups)
    .map((group) => group.toString(16))
    .join(":");
}
