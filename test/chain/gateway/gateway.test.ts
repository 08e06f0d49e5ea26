import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openHandshake } from "../../../server/chain/adnl/handshake.js";
import { SigningKey } from "../../../server/chain/ed25519.js";
import { Gateway } from "../../../server/chain/gateway/gateway.js";
import { UnavailableError } from "../../../server/chain/unavailable-error.js";
import { type LiteApi, type LiteCall, LiteError } from "../../../shared/ton/lite/lite-api.js";
import { liteApiFrom } from "../../../shared/ton/lite/lite-methods.js";
import type { Named } from "../../../shared/ton/tl/codec.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { liteMethods } from "../../../shared/ton/tl/lite-functions.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import { type Peer, peerOn } from "../../helpers/peers/adnl-peer.js";
import { until } from "../../helpers/until.js";

type Answer = (request: object, call: LiteCall) => Promise<unknown>;

/** A gateway in front of a fake api, and a function that connects to it. */
async function setUp(answers: Partial<Record<keyof LiteApi, Answer>> = {}) {
  const timers = new ManualTimers();
  const errors: unknown[] = [];
  const api = liteApiFrom(liteMethods, (method, request, call) => {
    const answer = answers[method];
    return answer ? answer(request, call) : Promise.reject(new LiteError(0, `${method} is not here`));
  });
  const gateway = new Gateway({ api, seed: randomBytes(32), timers, onError: (error) => errors.push(error) });
  const { port } = await gateway.listen(0, "127.0.0.1");
  onTestFinished(() => gateway.close());
  const join = async (): Promise<Peer> => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    onTestFinished(() => void socket.destroy());
    const seed = randomBytes(32);
    const { publicKey } = new SigningKey(seed);
    const { packet, streams } = openHandshake(gateway.publicKey, { seed, publicKey }, randomBytes);
    const peer = peerOn(socket, streams);
    socket.write(packet);
    await peer.hear("nothing");
    return peer;
  };
  const raw = () => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => {});
    return socket;
  };
  return { gateway, timers, errors, join, raw };
}

/** Sends a query; returns the decoded answer. */
async function ask(peer: Peer, query: Uint8Array): Promise<unknown> {
  const queryId = randomBytes(32);
  peer.say("adnl.message.query", { queryId, query });
  const answer = await peer.hear("adnl.message.answer");
  expect(answer["queryId"]).toEqual(new Uint8Array(queryId));
  return wire.decode(answer["answer"] as Uint8Array);
}

function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once("close", resolve));
}

function wrapped(...parts: Uint8Array[]): Uint8Array {
  return wire.encode("liteServer.query", { data: Buffer.concat(parts) });
}

function error(code: number, message: unknown) {
  return { name: "liteServer.error", value: { code, message } };
}

const getTime = wire.encode("liteServer.getTime");
const time = { name: "liteServer.currentTime", value: { now: 7 } };
const tellsTime = { getTime: async () => ({ now: 7 }) };

describe("the gateway", () => {
  test("accepts queries in both wrappings", async () => {
    const peer = await (await setUp(tellsTime)).join();
    expect(await ask(peer, wrapped(getTime))).toEqual(time);
    expect(await ask(peer, Buffer.concat([wire.encode("liteServer.queryPrefix"), getTime]))).toEqual(time);
  });

  test("passes LiteErrors on, and hides other errors", async () => {
    const { join, errors } = await setUp({
      getTime: () => Promise.reject(new LiteError(651, "node not synced")),
      getVersion: () => Promise.reject(new TypeError("secret")),
      getMasterchainInfo: () => Promise.reject(new UnavailableError()),
    });
    const peer = await join();
    expect(await ask(peer, wrapped(getTime))).toEqual(error(651, "node not synced"));
    expect(await ask(peer, wrapped(wire.encode("liteServer.getVersion")))).toEqual(
      error(-400, "internal error"),
    );
    expect(await ask(peer, wrapped(wire.encode("liteServer.getMasterchainInfo")))).toEqual(
      error(651, "node not synced"),
    );
    expect(errors).toEqual([new TypeError("secret")]);
  });

  test("rejects unknown functions and invalid queries", async () => {
    const peer = await (await setUp()).join();
    const groups = wire.encode("liteServer.nonfinal.getValidatorGroups", { mode: 0 });
    expect(await ask(peer, wrapped(groups))).toEqual(error(621, "unknown query"));
    expect(await ask(peer, wrapped(Uint8Array.of(1, 2, 3, 4)))).toEqual(error(621, "unknown query"));
    const parts = [wire.encode("liteServer.getVersion"), getTime];
    const unreadable = error(621, expect.stringMatching(/^cannot parse query: /));
    expect(await ask(peer, wrapped(...parts))).toEqual(unreadable);
    expect(await ask(peer, wrapped(Uint8Array.of(1, 2)))).toEqual(unreadable);
  });

  test("does not answer messages that are not liteserver queries", async () => {
    const peer = await (await setUp(tellsTime)).join();
    peer.say("adnl.message.query", { queryId: randomBytes(32), query: getTime });
    peer.say("adnl.message.query", { queryId: randomBytes(32), query: Uint8Array.of(1, 2) });
    expect(await ask(peer, wrapped(getTime))).toEqual(time);
  });

  test("waits for the block that a query names, until its timeout", async () => {
    const calls: LiteCall[] = [];
    const { join, timers } = await setUp({
      async getTime(_, call) {
        calls.push(call);
        return { now: 7 };
      },
    });
    const peer = await join();
    for (const timeoutMs of [300, 60_000, -1])
      await ask(
        peer,
        wrapped(wire.encode("liteServer.waitMasterchainSeqno", { seqno: 5, timeoutMs }), getTime),
      );
    const now = timers.now();
    expect(calls.map(({ waitSeqno, deadline }) => ({ waitSeqno, ms: deadline! - now }))).toEqual([
      { waitSeqno: 5, ms: 300 },
      { waitSeqno: undefined, ms: 4500 },
      { waitSeqno: 5, ms: 10_000 },
      { waitSeqno: undefined, ms: 4500 },
      { waitSeqno: 5, ms: 0 },
      { waitSeqno: undefined, ms: 4500 },
    ]);
  });

  test("answers -503 if a query takes too long, and 652 if a block does not arrive", async () => {
    const { join, timers } = await setUp({
      async getTime(_, { deadline }) {
        timers.pass(deadline! - timers.now());
        throw new LiteError(652, "timeout");
      },
    });
    const peer = await join();
    expect(await ask(peer, wrapped(getTime))).toEqual(error(-503, "timeout"));
    const wait = wire.encode("liteServer.waitMasterchainSeqno", { seqno: 5, timeoutMs: 100 });
    expect(await ask(peer, wrapped(wait, getTime))).toEqual(error(652, "timeout"));
  });

  test("rejects a query whose answer exceeds a frame, and continues", async () => {
    const hash = new Uint8Array(32);
    const id = { workchain: -1, shard: wholeShard, seqno: 1, rootHash: hash, fileHash: hash };
    let length = 0;
    const { join } = await setUp({
      getBlock: async () => ({ id, data: new Uint8Array(length) }),
      ...tellsTime,
    });
    const peer = await join();
    const getBlock = wrapped(wire.encode("liteServer.getBlock", { id }));
    const longest = 2 ** 24 - 196;
    length = longest;
    const { name, value } = (await ask(peer, getBlock)) as Named;
    expect([name, (value["data"] as Uint8Array).length]).toEqual(["liteServer.blockData", longest]);
    length = longest + 1;
    expect(await ask(peer, getBlock)).toEqual(error(-400, expect.stringMatching(/ is too long to be sent$/)));
    expect(await ask(peer, wrapped(getTime))).toEqual(time);
  });

  test("requests proofs where a liteserver always sends them", async () => {
    const requests: object[] = [];
    const hash = new Uint8Array(32);
    const id = { workchain: -1, shard: wholeShard, seqno: 1, rootHash: hash, fileHash: hash };
    const peer = await (
      await setUp({
        async getAllShardsInfo(request) {
          requests.push(request);
          return { id, proof: hash, data: hash };
        },
      })
    ).join();
    await ask(peer, wrapped(wire.encode("liteServer.getAllShardsInfo", { id })));
    expect(requests).toEqual([{ id, proof: true }]);
  });
});

describe("a client", () => {
  test("gets an empty packet first, and answers to its pings", async () => {
    const peer = await (await setUp()).join();
    peer.say("tcp.ping", { randomId: 77n });
    expect(await peer.hear("tcp.pong")).toMatchObject({ randomId: 77n });
  });

  test("can authenticate, once", async () => {
    const peer = await (await setUp(tellsTime)).join();
    const key = new SigningKey(randomBytes(32));
    const nonce = randomBytes(32);
    peer.say("tcp.authentificate", { nonce });
    const { nonce: other } = await peer.hear("tcp.authentificationNonce");
    expect(other).toHaveLength(256);
    const signature = key.sign(Buffer.concat([nonce, other as Uint8Array]));
    peer.say("tcp.authentificationComplete", { key: { key: key.publicKey }, signature });
    expect(await ask(peer, wrapped(getTime))).toEqual(time);
    peer.say("tcp.authentificate", { nonce });
    await peer.ended;
  });

  test("that violates the protocol is disconnected", async () => {
    const { join, gateway } = await setUp();
    const key = { key: new SigningKey(randomBytes(32)).publicKey };
    const breaches: ((peer: Peer) => void)[] = [
      (peer) => peer.say("tcp.authentificate", { nonce: new Uint8Array(0) }),
      (peer) => peer.say("tcp.authentificate", { nonce: new Uint8Array(513) }),
      (peer) => peer.say("tcp.authentificationComplete", { key, signature: new Uint8Array(64) }),
      (peer) => {
        peer.say("tcp.authentificate", { nonce: new Uint8Array(32) });
        peer.say("tcp.authentificationComplete", { key, signature: new Uint8Array(64) });
      },
      (peer) => peer.say("tcp.pong", { randomId: 1n }),
      (peer) => peer.channel.send(Uint8Array.of(1, 2, 3, 4)),
      (peer) => peer.channel.send(new Uint8Array(1024 * 1024)),
      (peer) => peer.socket.write(Buffer.alloc(1024 * 1024 + 100)),
    ];
    for (const breach of breaches) {
      const peer = await join();
      breach(peer);
      await peer.ended;
      await until("its session to end", () => gateway.connections === 0);
    }
  });

  test("without a handshake for this server is disconnected without an answer", async () => {
    const { raw, gateway } = await setUp();
    const socket = raw();
    socket.write(randomBytes(256));
    socket.resume();
    await closed(socket);
    expect(socket.bytesRead).toBe(0);
    await until("its session to end", () => gateway.connections === 0);
  });

  test("must complete the handshake within five seconds and send something every minute", async () => {
    const { raw, join, timers } = await setUp();
    const slow = raw();
    await until("the connection", () => timers.waiting === 1);
    slow.write(randomBytes(100));
    timers.pass(5000);
    slow.resume();
    await closed(slow);
    const peer = await join();
    timers.pass(59_000);
    peer.say("tcp.ping", { randomId: 1n });
    await peer.hear("tcp.pong");
    timers.pass(59_000);
    peer.say("tcp.ping", { randomId: 2n });
    await peer.hear("tcp.pong");
    timers.pass(60_000);
    await peer.ended;
  });

  test("may have eight connections from one address", async () => {
    const { join, raw, gateway } = await setUp();
    const peers = [];
    for (let i = 0; i < 8; i++) peers.push(await join());
    const ninth = raw();
    ninth.resume();
    await closed(ninth);
    peers[0]!.socket.destroy();
    await until("a free place", () => gateway.connections === 7);
    await join();
  });

  test("that floods has 64 queries in flight, and gets all answers in the end", async () => {
    let [running, most] = [0, 0];
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { join } = await setUp({
      async getTime() {
        most = Math.max(most, ++running);
        await gate;
        running--;
        return { now: 7 };
      },
    });
    const peer = await join();
    const count = 200;
    for (let i = 0; i < count; i++)
      peer.say("adnl.message.query", { queryId: randomBytes(32), query: wrapped(getTime) });
    await until("the flood to arrive", () => running === 64);
    open();
    for (let i = 0; i < count; i++) await peer.hear("adnl.message.answer");
    expect(most).toBe(64);
  });

  test("that does not read causes no unbounded buffering", async () => {
    const block = new Uint8Array(1 << 18);
    const hash = new Uint8Array(32);
    const id = { workchain: -1, shard: wholeShard, seqno: 1, rootHash: hash, fileHash: hash };
    let served = 0;
    const { join } = await setUp({
      async getBlock() {
        served++;
        return { id, data: block };
      },
    });
    const peer = await join();
    peer.socket.pause();
    // More than run at once, and than 16 MiB and the buffers of the system have room for.
    const count = 200;
    const query = wrapped(wire.encode("liteServer.getBlock", { id }));
    for (let i = 0; i < count; i++) peer.say("adnl.message.query", { queryId: randomBytes(32), query });
    let before = 0;
    await until("the server to stop", () => {
      const stopped = served > 0 && served === before;
      before = served;
      return stopped;
    });
    expect(served).toBeLessThan(count);
    peer.socket.resume();
    for (let i = 0; i < count; i++) await peer.hear("adnl.message.answer");
    // Answers that exceeded 16 MiB were computed again.
    expect(served).toBeGreaterThan(count);
    expect(served).toBeLessThan(2 * count);
  });

  test("that disconnects has its queries aborted", async () => {
    let signal: AbortSignal | undefined;
    const { join } = await setUp({
      getTime(_, call) {
        signal = call.signal;
        return new Promise(() => {});
      },
    });
    const peer = await join();
    peer.say("adnl.message.query", { queryId: randomBytes(32), query: wrapped(getTime) });
    await until("the question", () => signal !== undefined);
    peer.socket.destroy();
    await until("the end of the question", () => signal!.aborted);
  });
});

describe("closing the gateway", () => {
  test("closes every connection and leaves no timer", async () => {
    const { join, raw, gateway, timers } = await setUp();
    const peer = await join();
    raw();
    await until("both connections", () => gateway.connections === 2);
    await gateway.close();
    await peer.ended;
    expect([gateway.connections, timers.waiting]).toEqual([0, 0]);
  });
});
