// A minimal ws server of calls: always the same answer, with the call's id.
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { report } from "./process.js";
import { record } from "./record.js";

type Call = { id: number };
const answer = ({ id }: Call) => ({ jsonrpc: "2.0", id, ok: true, result: record });

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", (socket) => {
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as Call | Call[];
    socket.send(JSON.stringify(Array.isArray(message) ? message.map(answer) : answer(message)));
  });
});
server.on("listening", () => report({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }));
