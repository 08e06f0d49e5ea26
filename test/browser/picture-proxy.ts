import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A PNG of one pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** A picture that would run a script, and one that would load another picture, if a page let it. */
export const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="parent.scripted=1">
  <script>parent.scripted = 1; document.title = "scripted"</script><image href="https://stranger.example/pixel.png"/></svg>`;

/** An image proxy as imgproxy, that answers by the name of the picture. */
export interface PictureProxy {
  readonly url: string;
  /** URLs of the pictures that it was asked for. */
  readonly asked: ReadonlySet<string>;
  close(): Promise<void>;
}

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "png.png": (response) => response.writeHead(200, { "Content-Type": "image/png" }).end(png),
  "script.svg": (response) => response.writeHead(200, { "Content-Type": "image/svg+xml" }).end(svg),
  "page.html": (response) =>
    response.writeHead(200, { "Content-Type": "text/html" }).end("<script>parent.scripted = 1</script>"),
  // Its end does not come.
  "slow.png": (response) =>
    response.writeHead(200, { "Content-Type": "image/png" }).write(png.subarray(0, 40)),
  "broken.png": (response) => response.writeHead(422).end("no picture"),
};

export async function startPictureProxy(): Promise<PictureProxy> {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const source = Buffer.from(request.url!.split("/").at(-1)!, "base64url").toString();
    asked.add(source);
    const answer = answers[source.split("/").at(-1)!];
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
