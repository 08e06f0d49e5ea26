import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** An address that leads to one database server and later to another one, as a name or a virtual address does. */
export async function startSwitchedServer(databaseUrl: string) {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    endAll();
  });
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    leadTo(other: string) {
      target = new URL(other);
      endAll();
    },
  };
}
