import { once } from "node:events";
import { connect } from "node:net";
import { until } from "../until.js";

/** A call with an incomplete body: in flight until `finish`, which returns the raw answer. */
export async function halfACall(url: string, key: string) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "rpc.ping" });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text) => {
    received += text;
  });
  socket.on("error", () => {});
  const head = ["POST /jsonRPC HTTP/1.1", "Host: x", `X-API-Key: ${key}`, `Content-Length: ${body.length}`];
  socket.write(`${head.join("\r\n")}\r\nExpect: 100-continue\r\n\r\n`);
  // The server has accepted the call once it requests the body.
  await until("100 Continue", () => received.includes("100 Continue"));
  return async () => {
    socket.write(body);
    await once(socket, "close");
    return received;
  };
}
