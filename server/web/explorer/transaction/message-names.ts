import type { Message } from "../../../../client/api.js";
import { isDeployment, operationName, operationNames } from "../../../../shared/text/operations.js";
import { nameByAbi, operationLabel } from "../parts/message-line.js";

type Body = NonNullable<Message["message_content"]>["decoded"];

/** A message's operation in a few words: the name of its body's scheme, or by an ABI, or its opcode. */
export function operationOf(message: Message): string {
  const { bounced, message_content: content, source, destination } = message;
  if (bounced) return `bounced ${nameOf(payloadOf(content?.decoded ?? null)) ?? "message"}`;
  const isNamed = operationNames(message).length > 0;
  const name = isNamed ? operationName(message) : nameOf(content?.decoded ?? null);
  const shown = name ? operationLabel(name) : nameByAbi(message);
  if (shown) return shown;
  // External messages begin with a signature rather than an opcode.
  if (source === null) return "external message";
  if (destination === null) return "event";
  if (isDeployment(message)) return "deployment";
  if (content === null || content.hash === emptyHash) return "plain transfer";
  return message.opcode ?? "data";
}

/** Hash of the empty cell. */
const emptyHash = "lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=";

function nameOf(body: Body): string | undefined {
  const name = body?.["@type"];
  return typeof name === "string" ? operationLabel(name) : undefined;
}

/** The beginning of the bounced message. */
function payloadOf(body: Body): Body {
  const payload = body?.["payload"];
  return typeof payload === "object" ? (payload as Body) : null;
}
