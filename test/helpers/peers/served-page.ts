import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A web server of a test. */
type ServedFiles = { readonly origin: string; close(): void };

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  css: "text/css",
  json: "application/json",
};

/** Serves texts by path from a port of 127.0.0.1. */
export async function serveFiles(files: Readonly<Record<string, string>>): Promise<ServedFiles> {
  const server = createServer(({ url = "/" }, response) => {
    const path = url.split("?")[0]!;
    const content = files[path];
    const type = types[path.slice(path.lastIndexOf(".") + 1)] ?? types["html"]!;
    response.writeHead(content === undefined ? 404 : 200, { "Content-Type": type }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
