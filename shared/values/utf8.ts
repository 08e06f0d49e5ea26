// Available in browsers and Node; declared here because shared/ compiles without DOM and Node types.
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes in UTF-8; `undefined` if they are none. */
export function utf8Text(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes) return undefined;
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
