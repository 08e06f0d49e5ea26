import type { Message, PlainMessage, StandardMessage, Transaction } from "../../../../client/api.js";
import { isDeployment, operationName } from "../../../../shared/text/operations.js";
import { base64ToBytes } from "../../../../shared/values/bytes.js";
import { claimedText } from "./text.js";

/** List row of a message. */
export type MessageLine = {
  readonly hash: string;
  /** Absent for external inbound messages. */
  readonly source?: string | undefined;
  /** Absent for external outbound messages. */
  readonly destination?: string | undefined;
  readonly value: string;
  /** Name of the opcode, else the opcode. */
  readonly kind?: string | undefined;
  readonly comment?: string | undefined;
  readonly isBounced: boolean;
};

/** A message of an answer of API v3. */
export function lineOf(message: Message): MessageLine {
  const { hash, source, destination, value, opcode, bounced } = message;
  const decoded = message.message_content?.decoded;
  const comment = decoded?.["comment"];
  return {
    hash,
    source: source ?? undefined,
    destination: destination ?? undefined,
    value: value ?? "0",
    kind: kindOf(
      operationName(message),
      nameByAbi(message) ??
        // External bodies begin with a signature or another contract-specific value, not an opcode.
        (source === null ? undefined : isDeployment(message) ? "deployment" : (opcode ?? undefined)),
    ),
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
  // Bounced messages have a mark of their own.
  if (name === "bounce") return undefined;
  if (name !== undefined) return operationLabel(name);
  return opcode === undefined || opcode === "0x00000000" ? undefined : opcode;
}

/** The name that an ABI gives to a message; with a question mark if the opcode alone says which ABI it is. */
export function nameByAbi({ abi }: Pick<Message, "abi">): string | undefined {
  const name = abi ? claimedText(abi.message, 40) : "";
  if (name === "") return undefined;
  return abi?.by === "opcode" ? `${name}?` : name;
}

/** The name of a body in words. The reference misspells the multisig operation. */
export function operationLabel(name: string): string {
  return claimedText(name.replace(/^mulisig_/, "multisig_").replaceAll("_", " "), 40);
}

/** Ticks and tocks happen in every masterchain block. */
export const isTick = ({ description }: Pick<Transaction, "description">) => description.type === "tick_tock";
