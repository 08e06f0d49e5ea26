import type { z } from "zod";
import type { message } from "../../../shared/schema/v3-transactions.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { parseBocRoot } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import { type Decoded, decodeBody, decodeSignedRequest, opcodeName } from "../../contracts/bodies/decode.js";

type Message = z.output<typeof message>;

/** Members that some messages do not have, which the database knows as null. */
const sometimes = ["in_msg_tx_hash", "out_msg_tx_hash", "hash_norm"] as const;

/**
 * A message with what its body says, where that is known. Only from outside do wallets get requests that begin with a
 * signature.
 */
export function presentMessage(record: Message): Message {
  const name = record.opcode === null ? undefined : opcodeName(Number(record.opcode));
  const shown = { ...record };
  if (name !== undefined) shown.decoded_opcode = name;
  const decode = name !== undefined ? decodeBody : record.source === null ? decodeSignedRequest : undefined;
  if (decode && record.message_content) {
    const { body } = record.message_content;
    shown.message_content = { ...record.message_content, decoded: decodedContent(body, decode) };
  }
  for (const member of sometimes) if (shown[member] === null) delete shown[member];
  return shown;
}

type Decode = (body: Cell) => Decoded | undefined;

function decodedContent(boc: string, decode: Decode): Record<string, unknown> | null {
  const decoded = decodeStored(boc, decode);
  if (!decoded) return null;
  // Older clients look for a comment's text where it has always been.
  if (decoded["@type"] === "text_comment")
    return { type: "text_comment", "@type": "text_comment", comment: decoded["text"] };
  return decoded;
}

function decodeStored(boc: string, decode: Decode): Decoded | undefined {
  try {
    return decode(parseBocRoot(base64ToBytes(boc)!));
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}
