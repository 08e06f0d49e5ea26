import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import autocannon from "autocannon";
import { WebSocket } from "ws";
import type { Contender } from "../harness.js";
import type { ServerProcess } from "./process.js";

const connections = 20;
const floodSec = 1;
/** Enough unsent bytes to keep a socket busy. */
const unsentBytes = 64 * 1024;

/** The flooding caller: with the key of the server, or without a key, limited to one call per second. */
type Flooder = "served" | "refused";

/** Requests one after the other over each connection; measures the server's processor time. */
export function httpFlood(server: ServerProcess, path: string, flooder: Flooder): Contender {
  return () =>
    spentBy(server, () =>
      autocannon({
        url: server.hello.url + path,
        connections,
        duration: floodSec,
        headers: headersOf(server, flooder),
      }),
    );
}

/** Messages over WebSockets as fast as they are read; a closed socket is reopened. */
export function socketFlood(
  server: ServerProcess,
  flooder: Flooder,
  send: (socket: WebSocket) => void,
): Contender {
  return () =>
    spentBy(server, async () => {
      const until = performance.now() + floodSec * 1000;
      const url = `${server.hello.url.replace("http", "ws")}/jsonRPC`;
      const flood = async () => {
        while (performance.now() < until) {
          const socket = new WebSocket(url, { headers: headersOf(server, flooder) });
          socket.on("message", () => {}).on("error", () => {});
          await once(socket, "open");
          while (socket.readyState === socket.OPEN && performance.now() < until) {
            for (let i = 0; i < 100 && socket.bufferedAmount < unsentBytes; i++) send(socket);
            await turn();
          }
          socket.terminate();
        }
      };
      await Promise.all(Array.from({ length: connections }, flood));
    });
}

function headersOf({ hello }: ServerProcess, flooder: Flooder): Record<string, string> {
  return flooder === "served" ? (hello.headers ?? {}) : {};
}

async function spentBy(server: ServerProcess, flood: () => Promise<unknown>) {
  const before = await server.cpu();
  await flood();
  return { units: 1, micros: (await server.cpu()) - before };
}
