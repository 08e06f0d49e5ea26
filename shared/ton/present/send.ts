import type { ResultOf } from "../../methods/define.js";
import type { sendMethods } from "../../methods/v2/send.js";
import { bytesToBase64 } from "../../values/bytes.js";
import type { Cell } from "../cells/cell.js";
import { encode } from "../tlb/codec.js";
import { Message, normalizeExternal } from "../tlb/message.js";

/** A sent external message: its cell and decoded form. */
export type SentMessage = { root: Cell; message: Message };

export function presentOk(): ResultOf<typeof sendMethods.sendBoc> {
  return { "@type": "ok" };
}

/** `hash_norm` is the normalized hash (TEP-467), independent of how the sender serialized the message. */
export function presentSent({ root, message }: SentMessage): ResultOf<typeof sendMethods.sendBocReturnHash> {
  return {
    "@type": "raw.extMessageInfo",
    hash: bytesToBase64(root.hash()),
    hash_norm: bytesToBase64(encode(Message, normalizeExternal(message)).hash()),
  };
}
