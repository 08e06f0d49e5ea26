import type { WebSocket } from "ws";
import type { Suite } from "./harness.js";
import { httpFlood, socketFlood } from "./servers/flood.js";
import { ServerProcess } from "./servers/process.js";
import { address, methodName } from "./servers/record.js";

let server: ServerProcess | undefined;

const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: methodName, params: { address } });
const path = `/api/v2/${methodName}?address=${address}`;
const sendCall = (socket: WebSocket) => socket.send(call);
/** A refused call may cost a tenth of a cached one. */
const goal = { floor: 10, aim: 20 };

export const suite: Suite = {
  title:
    "Floods without points, processor time per second of 20 connections (baseline: the same flood, served from the cache)",
  async rows() {
    server = await ServerProcess.start("full");
    const served = socketFlood(server, "served", sendCall);
    return [
      {
        title: "HTTP",
        ours: httpFlood(server, path, "refused"),
        baseline: httpFlood(server, path, "served"),
        goal,
      },
      { title: "WebSocket", ours: socketFlood(server, "refused", sendCall), baseline: served, goal },
      {
        title: "WebSocket, pings",
        ours: socketFlood(server, "refused", (socket) => socket.ping()),
        baseline: served,
        // The frames of one read are parsed in any case, and 64 KB hold 10,000 pings but 500 calls.
        goal: { floor: 4, aim: 10 },
      },
    ];
  },
  close() {
    server?.close();
    server = undefined;
  },
};
