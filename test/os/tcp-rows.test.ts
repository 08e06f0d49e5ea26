import { endianness } from "node:os";
import { describe, expect, it } from "vitest";
import { findRows, sidesInTable, type TcpRow } from "../../server/os/tcp-rows.js";

const header =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                                                     \n";
/** As Linux 6 writes them; the spaces at the end are its own. */
const ipv4 = [
  "   0: 00000000:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 10170 1 00000000bad5bb66 100 0 0 10 0                     \n",
  "   1: 0100007F:D2F0 0100007F:1F91 01 00000000:00000000 00:00000000 00000000    33        0 23456 1 000000003d1c5a2e 20 4 30 10 -1                    \n",
  "   2: 0100007F:1F91 0100007F:D2F0 01 00000000:00000000 02:000004E1 00000000  1000        0 23457 2 00000000e0a1b2c3 20 4 0 10 -1                     \n",
  "   3: 0100007F:1F91 0100007F:D2F2 08 00000000:00000000 02:000004E1 00000000 4294967294        0 23457 2 00000000e0a1b2c3 20 4 0 10 -1                \n",
  " 107642: 0200007F:D2F4 0100007F:1F91 06 00000000:00000000 03:00000F2A 00000000     0        0 0 3 00000000a7b8c9d0                                   \n",
];
const ipv6 = [
  "   0: 00000000000000000000000001000000:BF68 00000000000000000000000001000000:1F91 01 00000000:00000000 00:00000000 00000000   101        0 345 1 0000000017d1e2f3 20 4 30 10 -1\n",
  "   1: 0000000000000000FFFF00000100007F:D2F8 0000000000000000FFFF00000100007F:1F91 01 00000000:00000000 00:00000000 00000000   102        0 346 1 0000000027d1e2f3 20 4 30 10 -1\n",
  "   2: B80D0120000000000000000005000000:D2FA B80D0120000000000000000006000000:0050 01 00000000:00000000 00:00000000 00000000   103        0 347 1 0000000037d1e2f3 20 4 30 10 -1\n",
  // The addresses end as those of IPv4 begin.
  "   3: 0100007F0000000000000000FFFF0000:D2F0 0100007F0000000000000000FFFF0000:1F91 01 00000000:00000000 00:00000000 00000000   104        0 348 1 0000000047d1e2f3 20 4 30 10 -1\n",
];

const sides = (own: string, ownPort: number, other: string, otherPort: number) =>
  sidesInTable({ address: own, port: ownPort }, { address: other, port: otherPort });

/** The rows in pieces of a table, and how many rows it has in all. */
function read(pieces: readonly string[], ...wanted: string[]) {
  const found = new Map<string, TcpRow>();
  let rest = "";
  let rows = 0;
  for (const piece of pieces) {
    const part = findRows(rest + piece, new Set(wanted), found);
    rows += part.rows;
    ({ rest } = part);
  }
  return { found: wanted.map((each) => found.get(each)), rows };
}

// The vectors are of a machine that has the low byte first, as all that Node's builds are for but one.
describe.runIf(endianness() === "LE")("rows of the kernel's tables", () => {
  it("are found by the sides of a connection", () => {
    const wanted = [
      sides("127.0.0.1", 54_000, "127.0.0.1", 8081),
      sides("127.0.0.1", 8081, "127.0.0.1", 54_000),
      sides("127.0.0.1", 8081, "127.0.0.1", 54_002),
      sides("127.0.0.2", 54_004, "127.0.0.1", 8081),
      sides("127.0.0.1", 54_004, "127.0.0.1", 8081),
    ];
    expect(read([header + ipv4.join("")], ...wanted)).toEqual({
      found: [
        { isEstablished: true, user: 33 },
        { isEstablished: true, user: 1000 },
        { isEstablished: false, user: 4_294_967_294 },
        { isEstablished: false, user: 0 },
        undefined,
      ],
      rows: ipv4.length,
    });
  });

  it("are found in the table of IPv6, also those of IPv4, however the addresses are written", () => {
    const wanted = [
      sides("::1", 49_000, "0:0:0:0:0:0:0:1", 8081),
      sides("::ffff:127.0.0.1", 54_008, "127.0.0.1", 8081),
      sides("2001:db8::5", 54_010, "2001:DB8::6", 80),
      sides("7f00:1::ffff", 54_000, "7f00:1::ffff", 8081),
      sides("127.0.0.1", 54_000, "127.0.0.1", 8081),
    ];
    expect(read([header + ipv6.join("")], ...wanted).found).toEqual([
      { isEstablished: true, user: 101 },
      { isEstablished: true, user: 102 },
      { isEstablished: true, user: 103 },
      { isEstablished: true, user: 104 },
      undefined,
    ]);
  });

  it("are the same however the table is cut", () => {
    const text = header + ipv4.join("") + ipv6.join("");
    const wanted = [
      sides("127.0.0.1", 54_000, "127.0.0.1", 8081),
      sides("127.0.0.2", 54_004, "127.0.0.1", 8081),
      sides("127.0.0.1", 54_008, "127.0.0.1", 8081),
    ];
    const whole = read([text], ...wanted);
    expect(whole.found).not.toContain(undefined);
    for (let at = 0; at <= text.length; at++)
      expect(read([text.slice(0, at), text.slice(at)], ...wanted)).toEqual(whole);
    expect(read([...text], ...wanted)).toEqual(whole);
  });
});

it("anything else in a table is left out, and a row without an end refused", () => {
  const wanted = sides("127.0.0.1", 54_000, "127.0.0.1", 8081);
  expect(read([header, "\n", "no row\n", `x ${wanted} 01\n`], wanted)).toEqual({
    found: [undefined],
    rows: 0,
  });
  expect(read([": \n", `0: ${wanted}\n`], wanted).found).toEqual([undefined]);
  expect(() => read(["1".repeat(500), "1".repeat(501)], wanted)).toThrow("endless row");
});
