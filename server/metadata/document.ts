import { isDeeperThan } from "../../shared/values/json.js";
import type { FetchedMetadata } from "../store/queries/tokens/metadata.js";
import { FetchError } from "./fetch-error.js";

/** Far deeper than any token's metadata. */
const maxDepth = 32;
/** Size limit of all stored members, because answers contain many tokens; members that do not fit are dropped. */
const maxStoredBytes = 64 * 1024;
const texts = ["name", "symbol", "description", "image"] as const;

/**
 * Parses token metadata: a JSON object with at least one of the texts. Numbers are accepted as texts. Throws a
 * FetchError. Parsing takes up to 100 ms, so it runs in a separate thread.
 */
export function readDocument(bytes: Uint8Array): FetchedMetadata {
  const document = parse(bytes);
  if (typeof document !== "object" || document === null || Array.isArray(document))
    throw new FetchError("content");
  const members = Object.entries(document);
  const room = { bytes: maxStoredBytes };
  const found: Partial<Record<(typeof texts)[number], string>> = {};
  for (const name of texts) {
    const text = textOf((document as Record<string, unknown>)[name]);
    if (text !== undefined && fits(name, text, room)) found[name] = text;
  }
  if (Object.keys(found).length === 0) throw new FetchError("content");
  const extra = members
    .filter(([name]) => !isText(name) && !name.startsWith("_image_"))
    .map(([name, value]) => [storable(name), storable(value)] as [string, unknown])
    .filter(([name, value]) => fits(name, value, room));
  return { ...found, extra: Object.fromEntries(extra) };
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new FetchError("json", error);
  }
  if (isDeeperThan(maxDepth, text)) throw new FetchError("depth");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FetchError("json", error);
  }
}

function isText(name: string): boolean {
  return (texts as readonly string[]).includes(name);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? storable(value) : undefined;
}

/** Whether a member fits the remaining space; reserves it if so. */
function fits(name: string, value: unknown, room: { bytes: number }): boolean {
  const size = Buffer.byteLength(name) + Buffer.byteLength(JSON.stringify(value));
  if (size > room.bytes) return false;
  room.bytes -= size;
  return true;
}

/** Removes content that PostgreSQL cannot store: zero characters and unpaired surrogates. */
function storable<T>(value: T): T;
function storable(value: unknown): unknown {
  if (typeof value === "string") return Buffer.from(value.replaceAll("\0", "")).toString();
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storable(name), storable(member)]),
  );
}
