import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections: what is free here is still free a moment later. */
const [first, end] = [12_000, 32_000];

/** Workers of a run have ports of their own, and give none twice: a program opens its port some time later. */
const maxWorkers = 8;
const portsOfWorker = (end - first) / maxWorkers;
const firstOfWorker = first + (Number(process.env["VITEST_POOL_ID"] ?? 0) % maxWorkers) * portsOfWorker;
const given = new Set<number>();

/** An unused port of 127.0.0.1, for programs that cannot choose one themselves. `count`: the first one of so many. */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const port = firstOfWorker + randomInt(portsOfWorker - count + 1);
    const ports = Array.from({ length: count }, (_, next) => port + next);
    if (ports.some((each) => given.has(each))) continue;
    for (const each of ports) given.add(each);
    if ((await Promise.all(ports.map(canListen))).every((isFree) => isFree)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
