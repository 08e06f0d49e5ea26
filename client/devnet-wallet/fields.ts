// Reads requests of a page, of which nothing is known: values are checked before they are used, and texts are bounded.

import { Cell } from "@ton/core";
import { base64ToBytes } from "../../shared/values/bytes.js";
import { ifJson } from "../../shared/values/json.js";
import { badRequest } from "./refusal.js";

/** Longer than a message that the network takes, as base64. */
const maxText = 100_000;

/** Deeper messages are not taken by the network. */
const maxDepth = 512;

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; refuses anything else, also objects that have a member none of `names`. */
export function fields(value: unknown, what: string, names?: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badRequest(`${what} is not an object`);
  const unknown = names && Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw badRequest(`${what} has an unknown member ${quoted(unknown)}`);
  return value as Fields;
}

/** The value as a list of 1 to `most` members. */
export function list(value: unknown, what: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > most)
    throw badRequest(`${what} is not a list of 1 to ${most}`);
  return value;
}

/** The value as a text of at most `most` characters. */
export function text(value: unknown, what: string, most = maxText): string {
  if (typeof value !== "string" || value.length > most)
    throw badRequest(`${what} is not a text of at most ${most} characters`);
  return value;
}

/** The value as an amount: decimal digits. */
export function amount(value: unknown, what: string, bits: number): bigint {
  const digits = text(value, what, 80);
  const parsed = /^\d+$/.test(digits) ? BigInt(digits) : undefined;
  if (parsed === undefined || parsed >> BigInt(bits) !== 0n)
    throw badRequest(`${what} is not an amount in decimal digits, below 2^${bits}`);
  return parsed;
}

/** The value as bytes, in base64. */
export function bytes(value: unknown, what: string): Uint8Array {
  const found = base64ToBytes(text(value, what));
  if (!found) throw badRequest(`${what} is not base64`);
  return found;
}

/** The value as the only root of a bag of cells, in base64. */
export function cell(value: unknown, what: string): Cell {
  const bag = Buffer.from(bytes(value, what));
  const [root, ...others] = cells(bag);
  if (!root || others.length > 0) throw badRequest(`${what} is not a bag of cells with one root, in base64`);
  if (root.depth() > maxDepth) throw badRequest(`${what} is deeper than ${maxDepth} cells`);
  return root;
}

function cells(bag: Buffer): readonly Cell[] {
  try {
    return Cell.fromBoc(bag);
  } catch {
    // Not a bag of cells: the caller refuses it.
    return [];
  }
}

/** The value of a JSON text. */
export function json(value: unknown, what: string): unknown {
  const read = ifJson(text(value, what, 10 * maxText));
  if (read === undefined) throw badRequest(`${what} is not JSON`);
  return read;
}

/** A part of a request, short enough for an error's text. */
export function quoted(value: unknown): string {
  const shown = JSON.stringify(String(value));
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
