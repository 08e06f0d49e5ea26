import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import { Channel } from "../../server/chain/pool/adnl/channel.js";
import type { ServerAddress } from "../../server/chain/pool/adnl/client.js";
import type { ConnectionError } from "../../server/chain/pool/adnl/connection-error.js";
import { acceptHandshake, handshakeLength } from "../../server/chain/pool/adnl/handshake.js";
import { shortId } from "../../server/chain/pool/adnl/identity.js";
import type { Named, TlObject } from "../../server/chain/pool/tl/codec.js";
import { wire } from "../../server/chain/pool/tl/codecs.js";

/** A client as the server sees it; the test decides what it gets to hear. */
export type FakePeer = {
  socket: Socket;
  channel: Channel;
  /** Messages in the order they came. */
  heard: Named[];
  /** The next one that has this name, also one that came before. */
  hear(name: string): Promise<TlObject>;
  say(name: string, value: TlObject): void;
  ended: Promise<ConnectionError>;
};

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

  static async start(onPeer: (peer: FakePeer) => void): Promise<FakeServer> {
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

function peerOn(
  socket: Socket,
  streams: NonNullable<ReturnType<typeof acceptHandshake>>,
  first: Buffer,
): FakePeer {
  const heard: Named[] = [];
  const taken = new Set<Named>();
  let wake = () => {};
  let end: (error: ConnectionError) => void;
  const ended = new Promise<ConnectionError>((resolve) => {
    end = resolve;
  });
  const channel = new Channel(socket, streams, {
    randomBytes,
    onMessage(payload) {
      heard.push(wire.decode(payload));
      wake();
    },
    onEnd: (error) => end(error),
  });
  queueMicrotask(() => channel.receive(first));
  return {
    socket,
    channel,
    heard,
    ended,
    async hear(name) {
      for (;;) {
        const found = heard.find((each) => each.name === name && !taken.has(each));
        if (found) {
          taken.add(found);
          return found.value;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    say: (name, value) => channel.send(wire.encode(name, value)),
  };
}

/** Answers a question once it has come. */
export async function answerNext(peer: FakePeer, answer: Uint8Array): Promise<void> {
  const { queryId } = await peer.hear("adnl.message.query");
  peer.say("adnl.message.answer", { queryId, answer });
}
