import { type Json, JsonBytes, SingleUseJson } from "../../../shared/methods/json-text.js";

/**
 * A JSON text between two others, without its last characters. Long texts stay the bytes that they are: as a string, each would
 * be decoded, copied and encoded again. The text's memory is given back.
 */
export function enclosed(before: string, json: Json, after: string, without = 0): string | JsonBytes {
  if (typeof json === "string") return before + (without > 0 ? json.slice(0, -without) : json) + after;
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  const joined = (bytes: Uint8Array) =>
    new JsonBytes(Buffer.concat([head, bytes.subarray(0, bytes.length - without), tail]));
  if (!(json instanceof SingleUseJson)) return joined(json.bytes);
  let giveBack = () => {};
  const copy = json.writeTo({
    write: joined,
    onceWritten: (notify) => {
      giveBack = notify;
    },
  });
  giveBack();
  return copy;
}
