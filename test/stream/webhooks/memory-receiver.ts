import { Duplex } from "node:stream";
import type { Endpoint, MetadataNetwork } from "../../../server/metadata/network.js";
import { Targets } from "../../../server/stream/webhooks/targets.js";

/** Where deliveries of a network that is no devnet may go. */
export const publicTargets = new Targets({ isDevnet: false, networks: undefined });

type Received = { path: string; headers: Record<string, string>; body: string };

/** A receiver of deliveries, over connections in memory. */
export class MemoryReceiver {
  readonly requests: Received[] = [];
  readonly endpoints: Endpoint[] = [];
  /** The status of its answers; `silent`, or `closed` for connections that fail. */
  answer: number | "silent" | "closed" = 200;
  /** Connections that are open. */
  open = 0;

  readonly network: MetadataNetwork = {
    resolve: async () => ["93.184.216.34"],
    connect: async (endpoint) => {
      this.endpoints.push(endpoint);
      if (this.answer === "closed") throw new Error("the connection is refused");
      return this.#connection();
    },
  };

  #connection(): Duplex {
    let received = "";
    let isWhole = false;
    this.open++;
    const socket = new Duplex({
      read() {},
      write: (chunk, _, done) => {
        received += String(chunk);
        const request = isWhole ? undefined : requestIn(received);
        if (request) {
          isWhole = true;
          this.requests.push(request);
          if (typeof this.answer === "number")
            socket.push(`HTTP/1.1 ${this.answer} Fine\r\ncontent-length: 0\r\n\r\n`);
        }
        done();
      },
      destroy: (error, done) => {
        this.open--;
        done(error);
      },
    });
    return socket;
  }
}

/** A request whose body is whole. */
function requestIn(text: string): Received | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const body = text.slice(end + 4);
  if (Buffer.byteLength(body) < Number(headers["content-length"])) return undefined;
  return { path: first.split(" ")[1]!, headers, body };
}

/** Lets everything in memory go on until this holds. */
export async function turnsUntil(what: string, holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000; turn++) {
    if (holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`waited in vain for ${what}`);
}

/** Lets everything in memory go on that can. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}
