import { bytesToHex } from "../../values/bytes.js";
import { BitString } from "./value.js";

/** Upper-case hex; a trailing `_` means that a one and zeros were added to fill the last digit. */
export function bitsText(bits: Uint8Array | BitString): string {
  if (bits instanceof Uint8Array) return bytesToHex(bits).toUpperCase();
  const digits = Math.ceil(bits.length / 4);
  if (digits === 0) return "";
  const missing = digits * 4 - bits.length;
  const filled = missing === 0 ? bits.value : ((bits.value << 1n) | 1n) << BigInt(missing - 1);
  const text = filled.toString(16).toUpperCase().padStart(digits, "0");
  return missing === 0 ? text : `${text}_`;
}

/** Reads that form, of up to 1,023 bits; `undefined` for any other text. */
export function bitsOfText(text: string): BitString | undefined {
  if (!/^([0-9a-f]{0,255}|[0-9a-f]{0,255}[1-9a-f]_)$/i.test(text)) return undefined;
  const isFilled = text.endsWith("_");
  const digits = isFilled ? text.slice(0, -1) : text;
  let value = digits === "" ? 0n : BigInt(`0x${digits}`);
  let length = digits.length * 4;
  if (isFilled) {
    while ((value & 1n) === 0n) {
      value >>= 1n;
      length--;
    }
    value >>= 1n;
    length--;
  }
  return length <= 1023 ? new BitString(value, length) : undefined;
}
