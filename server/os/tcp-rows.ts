import { isIPv4 } from "node:net";
import { endianness } from "node:os";
import { ipv6Groups } from "../../shared/values/ipv6.js";

/** An open socket in the kernel's tables of TCP sockets, /proc/net/tcp and /proc/net/tcp6. */
export type TcpRow = {
  /** Whether neither side has closed. The kernel gives other sockets to root once no process has them. */
  readonly isEstablished: boolean;
  /** Id of the user whose process opened it. */
  readonly user: number;
};

/** Address and port of one side of a connection. */
type TcpEnd = { readonly address: string; readonly port: number };

const established = "01";
/** More than the kernel writes in a row. */
const maxRowLength = 1000;
const isLittleEndian = endianness() === "LE";
/** The beginning of an IPv4 address in the table of IPv6. */
const mappedPrefix = tableText(Buffer.from("00000000000000000000ffff", "hex"));

/** The sides of a socket, its own first, as a table writes them: `0100007F:1F91 0100007F:D2F0`. */
export function sidesInTable(own: TcpEnd, other: TcpEnd): string {
  return [own, other].map(({ address, port }) => `${addressInTable(address)}:${portInTable(port)}`).join(" ");
}

/**
 * Adds the wanted rows in a piece of a table to `found`, by their sides. Returns the beginning of a row that the next piece
 * completes.
 */
export function findRows(
  piece: string,
  wanted: ReadonlySet<string>,
  found: Map<string, TcpRow>,
): { rest: string; rows: number } {
  const lines = piece.split("\n");
  const rest = lines.pop()!;
  if (rest.length > maxRowLength) throw new Error("the kernel's table of TCP sockets has an endless row");
  let rows = 0;
  for (const line of lines) {
    // The first line has the names of the columns.
    const slotEnd = line.indexOf(": ");
    if (slotEnd < 0) continue;
    rows++;
    const begin = slotEnd + 2;
    const end = line.indexOf(" ", line.indexOf(" ", begin) + 1);
    const sides = asIpv4(line.slice(begin, end));
    if (!wanted.has(sides)) continue;
    const [state, _queues, _timer, _retransmits, user] = line.slice(end + 1).split(/ +/);
    found.set(sides, { isEstablished: state === established, user: Number(user) });
  }
  return { rest, rows };
}

/** A socket of IPv6 may have a connection over IPv4, whose other side has a socket of IPv4. */
function asIpv4(sides: string): string {
  if (!sides.startsWith(mappedPrefix)) return sides;
  return sides
    .split(" ")
    .map((side) => side.slice(mappedPrefix.length))
    .join(" ");
}

function portInTable(port: number): string {
  return port.toString(16).padStart(4, "0").toUpperCase();
}

function addressInTable(address: string): string {
  // As sockets of IPv6 show the addresses of IPv4.
  const ipv4 = address.replace(/^::ffff:(?=\d+\.)/, "");
  const bytes = isIPv4(ipv4)
    ? ipv4.split(".").map(Number)
    : ipv6Groups(address).flatMap((group) => [group >> 8, group & 0xff]);
  return tableText(Buffer.from(bytes));
}

/** The kernel prints the words of an address as numbers of the machine. */
function tableText(address: Buffer): string {
  return (isLittleEndian ? address.swap32() : address).toString("hex").toUpperCase();
}
