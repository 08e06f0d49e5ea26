import { describe, expect, test } from "vitest";
import { ConnectionError } from "../../../server/chain/adnl/connection-error.js";
import {
  type FailureKind,
  failureKind,
  isDuplicate,
} from "../../../server/chain/liteservers/failure-kind.js";
import { NoAnswerError } from "../../../server/chain/no-answer-error.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import { ProofError } from "../../../shared/ton/proofs/verify/proof-error.js";

const cases: [FailureKind, Error][] = [
  ["missing", new LiteError(651, "block (0,8000000000000000,5) is not in db")],
  ["missing", new LiteError(-400, "cannot load block (0,8000000000000000,5) : ltdb: block not found")],
  ["missing", new LiteError(-400, "cannot compute block with specified transaction: lt not in db")],
  ["missing", new LiteError(-400, "cannot locate transaction in block with specified logical time")],
  ["missing", new LiteError(0, "state already gc'd: not in db")],
  ["missing", new LiteError(602, "state already gc'd")],
  ["behind", new LiteError(651, "block (-1,8000000000000000,9) is not applied")],
  [
    "behind",
    new LiteError(651, "block is not in db (possibly out of sync: shard_client_seqno=1 ls_seqno=2)"),
  ],
  [
    "missing",
    new LiteError(651, "block is not in db (possibly out of sync: shard_client_seqno=2 ls_seqno=2)"),
  ],
  ["behind", new LiteError(651, "node not synced")],
  ["behind", new LiteError(652, "timeout")],
  ["behind", new LiteError(653, "cancelled")],
  ["busy", new LiteError(-503, "timeout")],
  ["busy", new LiteError(228, "too many requests")],
  ["final", new LiteError(-400, "transaction hash mismatch")],
  ["final", new LiteError(-400, "more than 64k parameter bytes passed")],
  ["final", new LiteError(0, "cannot apply external message to current state : exit code 33")],
  ["final", new LiteError(0, "query is not allowed")],
  ["final", new LiteError(621, "unknown query: not in db")],
  ["final", new TypeError("a defect")],
  ["lost", new NoAnswerError()],
  ["lost", new ConnectionError("lost", "the connection was closed")],
  ["lost", new ConnectionError("unreachable", "the server is not connected")],
  ["lie", new ConnectionError("garbage", "the hash of a frame is wrong")],
  ["lie", new ProofError("another file")],
];

describe("the failure of a server", () => {
  for (const [kind, error] of cases)
    test(`${error.name} "${error.message}" is ${kind}`, () => expect(failureKind(error)).toBe(kind));

  test("may be a duplicate message", () => {
    expect(isDuplicate(new LiteError(0, "cannot send external message : duplicate message"))).toBe(true);
    expect(isDuplicate(new LiteError(0, "cannot apply external message"))).toBe(false);
    expect(isDuplicate(new Error("duplicate message"))).toBe(false);
  });
});
