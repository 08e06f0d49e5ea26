import type { IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));
const brotliBomb = brotliCompressSync(Buffer.alloc(16 * 1024 * 1024), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
});
const good = JSON.stringify({ name: "Honest", symbol: "HON" });

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

function redirect(location: string, status = 302): Answer {
  return (response) => response.writeHead(status, { location }).end();
}

function body(content: string | Uint8Array, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(200, headers).end(content);
}

/** Writes for as long as the client reads. */
function writeForEver(target: Writable, chunk: Uint8Array | string): void {
  const more = () => {
    while (target.writable && target.write(chunk));
    if (target.writable) target.once("drain", more);
  };
  more();
}

/** Answers of a hostile server, by path. */
export const answers: Readonly<Record<string, Answer>> = {
  "/good": body(good),
  "/gzip": body(gzipSync(good), { "content-encoding": "gzip" }),
  "/redirect": redirect("/good", 307),
  "/three": redirect("/two"),
  "/two": redirect("https://mirror.example/redirect"),

  "/to-loopback": redirect("http://127.0.0.1/good"),
  "/to-private-name": redirect("https://private.example/good"),
  "/to-rebinding": redirect("https://rebinding.example/good"),
  "/to-port": redirect("https://mirror.example:8443/good"),
  "/to-file": redirect("file:///etc/passwd"),
  "/loop": redirect("/loop"),
  "/four": redirect("/three"),
  "/nowhere": (response) => response.writeHead(302).end(),
  "/endless": (response) => writeForEver(response, Buffer.alloc(64 * 1024, " ")),
  "/announced": body(good, { "content-length": String(11 * 1024 * 1024) }),
  "/bomb": body(bomb, { "content-encoding": "gzip" }),
  "/brotli-bomb": body(brotliBomb, { "content-encoding": "br" }),
  "/cut-gzip": body(gzipSync(good).subarray(0, 20), { "content-encoding": "gzip" }),
  "/unknown-encoding": body(good, { "content-encoding": "zstd" }),
  "/two-encodings": body(gzipSync(gzipSync(good)), { "content-encoding": "gzip, gzip" }),
  "/nested": body("[".repeat(1024 * 1024)),
  "/nested-validly": body(`{"name":${"[".repeat(40)}${"]".repeat(40)}}`),
  "/html": body("<!doctype html><title>Not found</title>", { "content-type": "text/html" }),
  "/empty": body(""),
  "/binary": body(Buffer.from([0xff, 0xfe, 0x00])),
  "/list": body("[]"),
  "/null": body("null"),
  "/nameless": body('{"decimals":"9"}'),
  "/missing": (response) => response.writeHead(404).end(good),
  "/no-content": (response) => response.writeHead(204).end(),
  "/silent": () => {},
  "/drip": (response) => {
    response.writeHead(200);
    response.write("{");
    const timer = setInterval(() => response.write(" "), 10);
    response.once("close", () => clearInterval(timer));
  },
  "/huge-headers": (response) => response.writeHead(200, { "x-filler": "f".repeat(32 * 1024) }).end(good),
  "/many-headers": (_, { socket }) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    writeForEver(socket, `x-filler: ${"f".repeat(1000)}\r\n`);
  },
  "/no-http": (_, { socket }) => socket.end("220 mail.example ESMTP\r\n"),
  "/upgrade": (_, { socket }) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
  "/hang-up": (_, { socket }) => socket.destroy(),
  "/cut-body": (response, { socket }) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("{", () => socket.destroy());
  },
};
