import { base64ToBytes } from "../../../../../shared/values/bytes.js";
import { parseBoc } from "../../../../cells/boc.js";
import { encryptedText, readSnakeText, type Text } from "../../../../contracts/message-text.js";

const none: Text = { text: undefined, isEncrypted: false };

/** The comment in a payload, which the index stores as a bag of cells. */
export function commentOf(payload: string | undefined): Partial<Text> {
  const bytes = payload === undefined ? undefined : base64ToBytes(payload);
  if (!bytes) return {};
  const from = parseBoc(bytes)[0]!.parse();
  if (from.remainingBits < 32) return none;
  const opcode = from.loadUint(32);
  if (opcode !== 0 && opcode !== encryptedText) return none;
  const isEncrypted = opcode === encryptedText;
  return { text: readSnakeText(from, isEncrypted), isEncrypted };
}
