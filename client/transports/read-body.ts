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
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; reader; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {});
      throw answerTooLarge(maxBytes);
    }
    const chunk = decoder.decode(value, { stream: true });
    text += chunk;
    if (!onLine || !chunk.includes("\n")) continue;
    const lines = text.split("\n");
    text = lines.pop()!;
    lines.forEach(onLine);
  }
  // Platforms whose answers cannot be read in parts have no streamed ones either.
  return response.text();
}

export function answerTooLarge(maxBytes: number): RpcError {
  return new RpcError("answer-too-large", `the answer is longer than ${maxBytes} bytes`);
}
