import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** The files of a folder over HTTP, with ranges. The first answer for a path that `cut` names breaks off in the middle. */
export async function servedFolder(
  folder: string,
  { cut }: { cut: (path: string) => boolean },
): Promise<{ url: string; ranges: string[]; close(): Promise<void> }> {
  const ranges: string[] = [];
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    const path = request.url!;
    const bytes = readFileSync(join(folder, path));
    const etag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
    const { range } = request.headers;
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const isPart = range !== undefined && request.headers["if-range"] === etag;
    if (isPart) ranges.push(range);
    const body = isPart ? bytes.subarray(from) : bytes;
    response.writeHead(isPart ? 206 : 200, {
      etag,
      "content-length": body.length,
      ...(isPart && { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    const breaks = cut(path) && !seen.has(path);
    seen.add(path);
    if (breaks) response.write(body.subarray(0, body.length >> 1), () => response.destroy());
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    ranges,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
