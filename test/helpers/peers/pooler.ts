import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** NotificationResponse of the PostgreSQL protocol. */
const notification = "A".charCodeAt(0);
/** Type and length of a message. */
const headBytes = 5;

/**
 * Stands before a PostgreSQL server and loses its notifications, as PgBouncer does in transaction mode. Returns the URL of
 * the same database through it.
 */
export async function startPooler(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port || 5432) };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target);
    let received: Buffer = Buffer.alloc(0);
    upstream.on("data", (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      for (let size = sizeOf(received); size <= received.length; size = sizeOf(received)) {
        if (received[0] !== notification) client.write(received.subarray(0, size));
        received = received.subarray(size);
      }
    });
    client.pipe(upstream);
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}

/** Bytes of the first message, more than there are if its head is not complete. */
function sizeOf(received: Buffer): number {
  return received.length < headBytes ? headBytes : 1 + received.readUInt32BE(1);
}
