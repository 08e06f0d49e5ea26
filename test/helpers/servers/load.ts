import { once } from "node:events";
import autocannon from "autocannon";
import { WebSocket } from "ws";
import type { Contender } from "../../bench/harness.js";
import { sized } from "../effort.js";
import type { ServerProcess } from "./process.js";

/** A request: a GET, or with a body a POST. */
export type Load = { path: string; body?: object };

const callsPerSocket = sized(200, 20_000);

/** One socket with a fixed number of calls in flight; measures the server's processor time. */
export function socketLoad(server: ServerProcess, call: object, inFlight: number): Contender {
  const { url, headers } = server.hello;
  return async () => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/jsonRPC`, { headers: headers ?? {} });
    await once(socket, "open");
    const text = JSON.stringify(call);
    const before = await server.cpu();
    await new Promise<void>((resolve, reject) => {
      let sent = 0;
      let answered = 0;
      const send = () => {
        if (sent++ < callsPerSocket) socket.send(text);
      };
      socket.on("message", () => (++answered === callsPerSocket ? resolve() : send()));
      socket.on("close", () => reject(new Error(`closed after ${answered} answers`)));
      for (let i = 0; i < inFlight; i++) send();
    });
    const micros = (await server.cpu()) - before;
    socket.terminate();
    return { units: callsPerSocket, micros };
  };
}

/** A few thousand calls over 32 connections; measures the server's processor time. */
export function load(server: ServerProcess, { path, body }: Load, calls = 1): Contender {
  const { url, headers } = server.hello;
  return async () => {
    // Fewer batches than single calls, but enough that connections and JIT compilation do not matter.
    const amount = Math.ceil(sized(400, 8000) / Math.sqrt(calls));
    const before = await server.cpu();
    const result = await autocannon({
      url: url + path,
      connections: 32,
      amount,
      headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    if (result["2xx"] !== amount) throw new Error(`${amount - result["2xx"]} of ${amount} calls failed`);
    return { units: amount * calls, micros: (await server.cpu()) - before };
  };
}
