import { describe, expect, it } from "vitest";
import { cursorOf } from "../../../server/stream/subscriptions/event-key.js";
import {
  envelopeMembers,
  eventMembers,
  Heartbeats,
  SentEvent,
} from "../../../server/stream/subscriptions/sent-event.js";

const key = { seqno: 5, rank: 1, lt: 7n, id: "0:AB" };

describe("an event as it is sent", () => {
  it("has a cursor if it has a key and a chain", () => {
    const cursor = cursorOf(key, "00000000");
    const event = new SentEvent({ json: "{}", key, chain: "00000000" });
    expect([event.cursor, event.cursor]).toEqual([cursor, cursor]);
    expect(new SentEvent({ json: "{}", key }).cursor).toBeUndefined();
    expect(new SentEvent({ json: "{}", chain: "00000000" }).cursor).toBeUndefined();
  });

  it("is the same one with the id that it replaces", () => {
    const event = new SentEvent({ json: "{}", key, finality: "confirmed", id: "new", chain: "00000000" });
    const replacing = event.replacing("old");
    expect(replacing).toMatchObject({ json: "{}", key, finality: "confirmed", id: "new", replaces: "old" });
    expect(replacing.cursor).toBe(event.cursor);
    expect(event.replaces).toBeUndefined();
  });

  it("is encoded once for each of 100 envelopes", () => {
    const event = new SentEvent({ json: "{}" });
    let written = 0;
    const frameOf = (envelope: string) => event.frame(envelope, () => `${envelope} ${++written}`).toString();
    expect([frameOf("a"), frameOf("b"), frameOf("a"), frameOf("b")]).toEqual(["a 1", "b 2", "a 1", "b 2"]);
    for (let at = 2; at < 101; at++) frameOf(`${at}`);
    expect([frameOf("99"), frameOf("100")]).toEqual(["99 100", "100 102"]);
  });
});

describe("the envelope of an event", () => {
  it("continues an object by the members that it has", () => {
    expect(envelopeMembers({ cursor: "c" })).toBe("");
    expect(envelopeMembers({ cursor: undefined, finality: "pending" })).toBe(',"finality":"pending"');
    expect(envelopeMembers({ cursor: undefined, id: 'a"b', replaces: 'c"d' })).toBe(
      ',"id":"a\\"b","replaces":"c\\"d"',
    );
  });

  it("has its cursor first and the event last", () => {
    expect(eventMembers('{"a":1}', { cursor: "c", finality: "finalized", id: "i" })).toBe(
      ',"cursor":"c","finality":"finalized","id":"i","event":{"a":1}',
    );
    expect(eventMembers("{}", { cursor: undefined })).toBe(',"event":{}');
  });
});

describe("the heartbeat", () => {
  const head = (seqno: number) => ({
    seqno,
    rootHash: new Uint8Array(32).fill(1),
    genUtime: 1_800_000_000n,
    endLt: 9n,
  });

  it("announces the newest block, with a cursor behind all of its events", () => {
    const heartbeats = new Heartbeats("00000000");
    const newest = head(8);
    const sent = heartbeats.at(newest);
    expect(JSON.parse(sent.json)).toEqual({
      type: "heartbeat",
      head: { seqno: 8, gen_utime: 1_800_000_000 },
    });
    expect(sent.cursor).toBe(cursorOf(sent.key, "00000000"));
    expect(sent.key.seqno).toBe(8);
    expect(heartbeats.at(newest)).toBe(sent);
    expect(heartbeats.at(head(9)).key.seqno).toBe(9);
  });
});
