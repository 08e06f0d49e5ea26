import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import type * as Tonwire from "../../client/node.js";
import { canMask } from "../../client/ws-masking.js";
import { echo } from "../helpers/peers/rpc-server.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** Bundlers of server components replace the optional packages of `ws` by modules without content. */
const withoutNative: Plugin = {
  name: "without native packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(bufferutil|utf-8-validate)$/ }, ({ path }) => ({ path, namespace: "empty" }));
    onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** The client for Node in one file with `ws`, as in a server component. */
async function bundledClient(): Promise<typeof Tonwire> {
  const outfile = join(temporaryFolder(), "client.mjs");
  await build({
    entryPoints: [new URL("../../client/node.ts", import.meta.url).pathname],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    plugins: [withoutNative],
  });
  return import(/* @vite-ignore */ pathToFileURL(outfile).href);
}

describe("webSocket in a bundle that has ws in it", () => {
  it("sends messages of any length", async () => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await once(server, "listening");
    server.on("connection", (socket) => {
      socket.on("message", (data) => socket.send(JSON.stringify(echo(JSON.parse(String(data))))));
    });
    onTestFinished(() => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    });
    const { createClient, webSocket } = await bundledClient();
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/jsonRPC`;
    const client = createClient({ transport: webSocket(url), retry: false });
    onTestFinished(() => client.close());
    const params = { address: "a".repeat(1000) };
    expect(await client.call("packAddress", params)).toEqual({ method: "packAddress", params });
  });

  it("masks messages wherever ws can", () => {
    expect(canMask()).toBe(true);
  });
});
