import { expect, it } from "vitest";
import type { MessageStatus } from "../../../client/api.js";
import { messageText } from "../../../client/text/index.js";
import { messageStatusText } from "../../../server/web/explorer/views/trace.js";

const hash = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=";
const names = { message_hash: hash, message_hash_norm: hash };
const wallet = {
  account: `0:${"5A".repeat(32)}`,
  interface: "wallet_v4r2",
  seqno: 3,
  next_seqno: 5,
  valid_until: 1_700_000_000,
};
/** As the service answers with `include_text`. */
const told = (status: MessageStatus): MessageStatus => ({ ...status, ...messageText(status) });
const textOf = (status: MessageStatus) => messageStatusText(told(status))?.text.replace(/<[^>]*>/g, "");

it("describes the status of a message without a trace", () => {
  expect(textOf({ status: "pending", ...names, wallet, sent_by: null, expected: null })).toBe(
    "The message waits for a block.",
  );
  expect(textOf({ status: "dropped", ...names, wallet: null, sent_utime: 1_700_000_000 })).toContain(
    "no block has it",
  );
  expect(textOf({ status: "expired", ...names, wallet, reason: "valid_until", replaced_by: null })).toContain(
    "expired before a block had it",
  );
  const transaction = { account: wallet.account, hash, lt: "7", now: 1_700_000_000, success: true };
  const replaced_by = { ...names, transaction };
  expect(
    messageStatusText(told({ status: "expired", ...names, wallet, reason: "seqno", replaced_by }))!.text,
  ).toContain(`/tx/${Buffer.from(hash, "base64").toString("hex")}`);
  expect(textOf({ status: "expired", ...names, wallet, reason: "seqno", replaced_by: null })).toMatch(
    /seqno\.$/,
  );
  expect(textOf({ status: "unknown", ...names, wallet: null, reason: "not_found" })).toBeUndefined();
});
