import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { connectFor } from "../http/joined-sockets.js";

const host = "127.0.0.1";

/** Stands between clients and a server, and ends each connection after a number of the server's bytes, inside a message or not. */
export class CuttingProxy {
  readonly url: string;
  /** Connections that were cut before their client closed them. */
  cuts = 0;
  readonly #server: Server;
  readonly #bytesUntilCut: () => number;
  readonly #sockets = new Set<Socket>();
  /** Sockets of the server, and the bytes that they may still send. */
  readonly #open = new Map<Socket, number>();
  /** Clients of open connections. */
  readonly #clients = new Set<Socket>();
  #isCutting = true;
  #isHeld = false;
  #areClientsHeld = false;

  private constructor(server: Server, port: number, bytesUntilCut: () => number) {
    this.#server = server;
    this.#bytesUntilCut = bytesUntilCut;
    this.url = `http://${host}:${(server.address() as AddressInfo).port}`;
    server.on("connection", (client) => this.#join(client, port));
    onTestFinished(() => this.close());
  }

  static async before(port: number, bytesUntilCut: () => number): Promise<CuttingProxy> {
    const server = createServer();
    server.listen(0, host);
    await once(server, "listening");
    return new CuttingProxy(server, port, bytesUntilCut);
  }

  /** From now on connections are left alone. */
  calm(): void {
    this.#isCutting = false;
    this.hold(false);
    this.holdClients(false);
  }

  /** While it holds, clients read nothing, as slow readers do. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    for (const server of this.#open.keys()) {
      if (isHeld) server.pause();
      else server.resume();
    }
  }

  /** While it holds, nothing that clients send arrives: no acknowledgement, and no subscription. */
  holdClients(isHeld: boolean): void {
    this.#areClientsHeld = isHeld;
    for (const client of this.#clients) {
      if (isHeld) client.pause();
      else client.resume();
    }
  }

  /** Cuts the open connections after this many further bytes. */
  cutSoon(bytes: () => number): void {
    for (const server of this.#open.keys()) this.#open.set(server, bytes());
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, port: number): void {
    const server = connectFor(client, { host, port }, this.#sockets);
    server.on("close", () => this.#open.delete(server));
    this.#open.set(server, this.#bytesUntilCut());
    this.#clients.add(client);
    client.on("close", () => this.#clients.delete(client));
    client.pipe(server);
    if (this.#areClientsHeld) client.pause();
    server.on("data", (bytes) => {
      const left = this.#open.get(server) ?? 0;
      const isCut = this.#isCutting && bytes.length >= left;
      client.write(isCut ? bytes.subarray(0, left) : bytes);
      this.#open.set(server, left - bytes.length);
      if (!isCut) return;
      this.cuts++;
      server.destroy();
      client.end();
    });
    if (this.#isHeld) server.pause();
  }
}
