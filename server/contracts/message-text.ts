import type { Cell } from "../../shared/ton/cells/cell.js";
import type { Slice } from "../../shared/ton/cells/slice.js";
import { readSnake } from "../../shared/ton/cells/snake.js";
import { ifReadable } from "../../shared/ton/tlb/readable.js";
import { utf8Text } from "../../shared/values/utf8.js";

export const encryptedText = 0x2167da4b;

/** Text of a message or payload; an encrypted one is in base64. */
export type Text = { readonly text: string | undefined; readonly isEncrypted: boolean };

/** A message by the first 32 bits of its body and the body, if known. */
type Message = { readonly opcode: number | undefined; readonly body: Cell | undefined };

/** The text of a transfer of TON. */
export function textOf({ opcode, body }: Message): Text {
  const isEncrypted = opcode === encryptedText;
  if (body === undefined || (opcode !== 0 && !isEncrypted)) return { text: undefined, isEncrypted };
  if (body.exotic || body.refCount > 1) return { text: undefined, isEncrypted };
  return { text: readText(body.parse().skip(32), isEncrypted), isEncrypted };
}

/** Text behind its opcode, of at least a byte; undefined if it is not of whole bytes. */
function readText(from: Slice, isEncrypted: boolean): string | undefined {
  if (from.remainingBits < 8 || from.remainingBits % 8 !== 0) return undefined;
  return readSnakeText(from, isEncrypted);
}

/** Like `readText`, but also accepts an empty text. */
export function readSnakeText(from: Slice, isEncrypted: boolean): string | undefined {
  return ifReadable(() => {
    const bytes = readSnake(from);
    if (bytes === undefined) return undefined;
    return isEncrypted ? Buffer.from(bytes).toString("base64") : decodeText(bytes);
  });
}

/** Bytes that are not UTF-8 become `\xNN`; zero bytes are dropped. */
function decodeText(bytes: Uint8Array): string {
  return decodeEscaped(bytes).replaceAll("\0", "");
}

function decodeEscaped(bytes: Uint8Array): string {
  const whole = utf8Text(bytes);
  if (whole !== undefined) return whole;
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const length = characterLength(bytes, i);
    text +=
      length > 0 ? utf8Text(bytes.subarray(i, i + length)) : `\\x${bytes[i]!.toString(16).padStart(2, "0")}`;
    i += Math.max(length, 1);
  }
  return text;
}

/** Bytes of the character that begins here; 0 if none does. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] ?? 0;
  // Overlong forms, surrogates, and code points above U+10FFFF.
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  return length;
}
