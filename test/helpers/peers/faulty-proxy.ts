import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { ServerAddress } from "../../../server/chain/adnl/client.js";
import { connectFor } from "../http/joined-sockets.js";

/** Faults in the bytes from a server to the client. */
export type Fault = "none" | "hang" | "cut" | "noise" | "refuse";

/** Stands between a client and a server and spoils the server's bytes, on the test's command. */
export class FaultyProxy {
  readonly address: ServerAddress;
  #fault: Fault = "none";
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, target: ServerAddress) {
    this.#server = server;
    this.address = { ...target, port: (server.address() as AddressInfo).port };
    server.on("connection", (client) => this.#join(client, target));
    onTestFinished(() => this.close());
  }

  static async before(target: ServerAddress): Promise<FaultyProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FaultyProxy(server, target);
  }

  /** Going back to none ends the connections there are: what they have lost is not made up for. */
  set fault(fault: Fault) {
    this.#fault = fault;
    if (fault === "refuse" || fault === "none") for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, target: ServerAddress): void {
    const server = connectFor(client, target, this.#sockets);
    if (this.#fault === "refuse") return void client.destroy();
    client.pipe(server);
    server.on("data", (bytes) => this.#pass(bytes, client));
  }

  #pass(bytes: Buffer, client: Socket): void {
    switch (this.#fault) {
      case "hang":
        return;
      case "cut":
        client.end(bytes.subarray(0, Math.ceil(bytes.length / 2)));
        return;
      case "noise":
        client.write(randomBytes(bytes.length));
        return;
      default:
        client.write(bytes);
    }
  }
}
