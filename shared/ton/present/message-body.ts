import type { z } from "zod";
import type { messageData } from "../../schema/v2/transactions.js";
import { bytesToBase64 } from "../../values/bytes.js";
import type { Cell } from "../cells/cell.js";
import { readSnake } from "../cells/snake.js";
import { paddedData } from "./cell-object.js";
import { presentBoc } from "./records.js";

const commentOp = 0;
const encryptedCommentOp = 0x2167da4b;

export type MessageBody = {
  data: z.output<typeof messageData>;
  /** The field `message` of the plain form; absent for encrypted comments. */
  message: string | undefined;
};

/** Presents a body; `init` is the message's state init, which comments omit. */
export function presentBody(body: Cell, init: Cell | undefined): MessageBody {
  const comment = readComment(body);
  if (comment?.op === commentOp)
    return {
      data: { "@type": "msg.dataText", text: bytesToBase64(comment.bytes) },
      message: new TextDecoder("utf-8", { ignoreBOM: true }).decode(comment.bytes),
    };
  if (comment)
    return {
      data: { "@type": "msg.dataEncryptedText", text: bytesToBase64(comment.bytes) },
      message: undefined,
    };
  return {
    data: { "@type": "msg.dataRaw", body: presentBoc(body), init_state: presentBoc(init) },
    message: rootData(body),
  };
}

function readComment(body: Cell): { op: number; bytes: Uint8Array } | undefined {
  if (body.exotic || body.bits < 32) return undefined;
  const slice = body.parse();
  const op = slice.loadUint(32);
  if (op !== commentOp && op !== encryptedCommentOp) return undefined;
  const bytes = readSnake(slice);
  return bytes && { op, bytes };
}

/** The root cell's data only, with the trailing line end that clients expect. */
function rootData(body: Cell): string {
  return body.bits === 0 ? "" : `${bytesToBase64(paddedData(body))}\n`;
}
