import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { Channel } from "../../../server/chain/adnl/channel.js";
import type { ConnectionError } from "../../../server/chain/adnl/connection-error.js";
import type { Streams } from "../../../server/chain/adnl/handshake.js";
import type { Named, TlObject } from "../../../shared/ton/tl/codec.js";
import { wire } from "../../../shared/ton/tl/codecs.js";

/** The other side of a connection, which sends the test's messages and records those it receives. */
export type Peer = {
  socket: Socket;
  channel: Channel;
  /** Messages in the order they came. */
  heard: Named[];
  /** The next one that has this name, also one that came before. */
  hear(name: string): Promise<TlObject>;
  say(name: string, value: TlObject): void;
  ended: Promise<ConnectionError>;
};

/** `first`: bytes that came along with the handshake. */
export function peerOn(socket: Socket, streams: Streams, first: Uint8Array = new Uint8Array(0)): Peer {
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
      heard.push(payload.length === 0 ? { name: "nothing", value: {} } : wire.decode(payload));
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
