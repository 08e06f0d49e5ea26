import { serializeBoc } from "../../../shared/ton/cells/boc.js";
import { maxExternalBytes, tooLarge, unreadable } from "../../chain/message-rejection.js";
import { cellOfBoc } from "../v2/input/cells.js";
import { messageIn } from "../v2/send.js";

/**
 * The canonical form of an external message, after the checks of `sendBoc`. Throws the LiteError that a liteserver answers
 * an invalid one with.
 */
export function canonicalMessage(body: Uint8Array): Uint8Array {
  if (body.length > maxExternalBytes) throw tooLarge();
  const root = cellOfBoc(body);
  if (!root) throw unreadable("external message is not a valid bag of cells");
  const message = messageIn(root);
  if (!message) throw unreadable("external message is not a (Message Any) according to automated checks");
  if (message.info.kind !== "externalIn")
    throw unreadable("external message must begin with ext_in_msg_info$10");
  return serializeBoc(root, { crc32: false });
}
