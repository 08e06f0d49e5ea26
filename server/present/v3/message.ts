import { JsonText } from "../../../shared/methods/json-text.js";
import { opcodeName } from "../../../shared/ton/bodies/read.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { bytesOfBase64, bytesToBase64 } from "../../../shared/values/bytes.js";
import { leastTgRequestBytes, mayBeTgWalletRequest } from "../../contracts/tg-wallet-request.js";
import { latin1Text, type TakeText } from "../../store/sql/row-bytes.js";
import { cut, type MessageRecord, messageRecord } from "../../store/tables/message-record.js";
import type { MessageContentRow, MessageRow } from "../../store/tables/messages.js";
import { TextBytes } from "./answer-text.js";
import { type DecodedBody, presentBody, presentSignedRequest, presentTgRequest } from "./body.js";

/** A message from rows. Unknown contents are `null`. */
export function presentMessage(
  m: MessageRow,
  b: MessageContentRow | undefined,
  i: MessageContentRow | undefined,
): MessageRecord {
  const name = m.opcode === undefined ? undefined : opcodeName(m.opcode >>> 0);
  const content = b ? contentOf(() => b.body, name, m.source === undefined) : null;
  return messageRecord.present({ m, b, i, read: { opcodeName: name ?? null, content } });
}

/** Cached texts of contents by their source: bodies of a page repeat, and a message of a trace occurs twice. */
export type Contents = Map<string, string>;

/** An answer with a list of messages, or of transactions with messages, and their decoded bodies. */
export class ListWithBodies {
  readonly #text = new TextBytes();
  readonly #contents: Contents = new Map();
  #isEmpty = true;

  /** The list is the member `name` of the answer. */
  constructor(name: string) {
    this.#text.add(`{"${name}":[`);
  }

  /** Adds the text of a record. Returns its addresses. */
  readonly take: TakeText<string> = (text, addresses) => {
    if (!this.#isEmpty) this.#text.add(",");
    this.#isEmpty = false;
    addWithBodies(this.#text, text, this.#contents);
    return addresses;
  };

  /** The answer, with other members after the list. */
  end<Answer>(others: object): JsonText<Answer> {
    this.#text.add("]");
    this.#text.endObject(others);
    return new JsonText(this.#text.end());
  }
}

/** Expected size of texts with their contents. */
export function expectedBytes(texts: readonly { text: Uint8Array }[]): number {
  let length = 0;
  for (const { text } of texts) length += text.length;
  return length + (length >> 2);
}

/** Parses the text of a message, for callers that need its members. */
export function readMessage(text: Uint8Array): MessageRecord {
  return JSON.parse(withBodies(text)) as MessageRecord;
}

/** The text of a message, or of a transaction with messages, with decoded bodies. */
export function withBodies(text: Uint8Array): string {
  const filled = new TextBytes();
  addWithBodies(filled, text, new Map());
  return filled.endText();
}

/** Fills the cuts in a text of messages, or of a transaction with messages, from their bodies. */
export function addWithBodies(filled: TextBytes, text: Uint8Array, known: Contents): void {
  let done = 0;
  for (let at = text.indexOf(cutByte); at >= 0; at = text.indexOf(cutByte, done)) {
    filled.addBytes(text, done, at);
    const senderAt = nextCut(text, at + 1);
    const middleAt = nextCut(text, senderAt + 1);
    const bodyAt = text.indexOf(cutByte, middleAt + 1);
    const behindAt = text.indexOf(cutByte, bodyAt + 1);
    const restAt = nextCut(text, behindAt + 1);
    const opcode = latin1Text(text.subarray(at + 1, senderAt));
    const name = opcode === "" ? undefined : opcodeName(Number(opcode));
    filled.add(name === undefined ? "null" : `"${name}"`);
    filled.addBytes(text, middleAt + 1, bodyAt);
    filled.addBytes(text, bodyAt + 1, behindAt);
    filled.addBytes(text, behindAt + 1, restAt);
    if (restAt > behindAt + 1) {
      const withoutSender = text[senderAt + 1] === isTrue;
      const body = () => latin1Text(text.subarray(bodyAt + 1, behindAt));
      const length = behindAt - bodyAt - 1;
      const hasContent =
        name !== undefined ||
        withoutSender ||
        length <= emptyText.length ||
        (length >= leastTgRequestText && mayBeTgWalletRequest(bytesOfBase64(body())));
      filled.add(hasContent ? contentText(body(), name, withoutSender, known) : "null");
    }
    done = restAt + 1;
  }
  filled.addBytes(text, done, text.length);
}

const cutByte = cut.charCodeAt(0);
const isTrue = "t".charCodeAt(0);

/** Position of the next cut, which is near. */
function nextCut(text: Uint8Array, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== cutByte) at++;
  return at;
}

function contentText(
  body: string,
  name: string | undefined,
  withoutSender: boolean,
  known: Contents,
): string {
  const key = `${name ?? ""} ${withoutSender} ${body}`;
  let content = known.get(key);
  if (content === undefined) {
    content = JSON.stringify(contentOf(() => bytesOfBase64(body), name, withoutSender));
    known.set(key, content);
  }
  return content;
}

/** Signed wallet requests are only expected in messages without a sender, but those to Telegram's wallet in all. */
function contentOf(
  boc: () => Uint8Array,
  name: string | undefined,
  withoutSender: boolean,
): Record<string, unknown> | null {
  if (name !== undefined) return decodedContent(boc(), presentBody);
  const bytes = boc();
  if (bytes.length === emptyBoc.length) return decodedContent(bytes, presentBody);
  if (withoutSender && bytes.length >= signatureBytes) return decodedContent(bytes, presentSignedRequest);
  return mayBeTgWalletRequest(bytes) ? decodedContent(bytes, presentTgRequest) : null;
}

/** In base64. */
const leastTgRequestText = Math.ceil(leastTgRequestBytes / 3) * 4;

/** An empty cell; all others are longer. */
const emptyBoc = serializeBoc(Cell.empty);
const emptyText = bytesToBase64(emptyBoc);

/** Minimum length of a request that begins with a signature. */
const signatureBytes = 64;

/** The content of a payload, a bag of cells in base64. */
export function presentPayload(boc: string | null): Record<string, unknown> | null {
  return boc === null ? null : decodedContent(bytesOfBase64(boc), presentBody);
}

type Present = (body: Cell) => DecodedBody | undefined;

/** The content of a body that is not stored, as lists have it. */
export function presentContent(body: Cell, withoutSender: boolean): Record<string, unknown> | null {
  return inListForm(presentBody(body) ?? (withoutSender ? presentSignedRequest(body) : undefined));
}

function decodedContent(boc: Uint8Array, present: Present): Record<string, unknown> | null {
  return inListForm(presentStored(boc, present));
}

function inListForm(decoded: DecodedBody | undefined): Record<string, unknown> | null {
  if (!decoded) return null;
  // Older clients read a comment's text from these members.
  if (decoded["@type"] === "text_comment")
    return { type: "text_comment", "@type": "text_comment", comment: decoded["text"] };
  return decoded;
}

function presentStored(boc: Uint8Array, present: Present): DecodedBody | undefined {
  return ifReadable(() => present(parseBocRoot(boc)));
}
