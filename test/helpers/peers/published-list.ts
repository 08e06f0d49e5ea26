import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { bytesToBase64 } from "../../../shared/values/bytes.js";

/** A liteserver in a list, by its IPv4 address; keys differ by `index`. */
export function listed(address: string, index = 0) {
  const ip = address.split(".").reduce((sum, part) => (sum << 8) | Number(part), 0);
  const key = new Uint8Array(32);
  new DataView(key.buffer).setUint32(0, index);
  return { ip, port: 4000 + (index % 60_000), id: { "@type": "pub.ed25519", key: bytesToBase64(key) } };
}

/** The address of a server on loopback that publishes what a test wants, to one request after the other. */
export async function publish(answer: string | ((response: ServerResponse) => void)): Promise<string> {
  const server = createServer((_, response) => {
    // The client leaves early.
    response.on("error", () => {});
    if (typeof answer === "string") response.end(answer);
    else answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/global.config.json`;
}
