import { bytesToBase64, joinBytes } from "../../values/bytes.js";
import { utf8Text } from "../../values/utf8.js";
import type { Cell } from "../cells/cell.js";
import { anySlice, bytesKey, cellRef, Dictionary, uintKey } from "../cells/dictionaries/dictionary.js";
import { sha256 } from "../cells/sha256.js";
import type { Slice } from "../cells/slice.js";
import { readSnake } from "../cells/snake.js";
import { ifReadable } from "../tlb/readable.js";
import { UnexpectedAnswer } from "./get-method.js";

/**
 * Metadata of a token (TEP-64): a link to off-chain metadata, or on-chain attributes. An attribute `uri` links to more
 * metadata off-chain.
 */
export type TokenContent =
  | { kind: "offchain"; uri: string }
  | { kind: "onchain"; attributes: Readonly<Record<string, string>> };

const attributeNames = [
  "uri",
  "name",
  "description",
  "image",
  "image_data",
  "symbol",
  "decimals",
  "amount_style",
  "render_type",
];
const keys = attributeNames.map((name) => [name, sha256(name)] as const);
/** Longer values are cut at the last cell boundary before this. */
const maxBytes = 8192;

/** `onchain#00 data:(HashmapE 256 ^ContentData) = FullContent; offchain#01 uri:Text = FullContent;` */
export function readTokenContent(cell: Cell): TokenContent {
  const content = cell.parse();
  const tag = content.loadUint(8);
  if (tag === 0) return { kind: "onchain", attributes: readAttributes(content) };
  const uri = tag === 1 ? utf8Text(readSnake(content, maxBytes)) : undefined;
  if (uri === undefined)
    throw new UnexpectedAnswer("the content of a token is neither attributes nor a link");
  return { kind: "offchain", uri };
}

/** The content as one flat object: its attributes, or the link as `uri`. */
export function flatContent(content: TokenContent): Readonly<Record<string, string>> {
  return content.kind === "onchain" ? content.attributes : { uri: content.uri };
}

/** Omits malformed attributes and those that TEP-64 does not name. */
function readAttributes(content: Slice): Record<string, string> {
  const data = Dictionary.load(content, bytesKey(32), anySlice);
  const attributes: Record<string, string> = {};
  for (const [name, key] of keys) {
    const value = data.get(key);
    const bytes = value && readValue(value);
    const text = name === "image_data" ? bytes && bytesToBase64(bytes) : utf8Text(bytes);
    if (text !== undefined) attributes[name] = text;
  }
  return attributes;
}

/**
 * `snake#00 data:(SnakeData ~n) = ContentData; chunks#01 data:ChunkedData = ContentData;` The standard stores it in a
 * separate cell, but some contracts store it in the leaf of the dictionary.
 */
function readValue(value: Slice): Uint8Array | undefined {
  return ifReadable(() => {
    const inRef = value.remainingBits === 0 && value.remainingRefs === 1;
    const data = inRef ? value.loadRef().parse() : value;
    const tag = data.loadUint(8);
    if (tag === 0) return readSnake(data, maxBytes);
    return tag === 1 ? readChunks(data) : undefined;
  });
}

/** `chunked_data#_ data:(HashmapE 32 ^(SnakeData ~0)) = ChunkedData;` with keys counting from 0. */
function readChunks(data: Slice): Uint8Array | undefined {
  const chunks = Dictionary.load(data, uintKey(32), cellRef);
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let chunk = chunks.get(0); chunk; chunk = chunks.get(parts.length)) {
    if (chunk.bits % 8 !== 0) return undefined;
    size += chunk.bits / 8;
    // The count is limited too: shared branches can hold any number of empty chunks.
    if (size > maxBytes || parts.length === maxBytes) break;
    parts.push(chunk.parse().loadBytes(chunk.bits / 8));
  }
  return joinBytes(parts);
}
