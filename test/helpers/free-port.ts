import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections: what is free here is still free a moment later. */
const [first, end] = [12_000, 32_000];

/** An unused port of 127.0.0.1, for programs that cannot choose one themselves. `count`: the first one of so many. */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const port = randomInt(first, end);
    const each = Array.from({ length: count }, (_, next) => canListen(port + next));
    if ((await Promise.all(each)).every((isFree) => isFree)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
