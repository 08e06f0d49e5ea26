/** A value of a statement in the text form of PostgreSQL; bytes as they are. Objects are JSON. */
export function parameterOf(value: unknown): string | Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return arrayText(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A list in the text form of PostgreSQL's arrays. */
export function arrayText(list: readonly unknown[]): string {
  return `{${list.map(elementText).join(",")}}`;
}

function elementText(element: unknown): string {
  if (Array.isArray(element)) return arrayText(element);
  const value = parameterOf(element);
  if (value === null) return "NULL";
  const text = typeof value === "string" ? value : `\\x${hexOf(value)}`;
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}
