import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { echo, type RpcRequest } from "../../helpers/peers/rpc-server.js";

export type Message = RpcRequest | RpcRequest[];

/** A WebSocket server that handles each message as a test defines. */
export async function serveSockets(answer: (message: Message, socket: WebSocket) => void, port = 0) {
  const server = new WebSocketServer({ host: "127.0.0.1", port });
  await once(server, "listening");
  const messages: Message[] = [];
  const connections: { url: string; headers: Record<string, unknown>; protocols: string }[] = [];
  server.on("connection", (socket, { url, headers }) => {
    connections.push({ url: url!, headers, protocols: socket.protocol });
    socket.on("message", (data) => {
      messages.push(JSON.parse(String(data)));
      answer(messages.at(-1)!, socket);
    });
  });
  const close = async () => {
    for (const socket of server.clients) socket.terminate();
    server.close();
    await once(server, "close").catch(() => {});
  };
  onTestFinished(() => (server.address() ? close() : undefined));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jsonRPC`,
    server,
    messages,
    connections,
    close,
  };
}

export const send = (socket: WebSocket, value: unknown) => socket.send(JSON.stringify(value));
export const answerAll = (message: Message, socket: WebSocket) =>
  send(socket, Array.isArray(message) ? message.map(echo) : echo(message));
