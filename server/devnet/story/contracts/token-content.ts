import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { bytesKey, Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import { sha256 } from "../../../../shared/ton/cells/sha256.js";
import { cellRef } from "../../../../shared/ton/tlb/primitives.js";
import { snake } from "../../contracts/snake.js";

// Token metadata (TEP-64).

/** On-chain metadata, keyed by the hashes of the field names: `onchain#00 data:(HashmapE 256 ^ContentData)`. */
export function onchainContent(fields: Readonly<Record<string, string>>): Cell {
  const entries = Object.entries(fields).map(([name, text]): [Uint8Array, Cell] => {
    const key = sha256(name);
    // snake#00 data:(SnakeData ~n) = ContentData
    return [new Uint8Array(key), snake(text, beginCell().storeUint(0, 8))];
  });
  const content = beginCell().storeUint(0, 8);
  Dictionary.empty(bytesKey(32), cellRef).update(entries).store(content);
  return content.endCell();
}

/** Off-chain metadata: `offchain#01 uri:(SnakeData ~n)`. */
export function offchainContent(uri: string): Cell {
  return snake(uri, beginCell().storeUint(1, 8));
}
