import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ownUser } from "../../server/os/file-owner.js";
import { sidesInTable } from "../../server/os/tcp-rows.js";
import { type TcpConnection, TcpTable } from "../../server/os/tcp-table.js";
import { withResolvers } from "../../shared/values/promises.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** Both sides of a connection; the server listens at `address`. */
async function connectedTo(address: string, by = address): Promise<{ server: Socket; client: Socket }> {
  const listener = createServer({ allowHalfOpen: true }).listen(0, address);
  onTestFinished(() => void listener.close());
  await once(listener, "listening");
  const accepted = once(listener, "connection");
  const client = connect({
    ...{ port: (listener.address() as AddressInfo).port, host: by },
    allowHalfOpen: true,
  });
  const [server] = (await accepted) as [Socket];
  for (const socket of [server, client]) {
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
  }
  return { server, client };
}

describe.runIf(process.platform === "linux")("the kernel's table", () => {
  it.each([
    ["IPv4", "127.0.0.1", "127.0.0.1"],
    ["IPv6", "::1", "::1"],
    ["IPv4 of a socket of IPv6", "::", "127.0.0.1"],
    ["IPv4 of two sockets of IPv6", "::", "::ffff:127.0.0.1"],
  ])("has the user of the other side: %s", async (_, address, by) => {
    const { server } = await connectedTo(address, by);
    expect(await new TcpTable().otherSideOf(server)).toEqual({ user: ownUser() });
  });

  it("shows a side that has closed, half or wholly", async () => {
    const table = new TcpTable();
    for (const close of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
      const { server, client } = await connectedTo("127.0.0.1");
      const connection = copyOf(server);
      expect(await table.otherSideOf(connection)).toEqual({ user: ownUser() });
      const ended = once(server.resume(), "end").catch(() => {});
      close(client);
      await ended;
      expect(await table.otherSideOf(connection)).toBe("closed");
    }
    expect(await table.otherSideOf({})).toBe("closed");
  });
});

/** The sides of a connection that may be closed meanwhile. */
const copyOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
  ({ remoteAddress, remotePort, localAddress, localPort }) as TcpConnection;

const here = { address: "127.0.0.1", port: 8081 };
const there = (port: number) => ({ address: "127.0.0.1", port });
const connectionFrom = (port: number): TcpConnection => ({
  ...{ localAddress: here.address, localPort: here.port },
  ...{ remoteAddress: "127.0.0.1", remotePort: port },
});
const row = (sides: string, state = "01", user = 33) =>
  `   0: ${sides} ${state} 00000000:00000000 00:00000000 00000000 ${user} 0 1 1 0 20 4 30 10 -1\n`;
const clientRow = (port: number, state?: string) => row(sidesInTable(there(port), here), state);
const serverRow = (port: number, state?: string) => row(sidesInTable(here, there(port)), state, 1000);
const header = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n";

/** A table in a file, beside which there is none of IPv6. */
function madeTable(...rows: string[]) {
  const path = join(temporaryFolder(), "tcp");
  writeFileSync(path, header + rows.join(""));
  return { table: new TcpTable([path, `${path}6`]), path };
}

describe("a table that has", () => {
  it.each<[title: string, rows: string[], side: unknown]>([
    ["both sides", [serverRow(5000), clientRow(5000)], { user: 33 }],
    ["a client that has closed", [serverRow(5000), clientRow(5000, "05")], "closed"],
    ["only this side", [serverRow(5000)], "unknown"],
    ["only this side, which the client has closed", [serverRow(5000, "08")], "closed"],
    ["neither side, as after a reset", [serverRow(5001), clientRow(5001)], "closed"],
    ["no row", [], "unknown"],
  ])("%s", async (_, rows, side) => {
    expect(await madeTable(...rows).table.otherSideOf(connectionFrom(5000))).toEqual(side);
  });

  it("is missing, or not for this process", async () => {
    const folder = temporaryFolder();
    const table = new TcpTable([join(folder, "tcp"), join(folder, "tcp6")]);
    expect(await table.otherSideOf(connectionFrom(5000))).toBe("unknown");
    const { table: hidden, path } = madeTable(clientRow(5000));
    chmodSync(path, 0);
    // Root reads any file.
    expect(await hidden.otherSideOf(connectionFrom(5000))).toEqual(
      ownUser() === 0 ? { user: 33 } : "unknown",
    );
  });

  it("cannot be read now", async () => {
    // A folder opens, and cannot be read.
    await expect(new TcpTable([temporaryFolder()]).otherSideOf(connectionFrom(5000))).rejects.toThrow(
      "EISDIR",
    );
  });
});

it("look-ups during a reading share the next one", async () => {
  /** Each reading ends with the rows that the test gives it. */
  const readings = [0, 1].map(() => ({ begun: withResolvers<void>(), rows: withResolvers<string>() }));
  let begun = 0;
  const table = new TcpTable(["tcp"], async function* () {
    const reading = readings[begun++]!;
    reading.begun.resolve();
    yield reading.rows.promise;
  });
  const first = table.otherSideOf(connectionFrom(5000));
  await readings[0]!.begun.promise;
  const later = [5001, 5002].map((port) => table.otherSideOf(connectionFrom(port)));
  // The port had another connection before.
  const stale = row(sidesInTable(there(5001), here), "01", 7);
  readings[0]!.rows.resolve(clientRow(5000) + stale);
  expect(await first).toEqual({ user: 33 });
  readings[1]!.rows.resolve(clientRow(5001) + clientRow(5002));
  expect(await Promise.all(later)).toEqual([{ user: 33 }, { user: 33 }]);
  expect(begun).toBe(2);
});

it("many look-ups at once are each answered", async () => {
  const ports = Array.from({ length: 300 }, (_, i) => 10_000 + i);
  const { table } = madeTable(...ports.flatMap((port) => [serverRow(port), clientRow(port)]));
  const sides = await Promise.all(ports.map((port) => table.otherSideOf(connectionFrom(port))));
  expect(new Set(sides.map((side) => JSON.stringify(side)))).toEqual(new Set(['{"user":33}']));
});

it("a look-up after one that failed is answered", async () => {
  let readings = 0;
  const table = new TcpTable(["tcp"], async function* () {
    if (readings++ === 0) throw new Error("EMFILE: too many open files");
    yield clientRow(5000);
  });
  await expect(table.otherSideOf(connectionFrom(5000))).rejects.toThrow("EMFILE");
  expect(await table.otherSideOf(connectionFrom(5000))).toEqual({ user: 33 });
});

it("a row that one reading left out is found by the next", async () => {
  let readings = 0;
  const table = new TcpTable(["tcp"], async function* () {
    yield readings++ === 0 ? serverRow(5000) : serverRow(5000) + clientRow(5000);
  });
  expect(await table.otherSideOf(connectionFrom(5000))).toEqual({ user: 33 });
});
