import type { Message } from "../../../../client/api.js";
import { plainText } from "../parts/plain-text.js";

/** What a message asks for, in a few words: the name of its body's scheme, or its opcode. */
export function operationOf({ decoded_opcode, opcode, bounced, message_content, destination }: Message): string {
  const name = decoded_opcode ?? (opcode === "0x00000000" ? "text_comment" : opcode);
  const known = name && plainText(name.replaceAll("_", " "), 40);
  const operation = known ?? (destination === null ? "event" : hasBody(message_content) ? "data" : "plain transfer");
  return bounced ? `bounced ${operation === "plain transfer" ? "message" : operation}` : operation;
}

/** Hash of the cell without data. */
const emptyHash = "lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=";

function hasBody(content: Message["message_content"]): boolean {
  return content !== null && content.hash !== emptyHash;
}
