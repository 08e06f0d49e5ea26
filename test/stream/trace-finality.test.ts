import { describe, expect, it } from "vitest";
import type { TransactionRecord } from "../../server/present/v3/transaction.js";
import { type Finality, isAtLeast, leastOf } from "../../server/stream/subscriptions/filter.js";
import { traceFinality } from "../../server/stream/trace-finality.js";

const levels: Finality[] = ["pending", "confirmed", "finalized"];

it("levels of finality are in order", () => {
  for (const [at, one] of levels.entries())
    for (const [place, other] of levels.entries()) expect(isAtLeast(one, other)).toBe(at >= place);
  expect(leastOf([])).toBe("finalized");
  expect(leastOf(["finalized", "confirmed"])).toBe("confirmed");
  expect(leastOf(["confirmed", "pending", "finalized"])).toBe("pending");
});

describe("the finality of a trace", () => {
  const record = (finality: Finality | undefined, opcode: string | null | undefined = "0x1", sent = 0) =>
    ({
      finality,
      in_msg: opcode === undefined ? null : { opcode },
      out_msgs: new Array(sent).fill({}),
    }) as unknown as TransactionRecord;

  it("is that of its least final transaction", () => {
    expect(traceFinality([])).toBe("finalized");
    expect(traceFinality([record(undefined), record("finalized")])).toBe("finalized");
    expect(traceFinality([record(undefined), record("confirmed")])).toBe("confirmed");
    expect(traceFinality([record("confirmed"), record("pending", null), record("finalized")])).toBe(
      "pending",
    );
    expect(traceFinality([record("pending", undefined)])).toBe("pending");
  });

  it("does not wait for notices that nothing follows", () => {
    for (const notice of ["0x7362d09c", "0x05138d91", "0xd53276db"]) {
      expect(traceFinality([record("confirmed"), record("pending", notice)])).toBe("confirmed");
      expect(traceFinality([record("confirmed"), record("pending", notice, 1)])).toBe("pending");
    }
  });
});
