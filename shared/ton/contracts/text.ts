/** The text of bytes in UTF-8; `undefined` if they are none. */
export function utf8Text(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8.
    return undefined;
  }
}
