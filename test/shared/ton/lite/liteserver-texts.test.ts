import { describe, expect, test } from "vitest";
import {
  failedRunIn,
  rejectionIn,
  saysComing,
  saysMissing,
  saysOutOfSync,
} from "../../../../shared/ton/lite/liteserver-texts.js";

// As liteservers of mainnet wrote them, addresses and hashes shortened.

const notInDb =
  "cannot load block (0,8000000000000000,44351240):A5F1:AB35 : block (0,8000000000000000,44351240) is not in db";
const behind = `${notInDb} (possibly out of sync: shard_client_seqno=38751108 ls_seqno=38759213)`;
const tooOld =
  "cannot compute block with specified transaction: cannot find block (0,b24027bc317866f8) lt=44402946000003: lt not in db";
const future =
  "cannot find block (-1,8000000000000000) seqno=999999999: seqno not in db (last known masterchain block: 48000000)";
const notApplied = "block (-1,8000000000000000,46894135) is not applied";
const rejectedRun =
  "Cannot run message on account: inbound external message rejected by transaction 0FC2:\nexitcode=33, steps=22, gas_used=0";
const rejected = `cannot apply external message to current state : External message was not accepted\n${rejectedRun}`;
const newestRejected = `cannot apply external message to current state : External message was not accepted: ${rejectedRun}`;
const duplicate = "cannot send external message : duplicate message";

describe("the text of a liteserver says that", () => {
  test.each([
    notInDb,
    behind,
    tooOld,
    future,
    "state already gc'd",
    "package already gc'd",
    "ltdb: block not found",
  ])("data are missing: %s", (text) => {
    expect([saysMissing(text), saysComing(text)]).toEqual([true, false]);
  });

  test.each([notApplied, "node not synced", "not ready"])("data are coming: %s", (text) => {
    expect([saysMissing(text), saysComing(text)]).toEqual([false, true]);
  });

  test("its shards are behind its masterchain", () => {
    const caughtUp = "(possibly out of sync: shard_client_seqno=38759213 ls_seqno=38759213)";
    expect([behind, notInDb, caughtUp, notApplied].map(saysOutOfSync)).toEqual([true, false, false, false]);
  });

  test.each([
    [duplicate, "duplicate"],
    ["too many external messages to address 0:ED16", "too-many-pending"],
    [
      "cannot apply external message to current state : failed to parse external message: external message is not a (Message Any) according to automated checks",
      "malformed",
    ],
    ["cannot apply external message to current state : Failed to unpack account state", "no-account"],
    [rejected, "not-accepted"],
    [newestRejected, "not-accepted"],
    [notInDb, undefined],
    ["transaction hash mismatch", undefined],
  ])("a message was rejected: %s", (text, reason) => {
    expect(rejectionIn(text)).toBe(reason);
  });

  test("a contract ran, with its exit code and log", () => {
    expect([rejected, newestRejected].map(failedRunIn)).toEqual([
      { exitCode: 33, lacksLibrary: false, log: undefined },
      { exitCode: 33, lacksLibrary: false, log: undefined },
    ]);
    const log = "\nVM Log (truncated):\n...execute THROWIFNOT 33\n";
    expect(failedRunIn(rejected + log)).toEqual({
      exitCode: 33,
      lacksLibrary: false,
      log: "execute THROWIFNOT 33\n",
    });
    expect(failedRunIn(`${rejected}\nhandling exception code 9: failed to load library cell`)).toMatchObject({
      lacksLibrary: true,
    });
    expect(failedRunIn("exitcode=-14, steps=0, gas_used=0")).toBeUndefined();
    expect(failedRunIn(duplicate)).toBeUndefined();
  });
});
