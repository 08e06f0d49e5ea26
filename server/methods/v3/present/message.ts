import { base64ToBytes } from "../../../../shared/values/bytes.js";
import { parseBocRoot } from "../../../cells/boc.js";
import type { Cell } from "../../../cells/cell.js";
import { CellError } from "../../../cells/cell-error.js";
import {
  type Decoded,
  decodeBody,
  decodeSignedRequest,
  opcodeName,
} from "../../../contracts/bodies/decode.js";
import { cut } from "../../../store/queries/message-json.js";

/** The text of messages, or of a transaction with its messages, with what their bodies say. */
export function withBodies(text: string): string {
  const pieces = text.split(cut);
  let filled = pieces[0]!;
  for (let at = 1; at < pieces.length; at += 6) {
    const [opcode, withoutSender, middle, body, behindBody, rest] = pieces.slice(at, at + 6) as Pieces;
    const name = opcode === "" ? undefined : opcodeName(Number(opcode));
    filled += name === undefined ? "null" : JSON.stringify(name);
    filled += middle + body + behindBody;
    if (behindBody !== "") filled += JSON.stringify(contentOf(body, name, withoutSender === "t"));
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

/** Only from outside do wallets get requests that begin with a signature. */
function contentOf(body: string, name: string | undefined, withoutSender: boolean) {
  if (name !== undefined) return decodedContent(body, decodeBody);
  return withoutSender ? decodedContent(body, decodeSignedRequest) : null;
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
