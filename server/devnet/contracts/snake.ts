import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";

/** Text in snake format: appends UTF-8 to the builder as far as it fits, the rest goes into a chain of references. */
export function snake(text: string, builder: Builder = beginCell()): Cell {
  return storeTail(builder, new TextEncoder().encode(text));
}

function storeTail(builder: Builder, bytes: Uint8Array): Cell {
  const space = Math.floor((1023 - builder.bits) / 8);
  builder.storeBytes(bytes.subarray(0, space));
  if (bytes.length > space) builder.storeRef(storeTail(beginCell(), bytes.subarray(space)));
  return builder.endCell();
}
