import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Serves the dashboard from its own origin; returns its URL. */
export async function servePage(): Promise<{ url: string; close(): void }> {
  const { outputFiles } = await build({
    entryPoints: [file("dashboard.ts")],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  const html = readFileSync(file("dashboard.html"));
  const server = createServer((request, response) => {
    const script = request.url === "/dashboard.js";
    response.writeHead(200, { "Content-Type": script ? "text/javascript" : "text/html; charset=utf-8" });
    response.end(script ? outputFiles[0]!.text : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
