import { RpcError } from "../errors.js";

/**
 * The text of an answer, which may not be longer than `maxBytes`. With `onLine`, lines are handed over as they
 * come, and what follows the last line break is left.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  onLine?: (line: string) => void,
): Promise<string> {
  const reader = response.body?.getReader();
  // Platforms whose answers cannot be read in parts have no streamed ones either.
  if (!reader) return response.text();
  const parts: Uint8Array[] = [];
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return textOf(parts);
    bytes += value.length;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {});
      throw answerTooLarge(maxBytes);
    }
    const end = onLine ? value.lastIndexOf(lineBreak) : -1;
    if (end >= 0) {
      parts.push(value.subarray(0, end));
      textOf(parts.splice(0)).split("\n").forEach(onLine!);
    }
    parts.push(value.subarray(end + 1));
  }
}

const lineBreak = 10;

/** Put together first: decoding all at once is several times as fast as part by part. */
function textOf(parts: readonly Uint8Array[]): string {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(all);
}

export function answerTooLarge(maxBytes: number): RpcError {
  return new RpcError("answer-too-large", `the answer is longer than ${maxBytes} bytes`);
}
