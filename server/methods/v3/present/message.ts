import { base64ToBytes } from "../../../../shared/values/bytes.js";
import { parseBocRoot } from "../../../cells/boc.js";
import type { Cell } from "../../../cells/cell.js";
import { CellError } from "../../../cells/cell-error.js";
import { opcodeName } from "../../../contracts/bodies/read.js";
import { cut } from "../../../store/queries/message-json.js";
import { type DecodedBody, presentBody, presentSignedRequest } from "./body.js";

/** Fills the decoded bodies into the text of messages, or of a transaction with its messages. */
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

/** Requests that begin with a signature reach wallets only from outside. */
function contentOf(body: string, name: string | undefined, withoutSender: boolean) {
  if (name !== undefined) return decodedContent(body, presentBody);
  return withoutSender ? decodedContent(body, presentSignedRequest) : null;
}

type Present = (body: Cell) => DecodedBody | undefined;

function decodedContent(boc: string, present: Present): Record<string, unknown> | null {
  const decoded = presentStored(boc, present);
  if (!decoded) return null;
  // Older clients read the text of a comment from this field.
  if (decoded["@type"] === "text_comment")
    return { type: "text_comment", "@type": "text_comment", comment: decoded["text"] };
  return decoded;
}

function presentStored(boc: string, present: Present): DecodedBody | undefined {
  try {
    return present(parseBocRoot(base64ToBytes(boc)!));
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}
