import { type Load, load, socketLoad } from "../helpers/servers/load.js";
import { ServerProcess } from "../helpers/servers/process.js";
import { address, methodName } from "../helpers/servers/record.js";
import type { Row, Suite } from "./harness.js";

let servers: { bare: ServerProcess; full: ServerProcess } | undefined;

export const suite: Suite = {
  title:
    "HTTP and WebSocket, processor time per call (baseline: bare node:http, a bare ws that answers constant bytes)",
  async rows() {
    servers = { bare: await ServerProcess.start("bare"), full: await ServerProcess.start("full") };
    const call = (id: number) => ({ jsonrpc: "2.0", id, method: methodName, params: { address } });
    const batch = (size: number) => Array.from({ length: size }, (_, id) => call(id));
    return [
      row("POST, cached", { path: "/api/v2/jsonRPC", body: call(1) }, 1, { floor: 0.7, aim: 0.8 }),
      row("POST, strict, cached", { path: "/jsonRPC", body: call(1) }, 1, { floor: 0.7, aim: 0.8 }),
      row("GET, cached", { path: `/api/v2/${methodName}?address=${address}` }, 1, { floor: 0.7, aim: 0.8 }),
      row("POST, batch of 10", { path: "/jsonRPC", body: batch(10) }, 10, { floor: 0.5, aim: 0.6 }),
      row("POST, batch of 100", { path: "/jsonRPC", body: batch(100) }, 100, { floor: 0.7, aim: 0.85 }),
      {
        title: "WebSocket, 64 in flight",
        ours: socketLoad(servers.full, call(1), 64),
        baseline: socketLoad(servers.bare, call(1), 64),
        goal: { floor: 0.65, aim: 0.75 },
      },
    ];
  },
  close() {
    servers?.bare.close();
    servers?.full.close();
    servers = undefined;
  },
};

function row(title: string, what: Load, calls: number, goal: NonNullable<Row["goal"]>): Row {
  const { bare, full } = servers!;
  return {
    title,
    ours: load(full, what, calls),
    baseline: load(bare, what, calls),
    goal,
  };
}
