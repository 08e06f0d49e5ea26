import type { Handlers } from "../../../shared/methods/define.js";
import type { utilMethods } from "../../../shared/methods/v3/utils.js";
import { opcodeName } from "../../../shared/ton/bodies/read.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { base64ToBytes, hexToBytes } from "../../../shared/values/bytes.js";
import { TimeSlice } from "../../chain/time-slice.js";
import { ServiceError } from "../../errors.js";
import { presentBody, presentSignedRequest } from "../../present/v3/body.js";

export const utilHandlers: Handlers<typeof utilMethods> = {
  decode: async ({ opcodes, bodies }, _deps, { signal }) => {
    const names = opcodes.map((text, index) => opcodeName(readOpcode(text, index)) ?? "unknown");
    const timeSlice = new TimeSlice();
    const decoded: Record<string, unknown>[] = [];
    for (const text of bodies) {
      await timeSlice.yieldIfDue();
      signal.throwIfAborted();
      decoded.push(decodeText(text));
    }
    return { opcodes: names, bodies: decoded };
  },
};

/** Parsed as hex if possible, otherwise as a signed or unsigned decimal of 32 bits. */
function readOpcode(input: string, index: number): number {
  const text = input.replace(/^0x/i, "");
  if (/^[0-9a-f]+$/i.test(text) && text.replace(/^0+(?=.)/, "").length <= 8) return Number.parseInt(text, 16);
  const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= -(2 ** 31) && value < 2 ** 32) return value >>> 0;
  throw new ServiceError("invalid-params", `invalid opcode format at index ${index}: ${text}`, {
    data: { param: "opcodes" },
  });
}

function decodeText(text: string): Record<string, unknown> {
  const isBase64 = text.startsWith("te6");
  const bytes = isBase64 ? base64ToBytes(text) : hexToBytes(text);
  if (!bytes) return { error: `unknown: failed to decode ${isBase64 ? "base64" : "hex"}: invalid character` };
  try {
    return decodeCell(parseBocRoot(bytes));
  } catch (error) {
    if (error instanceof CellError) return { error: `unknown: failed to deserialize boc: ${error.message}` };
    throw error;
  }
}

function decodeCell(body: Cell): Record<string, unknown> {
  const decoded = presentBody(body) ?? presentSignedRequest(body);
  if (decoded) return decoded;
  return {
    error: `unknown: ${body.bits < 32 ? `boc is too small, size ${body.bits}` : "no parser succeeded"}`,
  };
}
