import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

// Messages of a PostgreSQL server.

/** A message: its code, its length, and what it has. */
export function backend(code: string, body: Buffer | string = ""): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.from(`${code}\0\0\0\0`);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

export function dataRow(...values: (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(values.length);
  const fields = values.map((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value));
    return Buffer.concat([length, Buffer.from(value ?? "")]);
  });
  return backend("D", Buffer.concat([count, ...fields]));
}

/** Columns of texts. */
export function rowDescription(...names: string[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(names.length);
  const columns = names.map((name) => {
    const rest = Buffer.alloc(18);
    rest.writeInt32BE(25, 6);
    return Buffer.concat([Buffer.from(`${name}\0`), rest]);
  });
  return backend("T", Buffer.concat([count, ...columns]));
}

export function errorResponse(severity: string, code: string, text: string): Buffer {
  return backend("E", `S${severity}\0V${severity}\0C${code}\0M${text}\0\0`);
}

export const ready = backend("Z", "I");
const prepared = Buffer.concat([backend("1"), backend("2")]);
export const complete = (tag: string) => backend("C", `${tag}\0`);

/** The whole answer to a statement that is prepared and run once. */
export function answerOf(columns: string[], rows: (string | null)[][]): Buffer {
  const described = [prepared, rowDescription(...columns), ...rows.map((row) => dataRow(...row))];
  return Buffer.concat([...described, complete(`SELECT ${rows.length}`), ready]);
}

/** The server's reaction to a statement, by its text and its connection. */
type Respond = (text: string, socket: Socket) => void;

/** A server of PostgreSQL's protocol that answers as a test says. Connections themselves begin as usual. */
export class FakePostgres {
  readonly url: string;
  /** How often somebody has connected. */
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #respond: Respond;
  /** Whether it says nothing any more to those that have connected. */
  isSilent = false;
  /** Bytes that follow the start of the next connection in one piece with it. */
  afterStart: Buffer = Buffer.alloc(0);

  private constructor(server: Server, respond: Respond) {
    this.#server = server;
    this.#respond = respond;
    this.url = `postgres://fake@127.0.0.1:${(server.address() as AddressInfo).port}/fake`;
    server.on("connection", (socket) => this.#serve(socket));
    onTestFinished(() => this.#close());
  }

  static async start(respond: Respond): Promise<FakePostgres> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FakePostgres(server, respond);
  }

  #serve(socket: Socket): void {
    this.connections++;
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => {});
    let received = Buffer.alloc(0);
    let hasStarted = false;
    /** Parts of the statement whose messages have not all arrived. */
    let text = "";
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      for (;;) {
        const start = hasStarted ? 1 : 0;
        if (received.length < start + 4) return;
        const length = start + received.readInt32BE(start);
        if (received.length < length) return;
        const message = received.subarray(0, length);
        received = received.subarray(length);
        const code = hasStarted ? String.fromCharCode(message[0]!) : "start";
        hasStarted = true;
        if (this.isSilent && code !== "start") continue;
        if (code === "start") this.#start(socket);
        else if (code === "P") text = message.toString("utf8", 5).split("\0")[1]!;
        else if (code === "Q") this.#answerSimple(message.toString("utf8", 5, length - 1), socket);
        else if (code === "S") this.#respond(text, socket);
      }
    });
  }

  #start(socket: Socket): void {
    socket.write(Buffer.concat([backend("R", Buffer.alloc(4)), ready, this.afterStart]));
    this.afterStart = Buffer.alloc(0);
  }

  /** Statements of the driver itself, and those that begin and end a transaction. */
  #answerSimple(text: string, socket: Socket): void {
    if (!text.includes("pg_backend_pid")) socket.write(Buffer.concat([complete("OK"), ready]));
    else socket.write(Buffer.concat([rowDescription("pid"), dataRow("1"), complete("SELECT 1"), ready]));
  }

  #close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
