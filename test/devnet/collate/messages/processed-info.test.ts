import { describe, expect, it } from "vitest";
import { isProcessed, withProcessed } from "../../../../server/devnet/collate/messages/processed-info.js";

const hash = (byte: number) => new Uint8Array(32).fill(byte);
const record = (mcSeqno: number, lt: bigint, byte = 5) => ({ mcSeqno, lt, hash: hash(byte) });

describe("the records of processed messages", () => {
  it("have a new one beside those that it does not cover", () => {
    expect(withProcessed([], record(1, 10n))).toEqual([record(1, 10n)]);
    // An earlier masterchain block, a later message: neither covers the other.
    expect(withProcessed([record(2, 10n)], record(1, 20n))).toEqual([record(2, 10n), record(1, 20n)]);
  });

  it.each([
    [record(1, 10n), record(2, 20n)],
    [record(1, 10n), record(1, 11n)],
    [record(1, 10n), record(2, 10n)],
    [record(1, 10n, 5), record(1, 10n, 6)],
  ])("have a later one instead of those that it covers: %o, %o", (early, late) => {
    expect(withProcessed([early], late)).toEqual([late]);
    expect(withProcessed([late], early)).toEqual([late]);
  });

  it("have each once, as a copy", () => {
    const records = [record(1, 10n)];
    const same = withProcessed(records, record(1, 10n));
    expect(same).toEqual(records);
    expect(same).not.toBe(records);
  });
});

describe("a message is processed", () => {
  const at = (lt: bigint, byte = 5, enqueuedLt = 50n) => ({ lt, hash: hash(byte), enqueuedLt });
  const ends = (mcSeqno: number) => BigInt(mcSeqno) * 100n;

  it("up to the lt and hash of a record", () => {
    const records = [record(1, 10n, 5)];
    const seen = [at(9n, 9), at(10n, 4), at(10n, 5), at(10n, 6), at(11n, 0)];
    expect(seen.map((message) => isProcessed(records, message, ends))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("if it was queued before the block that the masterchain block knew", () => {
    const records = [record(1, 1000n)];
    expect([99n, 100n, 101n].map((enqueued) => isProcessed(records, at(5n, 5, enqueued), ends))).toEqual([
      true,
      false,
      false,
    ]);
    expect(isProcessed([...records, record(2, 1000n)], at(5n, 5, 150n), ends)).toBe(true);
  });

  it("not without a record", () => {
    expect(isProcessed([], at(1n), ends)).toBe(false);
  });
});
