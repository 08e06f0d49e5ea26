import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections: what is free here is still free a moment later. */
const [first, end] = [12_000, 32_000];

/** Workers of a run have ports of their own, and give none twice: a program opens its port some time later. */
const maxWorkers = 8;
const worker = Number(process.env["VITEST_POOL_ID"] ?? 0) % maxWorkers;
const given = new Set<number>();

/** An unused port of 127.0.0.1, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + worker + maxWorkers * randomInt((end - first) / maxWorkers);
    if (given.has(port)) continue;
    given.add(port);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
