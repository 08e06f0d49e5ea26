import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Endpoint, MetadataNetwork } from "../../../server/metadata/network.js";

/** An address that counts as public; nothing is sent to it. */
export const publicAddress = "93.184.215.14";

/** Addresses by host name; a function gives another answer each time. */
export type Names = Readonly<Record<string, readonly string[] | (() => readonly string[])>>;

/** The internet as a test wants it: its names, and one server on loopback that is behind every address. */
export interface TestNetwork extends MetadataNetwork {
  /** Hosts of the connections. */
  readonly connections: readonly Endpoint[];
  /** Method and URL of the requests. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function startNetwork(
  names: Names,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestNetwork> {
  const connections: Endpoint[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host}${request.url}`);
    // The client leaves early.
    request.socket.on("error", () => {});
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    connections,
    requests,
    resolve: async (name) => {
      const found = names[name] ?? [];
      return [...(typeof found === "function" ? found() : found)];
    },
    connect: async (endpoint, signal) => {
      connections.push(endpoint);
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect", { signal });
      return socket.on("error", () => {});
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
