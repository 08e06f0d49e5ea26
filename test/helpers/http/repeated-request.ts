import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";

/** An HTTP request that is sent many times, or a message of a WebSocket. */
type Repeated = {
  readonly path: string;
  /** Default: GET, or POST if there is a body. */
  readonly body?: object;
  readonly headers: Readonly<Record<string, string>>;
};

const connections = 8;
const inFlight = 16;

/** Sends a request `calls` times, over a few connections, each after the answer before it. Rejects if one is not answered with 200. */
export async function repeatRequest(url: string, request: Repeated, calls: number): Promise<void> {
  const bytes = bytesOf(url, request);
  let left = calls;
  const take = () => left-- > 0;
  await Promise.all(Array.from({ length: connections }, () => askOn(url, bytes, take)));
}

/** Sends a message `calls` times over one WebSocket, several in flight. */
export async function repeatMessage(
  url: string,
  { path, body, headers }: Repeated,
  calls: number,
): Promise<void> {
  const socket = new WebSocket(url.replace("http", "ws") + path, { headers });
  await once(socket, "open");
  const text = JSON.stringify(body);
  let left = calls;
  const send = () => {
    if (left-- > 0) socket.send(text);
  };
  await new Promise<void>((resolve, reject) => {
    let answered = 0;
    socket.on("message", () => (++answered === calls ? resolve() : send()));
    socket.on("close", () => reject(new Error(`closed after ${answered} answers`)));
    for (let i = 0; i < inFlight; i++) send();
  });
  socket.terminate();
}

function bytesOf(url: string, { path, body, headers }: Repeated): Buffer {
  const content = body === undefined ? "" : JSON.stringify(body);
  const all = {
    Host: new URL(url).host,
    ...headers,
    ...(body && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(content) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${body ? "POST" : "GET"} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${content}`);
}

/** Sends the bytes of a request as long as `take` allows another call. A client of Node would take longer than the server. */
async function askOn(url: string, bytes: Buffer, take: () => boolean): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  try {
    await answersOn(socket, bytes, take);
  } finally {
    socket.destroy();
  }
}

function answersOn(socket: Socket, bytes: Buffer, take: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    const send = () => {
      if (take()) socket.write(bytes);
      else resolve();
    };
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk;
      const end = endOfAnswer(text);
      if (text.length < end) return;
      if (text.startsWith("HTTP/1.1 200 ")) send();
      else reject(new Error(text));
      text = "";
    });
    socket.on("close", () => reject(new Error("the connection was closed")));
    send();
  });
}

/** Characters of the answer that begins a text; infinite as long as its head is not complete. */
function endOfAnswer(text: string): number {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return Number.POSITIVE_INFINITY;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, head + 2)) ?? [];
  if (length === undefined) throw new Error(`no length in ${text.slice(0, head)}`);
  return head + 4 + Number(length);
}
