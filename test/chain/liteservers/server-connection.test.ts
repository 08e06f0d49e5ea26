import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConnectionError } from "../../../server/chain/adnl/connection-error.js";
import { ServerConnection } from "../../../server/chain/liteservers/server-connection.js";
import { freePort } from "../../helpers/free-port.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import type { Peer } from "../../helpers/peers/adnl-peer.js";
import { answerNext, FakeServer } from "../../helpers/peers/fake-server.js";
import { until } from "../../helpers/until.js";

/** A connection to a fake server; the test gets the server's side of every attempt, in order. */
async function setUp({ greets = true } = {}) {
  const timers = new ManualTimers();
  const peers: Peer[] = [];
  const server = await FakeServer.start((peer) => {
    peers.push(peer);
    if (greets) peer.channel.send(new Uint8Array(0));
  });
  const downs: ConnectionError[] = [];
  const line = new ServerConnection({
    address: server.address,
    timers,
    randomBytes,
    random: () => 1,
    onDown: (error) => downs.push(error),
  });
  onTestFinished(() => line.close());
  const peer = (index: number) => until(`connection ${index}`, () => peers[index]);
  return { line, timers, peer, peers, downs, server };
}

describe("the connection to a server", () => {
  test("accepts queries while it is connecting", async () => {
    const { line, timers, peer } = await setUp();
    const answer = line.query(Uint8Array.of(1), timers.now() + 1000);
    await answerNext(await peer(0), Uint8Array.of(2));
    expect(await answer).toEqual(Uint8Array.of(2));
  });

  test("reconnects with a backoff that doubles up to a minute", async () => {
    const { line, timers, peers, downs } = await setUp();
    const pauses: number[] = [];
    for (let round = 0; round < 8; round++) {
      await until("a connection", () => line.isUp);
      peers[round]!.socket.destroy();
      await until("its end", () => downs.length === round + 1);
      expect(timers.waiting).toBe(1);
      pauses.push(timers.next!);
      timers.pass(timers.next!);
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  test("resets the backoff once the server has answered", async () => {
    const { line, timers, peer, downs } = await setUp();
    (await peer(0)).socket.destroy();
    await until("its end", () => downs.length === 1);
    timers.pass(1000);
    const answer = line.query(Uint8Array.of(1), timers.now() + 1000);
    await answerNext(await peer(1), Uint8Array.of(2));
    await answer;
    (await peer(1)).socket.destroy();
    await until("its end", () => downs.length === 2);
    expect(timers.next).toBe(1000);
  });

  test("rejects queries at once while it is down", async () => {
    const timers = new ManualTimers();
    const address = { host: "127.0.0.1", port: await freePort(), publicKey: randomBytes(32) };
    const line = new ServerConnection({ address, timers, randomBytes, random: () => 0 });
    onTestFinished(() => line.close());
    const refused = { trouble: "unreachable", message: "the server is not connected" };
    await expect(line.query(Uint8Array.of(1), timers.now() + 1000)).rejects.toMatchObject(refused);
    await expect(line.query(Uint8Array.of(1), timers.now() + 1000)).rejects.toMatchObject(refused);
    expect(timers.next).toBe(500);
  });

  test("is closed after an invalid answer", async () => {
    const { line, downs } = await setUp();
    await until("a connection", () => line.isUp);
    expect(line.protocolError(new Error("nonsense"))).toMatchObject({
      trouble: "garbage",
      message: "nonsense",
    });
    await until("its end", () => downs.length === 1);
    expect(downs[0]).toBeInstanceOf(ConnectionError);
    expect(downs[0]!.trouble).toBe("garbage");
  });

  test("leaves no timer behind when it is closed, connected or not", async () => {
    const open = await setUp();
    await until("a connection", () => open.line.isUp);
    open.line.close();
    await until("its end", () => open.downs.length === 1);
    const half = await setUp({ greets: false });
    await half.peer(0);
    half.line.close();
    await until("its end", () => half.downs.length === 1);
    expect([open.timers.waiting, half.timers.waiting]).toEqual([0, 0]);
  });
});
