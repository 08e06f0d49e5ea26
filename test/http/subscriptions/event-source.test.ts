import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { TestSubscriber } from "../../helpers/http/test-subscriber.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { until } from "../../helpers/until.js";

const path = "/api/streaming/events";
const someone = `0:${"5A".repeat(32)}`;

describe("a stream for EventSource", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
    await service.mine(5);
  });
  afterAll(() => service?.close());

  const open = (query: string, headers: Record<string, string> = {}) => {
    const opened = RawEventStream.open(service.url, undefined, {
      method: "GET",
      path: `${path}?${query}`,
      key: service.key,
      headers,
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  const idOf = (frame: string) => /^id: (.*)$/m.exec(frame)![1]!;

  it("has frames with id, type and data, byte for byte", async () => {
    const stream = open("kind=blocks&from=%7B%22mc_seqno%22%3A2%7D&to=3");
    await until("its end", () => stream.isClosed || stream.isEnded);
    expect(await stream.head()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const [retry, ...all] = stream.frames;
    // It may have been waited for the last blocks.
    const frames = all.filter((frame) => !frame.includes("event: caught-up"));
    expect(retry).toBe("retry: 1000");
    expect(frames).toHaveLength(3);
    for (const frame of frames.slice(0, 2))
      expect(frame).toMatch(/^id: [A-Za-z0-9_-]+\nevent: block\ndata: \{"type":"block",.*\}$/);
    expect(frames[2]).toMatch(/^id: [A-Za-z0-9_-]+\nevent: end\ndata: \{"type":"end"\}$/);
    expect(stream.isEnded).toBe(true);
    // EventSource reconnects, and learns that the subscription has ended.
    const headers = { "Last-Event-ID": idOf(frames[2]!) };
    for (const again of [
      open("kind=blocks&from=%7B%22mc_seqno%22%3A2%7D&to=3", headers),
      open(`kind=blocks&to=3&last_event_id=${headers["Last-Event-ID"]}`),
    ])
      expect(await again.head()).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
  });

  it("goes on behind the last event, of this transport or of a socket", async () => {
    const all = open("kind=blocks&from=%7B%22mc_seqno%22%3A1%7D&to=5");
    await until("its end", () => all.isEnded);
    const frames = all.frames.slice(1).filter((frame) => !frame.includes("event: caught-up"));
    for (const [at, frame] of frames.slice(0, 5).entries()) {
      const rest = open("kind=blocks&to=5", { "Last-Event-ID": idOf(frame) });
      await until("the rest", () => rest.isEnded);
      const blocks = rest.frames.filter((each) => each.includes("event: block"));
      expect(blocks).toEqual(frames.slice(at + 1, 5));
    }
    const socket = await TestSubscriber.open(service.url, service.key);
    onTestFinished(() => socket.close());
    const { subscription } = await socket.subscribe({ kind: "blocks", from: idOf(frames[2]!), to: 5 });
    await socket.has(subscription, "end");
    expect(socket.events(subscription, "block").map(({ cursor }) => cursor)).toEqual(
      frames.slice(3, 5).map(idOf),
    );
  });

  it("takes lists as v3 does, and sends the finality of events that may not be final", async () => {
    const stream = open(
      `kind=transactions&accounts=${someone}&accounts=${`0:${"00".repeat(32)}`}&finality=pending`,
    );
    await until("the start", () => stream.frames.length > 0);
    await service.run("devnet.faucet", { address: someone });
    await service.mine(2);
    const final = await stream.event("the final form", ({ finality }) => finality === "finalized");
    expect(final).toMatchObject({
      type: "transaction",
      id: expect.any(String),
      transaction: { account: someone },
    });
  });

  it("refuses invalid requests before it begins", async () => {
    const refused: [query: string, status: number, text: string][] = [
      ["", 422, "kind should be one of"],
      ["kind=nonsense", 422, "kind should be one of"],
      ["kind=blocks&window=5", 422, "window needs a WebSocket"],
      ["kind=blocks&from=nonsense", 422, "no cursor of this chain"],
      ["kind=blocks&last_event_id=nonsense", 422, "last_event_id"],
      ["kind=transactions&accounts=nowhere", 422, "accounts"],
    ];
    for (const [query, status, text] of refused) {
      const answer = await service.get(`${path}?${query}`);
      expect([query, answer.status]).toEqual([query, status]);
      expect((answer.json as { error: string }).error).toContain(text);
    }
    expect((await service.get(`${path}?kind=blocks`, { key: "nonsense" })).status).toBe(401);
  });
});
