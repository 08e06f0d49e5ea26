import { describe, expect, it } from "vitest";
import { withRaw } from "../../server/stream/raw-transactions.js";
import { Sent } from "../../server/stream/sent.js";

const { signal } = new AbortController();
const sent = new Sent({
  json: '{"type":"transaction","transaction":{}}',
  key: { seqno: 5, rank: 1, lt: 7n, id: "0:AB" },
  id: "7.aGFzaA==",
});

describe("a transaction with its bag of cells", () => {
  it("is read by account, logical time and hash", async () => {
    const text = await withRaw(sent, async ({ account, lt, hash }) => `${account} ${lt} ${hash}`, signal);
    expect(JSON.parse(text)).toEqual({ type: "transaction", transaction: {}, raw: "0:AB 7 aGFzaA==" });
  });

  it("is sent without it if the chain cannot provide it", async () => {
    const expected = { type: "transaction", transaction: {}, raw: null };
    expect(JSON.parse(await withRaw(sent, undefined, signal))).toEqual(expected);
    expect(JSON.parse(await withRaw(sent, () => Promise.reject(new Error("gone")), signal))).toEqual(
      expected,
    );
  });
});
