import { RpcError } from "../errors.js";

/**
 * Reads the text of an answer; throws `answer-too-large` above `maxBytes`. With `onLine`, complete lines are passed
 * to it as they arrive, and only the text after the last line break is returned.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  onLine?: (line: string) => void,
): Promise<string> {
  const reader = response.body?.getReader();
  // Platforms without readable streams do not stream answers either.
  if (!reader) return response.text();
  const parts: Uint8Array[] = [];
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return textOf(parts);
    bytes += value.length;
    if (bytes > maxBytes) {
      // The answer is abandoned, whether or not its stream can be cancelled.
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

/** Concatenates before decoding, which is several times faster than decoding each part. */
function textOf(parts: readonly Uint8Array[]): string {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(all);
}

/** The error of an answer above the size limit. */
export function answerTooLarge(maxBytes: number): RpcError {
  return new RpcError("answer-too-large", `answer above ${maxBytes} bytes`);
}
