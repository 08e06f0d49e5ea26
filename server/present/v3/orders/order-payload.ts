import { opcodeOf } from "../../../../shared/ton/bodies/payload.js";
import { bodyOfWithin, bodyStartWithin } from "../../../../shared/ton/bodies/read.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { trimEnd } from "../../../../shared/values/trim-end.js";
import type { OrderWriter } from "./order-writer.js";

/** Members for the forward payload of a jetton transfer in an order. Throws BodyTooLarge. */
export function payloadMembers(payload: Cell | undefined, writer: OrderWriter) {
  if (!payload) return { ...unread, forward_payload: null, payload_sum_type: "" };
  const plain = { ...unread, forward_payload: writer.boc(payload) };
  const { budget } = writer;
  const opcode = opcodeOf(payload);
  if (opcode === 0) {
    const comment = bodyOfWithin(budget, "text_comment", payload)?.text ?? "";
    return { ...plain, comment, payload_sum_type: "TextComment" };
  }
  if (opcode === 0x2167da4b) {
    const cipherText = bodyOfWithin(budget, "encrypted_text_comment", payload)?.cipher_text;
    const comment = cipherText ? bytesToBase64(cipherText) : "";
    return { ...plain, comment, encrypted_comment: true, payload_sum_type: "EncryptedTextComment" };
  }
  if (opcode === 0x25938561)
    return { ...plain, payload_sum_type: "StonfiSwap", stonfi_swap_body: stonfiSwap(payload, writer) };
  return { ...plain, payload_sum_type: "Unknown" };
}

const unread = { comment: "", encrypted_comment: false, stonfi_swap_body: null };

function stonfiSwap(payload: Cell, writer: OrderWriter) {
  const swap = bodyStartWithin(writer.budget, "stonfi_swap_forward_payload", payload);
  if (!swap) return null;
  return {
    jetton_wallet: writer.address(swap.token_wallet),
    min_amount: tonText(swap.min_out),
    user_address: writer.address(swap.to_address),
  };
}

/** TON Center formats any token's amount as if it had the decimals of TON. */
function tonText(nanotons: bigint): string {
  const digits = String(nanotons).padStart(10, "0");
  return trimEnd(trimEnd(`${digits.slice(0, -9)}.${digits.slice(-9)}`, "0"), ".");
}
