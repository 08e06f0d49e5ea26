import { describe, expect, it } from "vitest";
import { type ReadRaw, withRaw } from "../../../server/stream/events/raw-transactions.js";
import { SentEvent } from "../../../server/stream/subscriptions/sent-event.js";
import { noFallback, recordedFallback } from "../../helpers/no-fallback.js";

const { signal } = new AbortController();
const sent = new SentEvent({
  json: '{"type":"transaction","transaction":{}}',
  key: { seqno: 5, rank: 1, lt: 7n, id: "0:AB" },
  id: "7.aGFzaA==",
});

describe("a transaction with its bag of cells", () => {
  it("is read by account, logical time and hash", async () => {
    const readRaw: ReadRaw = async ({ account, lt, hash }) => `${account} ${lt} ${hash}`;
    const text = await withRaw(sent, { readRaw, fallback: noFallback }, signal);
    expect(JSON.parse(text)).toEqual({ type: "transaction", transaction: {}, raw: "0:AB 7 aGFzaA==" });
  });

  it("is sent without it, and the failure reported, if the chain cannot provide it", async () => {
    const expected = { type: "transaction", transaction: {}, raw: null };
    expect(JSON.parse(await withRaw(sent, { fallback: noFallback }, signal))).toEqual(expected);
    const { fallback, failures } = recordedFallback();
    const gone = new Error("gone");
    const readRaw = () => Promise.reject(gone);
    expect(JSON.parse(await withRaw(sent, { readRaw, fallback }, signal))).toEqual(expected);
    expect(failures).toEqual([["raw-transaction", gone]]);
  });

  it("reports no failure of a read without a waiting caller", async () => {
    const readRaw = () => Promise.reject(new Error("aborted"));
    const left = AbortSignal.abort();
    expect(await withRaw(sent, { readRaw, fallback: noFallback }, left)).toContain('"raw":null');
  });

  it("is of an event with a key and an id only", async () => {
    const { json, key, id } = sent;
    for (const parts of [{ json }, { json, key }, { json, id }])
      await expect(withRaw(new SentEvent(parts), { fallback: noFallback }, signal)).rejects.toThrow(
        "a transaction has a key and an id",
      );
  });
});
