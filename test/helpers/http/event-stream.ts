import { connect, type Socket } from "node:net";
import { until } from "../until.js";

export type StreamRequest = {
  path?: string;
  /** Default: POST; GET has no body. */
  method?: "GET";
  key?: string | undefined;
  headers?: Readonly<Record<string, string>>;
};

/** A client of server-sent events that reads the bytes of its socket itself. */
export class RawEventStream {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
    });
    socket.on("close", () => {
      this.isClosed = true;
    });
    socket.on("error", () => {});
  }

  /** Sends the request; does not wait for an answer. */
  static open(
    url: string,
    body: unknown,
    { path = "/api/streaming/v2/sse", method, key, headers = {} }: StreamRequest = {},
  ): RawEventStream {
    const { hostname, port } = new URL(url);
    const text = method === "GET" ? "" : typeof body === "string" ? body : JSON.stringify(body);
    const all = {
      Host: hostname,
      ...(method !== "GET" && { "Content-Length": String(Buffer.byteLength(text)) }),
      ...(key !== undefined && { "X-API-Key": key }),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(Number(port), hostname);
    socket.write(`${method ?? "POST"} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`);
    return new RawEventStream(socket);
  }

  /** Status line and headers. */
  async head(): Promise<string> {
    await until("the head", () => this.#bytes.includes("\r\n\r\n"));
    return this.#bytes.toString("utf8").split("\r\n\r\n", 1)[0]!;
  }

  /** The body so far, with its chunks put together. */
  get text(): string {
    const start = this.#bytes.indexOf("\r\n\r\n");
    if (start < 0) return "";
    const parts: Buffer[] = [];
    for (let at = start + 4; ; ) {
      const end = this.#bytes.indexOf("\r\n", at);
      if (end < 0) break;
      const size = Number.parseInt(this.#bytes.toString("latin1", at, end), 16);
      if (size === 0 || this.#bytes.length < end + 2 + size) break;
      parts.push(this.#bytes.subarray(end + 2, end + 2 + size));
      at = end + 2 + size + 2;
    }
    return Buffer.concat(parts).toString("utf8");
  }

  /** Whether the body was ended as it should be. */
  get isEnded(): boolean {
    return this.#bytes.toString("latin1").endsWith("\r\n0\r\n\r\n");
  }

  /** Whole frames so far, without the comments that come by the clock. */
  get frames(): string[] {
    const all = this.text.split("\n\n").slice(0, -1);
    return all.filter((frame) => !frame.startsWith(":"));
  }

  /** The data of frames so far. */
  get events(): Record<string, unknown>[] {
    return this.frames.flatMap((frame) => {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      return data === undefined ? [] : [JSON.parse(data)];
    });
  }

  /** Resolves with the first matching event once it has arrived. */
  event(what: string, isIt: (event: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    return until(
      () => `${what} in ${this.#bytes.toString("latin1").slice(0, 2000)}`,
      () => this.events.find(isIt),
    );
  }

  close(): void {
    this.socket.destroy();
  }
}
