import { bytesToHex } from "../../shared/values/bytes.js";

/** A value of a statement as it is sent: as text, or as bytes. */
export function parameterOf(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length);
  if (Array.isArray(value)) return listText(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function listText(values: readonly unknown[]): string {
  let text = "{";
  for (const value of values) {
    if (text.length > 1) text += ",";
    text += entryText(value);
  }
  return `${text}}`;
}

function entryText(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (value instanceof Uint8Array) return `\\\\x${bytesToHex(value)}`;
  if (Array.isArray(value)) return listText(value);
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
