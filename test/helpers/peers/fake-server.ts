import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { ServerAddress } from "../../../server/chain/adnl/client.js";
import { acceptHandshake, handshakeLength } from "../../../server/chain/adnl/handshake.js";
import { shortId } from "../../../server/chain/adnl/identity.js";
import { SigningKey } from "../../../server/chain/ed25519.js";
import { type Peer, peerOn } from "./adnl-peer.js";

/** A server that shakes hands and otherwise does what a test wants. */
export class FakeServer {
  readonly address: ServerAddress;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, publicKey: Uint8Array) {
    this.#server = server;
    this.address = { host: "127.0.0.1", port: (server.address() as AddressInfo).port, publicKey };
    server.on("connection", (socket) => this.#sockets.add(socket));
    onTestFinished(() => this.close());
  }

  static async start(onPeer: (peer: Peer) => void): Promise<FakeServer> {
    const seed = randomBytes(32);
    const { publicKey } = new SigningKey(seed);
    const identity = { seed, id: shortId(publicKey) };
    const server = createServer((socket) => {
      socket.on("error", () => {});
      let greeting = Buffer.alloc(0);
      const greet = (bytes: Buffer) => {
        greeting = Buffer.concat([greeting, bytes]);
        if (greeting.length < handshakeLength) return;
        socket.off("data", greet);
        const streams = acceptHandshake(greeting.subarray(0, handshakeLength), identity);
        if (!streams) return socket.destroy();
        onPeer(peerOn(socket, streams, greeting.subarray(handshakeLength)));
      };
      socket.on("data", greet);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FakeServer(server, publicKey);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Answers a question once it has come. */
export async function answerNext(peer: Peer, answer: Uint8Array): Promise<void> {
  const { queryId } = await peer.hear("adnl.message.query");
  peer.say("adnl.message.answer", { queryId, answer });
}
