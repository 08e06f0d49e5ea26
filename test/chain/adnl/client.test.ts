import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { AdnlClient, type ServerAddress } from "../../../server/chain/adnl/client.js";
import type { ConnectionError } from "../../../server/chain/adnl/connection-error.js";
import { isSignedBy } from "../../../server/chain/ed25519.js";
import type { TlObject } from "../../../shared/ton/tl/codec.js";
import { isLong } from "../../helpers/effort.js";
import { freePort } from "../../helpers/free-port.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import type { Peer } from "../../helpers/peers/adnl-peer.js";
import { answerNext, FakeServer } from "../../helpers/peers/fake-server.js";
import { until } from "../../helpers/until.js";

const question = Uint8Array.of(1, 2, 3, 4);
const answer = Uint8Array.of(5, 6, 7);
/** Longer than any frame: one time in 256 its first bytes are a valid length. */
const noise = Buffer.alloc((1 << 24) + 100);

/** A client connected to a server that completes the handshake; the test controls the server's side. */
async function connected() {
  const timers = new ManualTimers();
  let peer: Peer | undefined;
  const server = await FakeServer.start((each) => {
    peer = each;
    each.channel.send(new Uint8Array(0));
  });
  const client = await AdnlClient.open(server.address, { timers, randomBytes });
  onTestFinished(() => client.close());
  const ask = (timeMs = 1000) => settled(client.query(question, timers.now() + timeMs));
  return { client, timers, peer: peer!, ask };
}

function settled<T>(promise: Promise<T>): Promise<T | ConnectionError> {
  return promise.catch((error: ConnectionError) => error);
}

function failure(trouble: ConnectionError["trouble"], message: unknown = expect.any(String)) {
  return expect.objectContaining({ name: "ConnectionError", trouble, message });
}

describe("a connection", () => {
  test("carries many queries at a time, answered in any order", async () => {
    const { client, timers, peer } = await connected();
    const answers = Array.from({ length: 50 }, (_, i) => client.query(Uint8Array.of(i), timers.now() + 1000));
    const asked: TlObject[] = [];
    for (const _ of answers) asked.push(await peer.hear("adnl.message.query"));
    for (const { queryId, query } of asked.toReversed())
      peer.say("adnl.message.answer", {
        queryId: queryId!,
        answer: Uint8Array.of((query as Uint8Array)[0]!, 0),
      });
    expect((await Promise.all(answers)).map(([first]) => first)).toEqual(answers.map((_, i) => i));
  });

  test("authenticates with its own key", async () => {
    const { peer } = await connected();
    const { nonce } = await peer.hear("tcp.authentificate");
    const own = randomBytes(256);
    peer.say("tcp.authentificationNonce", { nonce: own });
    const { key, signature } = await peer.hear("tcp.authentificationComplete");
    const signed = Buffer.concat([nonce as Uint8Array, own]);
    expect(isSignedBy((key as TlObject)["key"] as Uint8Array, signed, signature as Uint8Array)).toBe(true);
  });

  test("pings after five seconds of silence, and ends after fifteen", async () => {
    const { client, timers, peer } = await connected();
    timers.pass(4999);
    expect(peer.heard.map(({ name }) => name)).not.toContain("tcp.ping");
    timers.pass(1);
    const { randomId } = await peer.hear("tcp.ping");
    peer.say("tcp.pong", { randomId: randomId! });
    await answerNextOf(peer, client, timers);
    timers.pass(5000);
    await peer.hear("tcp.ping");
    timers.pass(5000);
    timers.pass(5000);
    expect(await client.ended).toEqual(failure("silent", "no message for 15 s"));
    expect(timers.waiting).toBe(0);
  });

  test("that was closed leaves no timer and rejects its queries", async () => {
    const { client, timers, ask } = await connected();
    const pending = ask();
    client.close();
    expect(await pending).toEqual(failure("closed"));
    expect(await ask()).toEqual(failure("closed"));
    expect(timers.waiting).toBe(0);
  });
});

/** One round trip, after which everything sent before has been received. */
async function answerNextOf(peer: Peer, client: AdnlClient, timers: ManualTimers): Promise<void> {
  const asked = client.query(question, timers.now() + 1000);
  await answerNext(peer, answer);
  expect(await asked).toEqual(answer);
}

describe("a server that", () => {
  test("hangs makes a query time out, and its late answer is ignored", async () => {
    const { client, timers, peer, ask } = await connected();
    const asked = ask();
    const { queryId } = await peer.hear("adnl.message.query");
    timers.pass(1000);
    expect(await asked).toEqual(failure("silent", "no answer in time"));
    peer.say("adnl.message.answer", { queryId: queryId!, answer });
    await answerNextOf(peer, client, timers);
  });

  test("answers another query than was sent does not settle the one sent", async () => {
    const { client, timers, peer, ask } = await connected();
    const asked = ask();
    const { queryId } = await peer.hear("adnl.message.query");
    peer.say("adnl.message.answer", { queryId: new Uint8Array(32), answer: question });
    peer.say("adnl.message.answer", { queryId: queryId!, answer });
    expect(await asked).toEqual(answer);
    peer.say("adnl.message.answer", { queryId: queryId!, answer: question });
    await answerNextOf(peer, client, timers);
  });

  test("dies in the middle of a frame fails all queries", async () => {
    const { client, peer, ask } = await connected();
    const asked = [ask(), ask()];
    await peer.hear("adnl.message.query");
    peer.socket.end(randomBytes(3));
    expect(await Promise.all(asked)).toEqual([failure("lost"), failure("lost")]);
    expect(await client.ended).toEqual(failure("lost"));
  });

  test("sends noise is disconnected", async () => {
    const { client, peer, ask } = await connected();
    const asked = ask();
    peer.socket.write(noise);
    expect(await asked).toEqual(failure("garbage"));
    expect(await client.ended).toEqual(failure("garbage"));
  });

  test("sends client-only messages is disconnected", async () => {
    const zeros = new Uint8Array(32);
    const strange: [string, TlObject][] = [
      ["adnl.message.query", { queryId: zeros, query: zeros }],
      ["tcp.authentificate", { nonce: zeros }],
      ["liteServer.currentTime", { now: 1 }],
      ["tcp.authentificationNonce", { nonce: new Uint8Array(0) }],
      ["tcp.authentificationNonce", { nonce: new Uint8Array(513) }],
    ];
    for (const [name, value] of strange) {
      const { client, peer } = await connected();
      peer.say(name, value);
      expect(await client.ended).toEqual(failure("garbage"));
    }
  });

  test("asks for a second authentication is disconnected", async () => {
    const { client, peer } = await connected();
    peer.say("tcp.authentificationNonce", { nonce: new Uint8Array(256) });
    await peer.hear("tcp.authentificationComplete");
    peer.say("tcp.authentificationNonce", { nonce: new Uint8Array(256) });
    expect(await client.ended).toEqual(failure("garbage"));
  });

  const flooded = failure("garbage", "the server sends too many unsolicited messages");

  test("sends too many unsolicited messages is disconnected", async () => {
    const { peer, timers, client } = await connected();
    const strange = (size: number) =>
      peer.say("adnl.message.answer", { queryId: randomBytes(32), answer: new Uint8Array(size) });
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 900; i++) strange(4);
      await answerNextOf(peer, client, timers);
      timers.pass(5000);
    }
    for (let i = 0; i < 1001; i++) peer.channel.send(new Uint8Array(0));
    expect(await client.ended).toEqual(flooded);
  });

  test.runIf(isLong)("sends too long unsolicited messages is disconnected", async () => {
    const { client, peer } = await connected();
    for (let i = 0; i < 5; i++) {
      peer.say("adnl.message.answer", { queryId: randomBytes(32), answer: new Uint8Array(14 << 20) });
      await once(peer.socket, "drain");
    }
    expect(await client.ended).toEqual(flooded);
  });

  test("sends a truncated message is disconnected", async () => {
    const { client, peer } = await connected();
    peer.channel.send(Uint8Array.of(0x16, 0x84, 0xac, 0x0f, 1, 2, 3));
    expect(await client.ended).toEqual(failure("garbage", expect.stringContaining("too early")));
  });
});

describe("connecting", () => {
  const timers = new ManualTimers();
  const open = (address: ServerAddress, signal?: AbortSignal) =>
    settled(AdnlClient.open(address, { timers, randomBytes }, signal));
  const publicKey = randomBytes(32);

  test("to a closed port fails", async () => {
    const address = { host: "127.0.0.1", port: await freePort(), publicKey };
    expect(await open(address)).toEqual(failure("unreachable", expect.stringContaining("ECONNREFUSED")));
  });

  test("to a server with another key fails", async () => {
    const { address } = await FakeServer.start(() => {});
    expect(await open({ ...address, publicKey })).toEqual(failure("unreachable"));
  });

  test("to a server that sends nothing fails after five seconds", async () => {
    const { address } = await FakeServer.start(() => {});
    const opening = open(address);
    await until("the timer", () => timers.waiting > 0);
    timers.pass(5000);
    expect(await opening).toEqual(failure("silent", "no greeting in time"));
  });

  test("to a server that sends noise fails as garbage", async () => {
    const server = createServer((socket) => socket.on("error", () => {}).write(noise));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    expect(await open({ host: "127.0.0.1", port, publicKey })).toEqual(failure("garbage"));
  });

  test("can be aborted", async () => {
    const { address } = await FakeServer.start(() => {});
    const controller = new AbortController();
    const opening = open(address, controller.signal);
    controller.abort();
    expect(await opening).toEqual(failure("closed"));
    expect(timers.waiting).toBe(0);
  });
});
