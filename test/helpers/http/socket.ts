import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";

/** A WebSocket client that remembers what came, so that tests read answers one by one. */
export interface TestSocket {
  readonly raw: WebSocket;
  /** Text and bytes are sent unchanged, anything else as JSON. */
  send(message: unknown): void;
  /** The next message, parsed. */
  next(): Promise<unknown>;
  /** Code and reason the connection is closed with. */
  readonly closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

/** Connects to a service given by its HTTP URL. */
export async function openSocket(
  url: string,
  {
    path = "/jsonRPC",
    protocols = [],
    ...options
  }: ClientOptions & { path?: string; protocols?: string[] } = {},
): Promise<TestSocket> {
  const raw = new WebSocket(url.replace("http", "ws") + path, protocols, options);
  const arrived: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  raw.on("message", (data) => {
    const message = JSON.parse(String(data));
    const first = waiting.shift();
    if (first) first(message);
    else arrived.push(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    raw.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await once(raw, "open");
  return {
    raw,
    send: (message) =>
      raw.send(
        typeof message === "string" || message instanceof Uint8Array ? message : JSON.stringify(message),
      ),
    next: () =>
      arrived.length > 0
        ? Promise.resolve(arrived.shift())
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
    closed,
    close: () => raw.close(),
  };
}

/** The HTTP answer of a handshake that is refused. */
export async function refusedHandshake(
  url: string,
  { path = "/jsonRPC", ...options }: ClientOptions & { path?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: unknown }> {
  const raw = new WebSocket(url.replace("http", "ws") + path, options);
  const [, response] = await once(raw, "unexpected-response");
  let text = "";
  for await (const chunk of response) text += chunk;
  const isJson = response.headers["content-type"].startsWith("application/json");
  return { status: response.statusCode, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
