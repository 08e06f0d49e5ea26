import { base64ToBytes } from "../../../../shared/values/bytes.js";
import { parseBocRoot } from "../../../cells/boc.js";
import type { Cell } from "../../../cells/cell.js";
import { opcodeName } from "../../../contracts/bodies/read.js";
import { cut, type MessageRecord, messageRecord } from "../../../store/tables/message-record.js";
import type { MessageContentRow, MessageRow } from "../../../store/tables/messages.js";
import { ifReadable } from "../../../tlb/readable.js";
import { type DecodedBody, presentBody, presentSignedRequest } from "./body.js";

/** A message of rows. Contents that are not known are `null` in the record. */
export function presentMessage(
  m: MessageRow,
  b: MessageContentRow | undefined,
  i: MessageContentRow | undefined,
): MessageRecord {
  const name = m.opcode === undefined ? undefined : opcodeName(m.opcode >>> 0);
  const content = b ? contentOf(() => b.body, name, m.source === undefined) : null;
  return messageRecord.present({ m, b, i, read: { opcodeName: name ?? null, content } });
}

/** Texts of contents by what they were read from: a message of a trace is in it twice, sent and received. */
export type Contents = Map<string, string>;

/** Fills the cuts in the text of messages, or of a transaction with its messages, from their bodies. */
export function withBodies(text: string, known: Contents = new Map()): string {
  const pieces = text.split(cut);
  let filled = pieces[0]!;
  for (let at = 1; at < pieces.length; at += 6) {
    const [opcode, withoutSender, middle, body, behindBody, rest] = pieces.slice(at, at + 6) as Pieces;
    const name = opcode === "" ? undefined : opcodeName(Number(opcode));
    filled += name === undefined ? "null" : JSON.stringify(name);
    filled += middle + body + behindBody;
    if (behindBody !== "") {
      const key = `${opcode} ${withoutSender} ${body}`;
      let content = known.get(key);
      if (content === undefined) {
        content = JSON.stringify(contentOf(() => base64ToBytes(body)!, name, withoutSender === "t"));
        known.set(key, content);
      }
      filled += content;
    }
    filled += rest;
  }
  return filled;
}

type Pieces = [
  opcode: string,
  withoutSender: string,
  middle: string,
  body: string,
  behindBody: string,
  rest: string,
];

/** Signed wallet requests are only looked for in messages without a sender. The bytes are read only if needed. */
function contentOf(
  boc: () => Uint8Array,
  name: string | undefined,
  withoutSender: boolean,
): Record<string, unknown> | null {
  if (name !== undefined) return decodedContent(boc(), presentBody);
  return withoutSender ? decodedContent(boc(), presentSignedRequest) : null;
}

/** The content of a payload, a bag of cells in base64. */
export function presentPayload(boc: string | null): Record<string, unknown> | null {
  return boc === null ? null : decodedContent(base64ToBytes(boc)!, presentBody);
}

type Present = (body: Cell) => DecodedBody | undefined;

function decodedContent(boc: Uint8Array, present: Present): Record<string, unknown> | null {
  const decoded = presentStored(boc, present);
  if (!decoded) return null;
  // Older clients read the text of a comment from these members.
  if (decoded["@type"] === "text_comment")
    return { type: "text_comment", "@type": "text_comment", comment: decoded["text"] };
  return decoded;
}

function presentStored(boc: Uint8Array, present: Present): DecodedBody | undefined {
  return ifReadable(() => present(parseBocRoot(boc)));
}
