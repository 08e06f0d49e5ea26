import { connect, type Socket } from "node:net";

/** A GET, or with a body a POST. */
export type Request = { path: string; body?: object };

/** More than processes: what a process finds waiting at once decides what a call costs it. */
const connections = 64;
const bufferBytes = 1 << 18;
const ok = Buffer.from("HTTP/1.1 200 OK\r\n");
const headEnd = Buffer.from("\r\n\r\n");
const length = Buffer.from("Content-Length: ");
const last = Buffer.from("Connection: close");

/**
 * Makes calls over keep-alive connections, one at a time on each. It reads no more of an answer than where it ends, so
 * that it takes much less processor time than a server. A connection that the server closes behind an answer is opened
 * again.
 */
export async function callsOver(origin: string, next: () => Request, amount: number): Promise<void> {
  const { hostname, port } = new URL(origin);
  let left = amount;
  let known: { request: Request; text: Buffer } | undefined;
  const text = () => {
    if (left === 0) return undefined;
    left--;
    const request = next();
    if (known?.request !== request) known = { request, text: textOf(request, hostname) };
    return known.text;
  };
  await Promise.all(
    Array.from({ length: connections }, () => new Calling(Number(port), hostname, text).done),
  );
}

function textOf({ path, body }: Request, host: string): Buffer {
  const text = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${text.length}`]),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`);
}

/** The calls of one connection after the other. */
class Calling {
  /** Resolves when there is nothing more to call. */
  readonly done: Promise<void>;
  readonly #port: number;
  readonly #host: string;
  readonly #next: () => Buffer | undefined;
  /** The beginning of an answer of which more is to come. */
  #begun: Buffer | undefined;

  constructor(port: number, host: string, next: () => Buffer | undefined) {
    this.#port = port;
    this.#host = host;
    this.#next = next;
    this.done = new Promise((resolve, reject) => this.#open(resolve, reject));
  }

  #open(resolve: () => void, reject: (error: Error) => void): void {
    const socket = connect({
      port: this.#port,
      host: this.#host,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(bufferBytes),
        callback: (bytes, buffer) => {
          try {
            this.#read(socket, buffer.subarray(0, bytes) as Buffer, resolve);
          } catch (error) {
            reject(error as Error);
          }
          return true;
        },
      },
    });
    socket.on("error", reject);
    socket.on("end", () => this.#open(resolve, reject));
    this.#call(socket, resolve);
  }

  #read(socket: Socket, chunk: Buffer, resolve: () => void): void {
    const answer = this.#begun ? Buffer.concat([this.#begun, chunk]) : chunk;
    if (endOf(answer) !== answer.length) {
      this.#begun = Buffer.from(answer);
      return;
    }
    this.#begun = undefined;
    if (answer.compare(ok, 0, ok.length, 0, ok.length) !== 0)
      throw new Error(answer.toString("latin1", 0, 300));
    // The server ends a connection with its last answer.
    if (!answer.subarray(0, answer.indexOf(headEnd)).includes(last)) this.#call(socket, resolve);
  }

  #call(socket: Socket, resolve: () => void): void {
    const text = this.#next();
    if (text) {
      socket.write(text);
      return;
    }
    socket.removeAllListeners("end");
    socket.destroy();
    resolve();
  }
}

/** End of the answer; infinite while unknown. */
function endOf(answer: Buffer): number {
  const head = answer.indexOf(headEnd);
  if (head < 0) return Infinity;
  const at = answer.indexOf(length) + length.length;
  return head + headEnd.length + Number.parseInt(answer.toString("latin1", at, at + 12), 10);
}
