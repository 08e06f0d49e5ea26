import autocannon from "autocannon";
import type { Contender, Row, Suite } from "./harness.js";
import { ServerProcess } from "./servers/process.js";
import { address, methodName } from "./servers/record.js";

let servers: { bare: ServerProcess; full: ServerProcess } | undefined;

export const suite: Suite = {
  title: "HTTP, processor time per call (baseline: bare node:http)",
  async rows() {
    servers = { bare: await ServerProcess.start("bare"), full: await ServerProcess.start("full") };
    const call = (id: number) => ({ jsonrpc: "2.0", id, method: methodName, params: { address } });
    const batch = (size: number) => Array.from({ length: size }, (_, id) => call(id));
    return [
      row("POST, cached", { path: "/api/v2/jsonRPC", body: call(1) }, 1, { floor: 0.55, aim: 0.7 }),
      row("POST, strict, cached", { path: "/jsonRPC", body: call(1) }, 1),
      row("GET, cached", { path: `/api/v2/${methodName}?address=${address}` }, 1, { floor: 0.55, aim: 0.7 }),
      row("POST, batch of 10", { path: "/jsonRPC", body: batch(10) }, 10),
      row("POST, batch of 100", { path: "/jsonRPC", body: batch(100) }, 100, { floor: 0.65, aim: 0.8 }),
    ];
  },
  close() {
    servers?.bare.close();
    servers?.full.close();
    servers = undefined;
  },
};

type Load = { path: string; body?: object };

function row(title: string, load: Load, calls: number, goal?: Row["goal"]): Row {
  const { bare, full } = servers!;
  return {
    title,
    ours: contender(full, load, calls),
    baseline: contender(bare, load, calls),
    ...(goal && { goal }),
  };
}

/** A few thousand calls over 32 connections; what counts is the server's processor time. */
function contender(server: ServerProcess, { path, body }: Load, calls: number): Contender {
  const { url, headers } = server.hello;
  return async () => {
    const amount = Math.ceil(4000 / calls);
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
