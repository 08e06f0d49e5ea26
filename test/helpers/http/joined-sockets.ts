import { connect, type Socket } from "node:net";

/** Connects to a server on behalf of a client; each socket ends with the other one. `open` has both while they are open. */
export function connectFor(
  client: Socket,
  { host, port }: { host: string; port: number },
  open: Set<Socket>,
): Socket {
  const server = connect({ host, port, noDelay: true });
  for (const socket of [client, server]) {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      (socket === client ? server : client).destroy();
    });
  }
  return server;
}
