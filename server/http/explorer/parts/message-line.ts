import type { Message, PlainMessage, StandardMessage, Transaction } from "../../../../client/api.js";
import { base64ToBytes } from "../../../../shared/values/bytes.js";
import { claimedText } from "./text.js";

/** What lists show of a message. */
export type MessageLine = {
  readonly hash: string;
  /** Absent for messages from outside. */
  readonly source?: string | undefined;
  /** Absent for messages to the outside. */
  readonly destination?: string | undefined;
  readonly value: string;
  /** What the body is: the name of its opcode, or its opcode. */
  readonly kind?: string | undefined;
  readonly comment?: string | undefined;
  readonly isBounced: boolean;
};

/** A message of an answer of API v3. */
export function lineOf(message: Message): MessageLine {
  const { hash, source, destination, value, opcode, decoded_opcode: name, bounced } = message;
  const decoded = message.message_content?.decoded;
  const comment = decoded?.["comment"];
  return {
    hash,
    source: source ?? undefined,
    destination: destination ?? undefined,
    value: value ?? "0",
    // Bodies from outside begin with a signature or whatever else their contract expects.
    kind: kindOf(name ?? undefined, source === null ? undefined : (opcode ?? undefined)),
    comment: typeof comment === "string" ? comment : undefined,
    isBounced: bounced === true,
  };
}

/** A message of an answer of API v2. */
export function plainLineOf(message: PlainMessage | StandardMessage): MessageLine {
  const { hash, value, msg_data: data } = message;
  const comment = data["@type"] === "msg.dataText" ? textOf(data.text) : undefined;
  return {
    hash,
    source: addressIn(message.source),
    destination: addressIn(message.destination),
    value,
    kind: comment === undefined ? undefined : "comment",
    comment,
    isBounced: false,
  };
}

function addressIn(place: string | { account_address: string }): string | undefined {
  return (typeof place === "string" ? place : place.account_address) || undefined;
}

/** API v2 has comments in base64. */
function textOf(base64: string): string {
  const bytes = base64ToBytes(base64);
  return bytes ? new TextDecoder().decode(bytes) : base64;
}

function kindOf(name: string | undefined, opcode: string | undefined): string | undefined {
  if (name === "text_comment") return "comment";
  // Messages that are bounced are marked.
  if (name === "bounce") return undefined;
  if (name !== undefined) return operationLabel(name);
  return opcode === undefined || opcode === "0x00000000" ? undefined : opcode;
}

/** The name of a body in words. The reference misspells the operation of a multisig. */
export function operationLabel(name: string): string {
  return claimedText(name.replace(/^mulisig_/, "multisig_").replaceAll("_", " "), 40);
}

/** Ticks and tocks happen in every masterchain block, whether anything happened or not. */
export const isTick = ({ description }: Pick<Transaction, "description">) => description.type === "tick_tock";
