import { bytesEqual, bytesToHex, compareBytes } from "../../../values/bytes.js";
import { parseBocRoot } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import type { LibraryEntry, LiteApi, LiteCall } from "../../lite/lite-api.js";

/** Liteservers look up this many libraries per call. */
const maxLibraries = 16;

/** A public library cell; library cells in code refer to it by hash. `boc` is the BOC that the liteserver sent. */
export type Library = { hash: Uint8Array; cell: Cell; boc: Uint8Array };

/** Returns the requested libraries that exist, distinct and ascending by hash. */
export async function readLibraries(
  lite: Pick<LiteApi, "getLibraries">,
  hashes: readonly Uint8Array[],
  call?: LiteCall,
): Promise<Library[]> {
  const distinct = [...new Map(hashes.map((hash) => [bytesToHex(hash), hash])).values()];
  const found: Library[] = [];
  for (let at = 0; at < distinct.length; at += maxLibraries) {
    const { result } = await lite.getLibraries({ libraryList: distinct.slice(at, at + maxLibraries) }, call);
    found.push(...result.map(libraryOf));
  }
  return found.sort((a, b) => compareBytes(a.hash, b.hash));
}

/** Some servers wrap a library in an empty cell, as its only reference. */
function libraryOf({ hash, data }: LibraryEntry): Library {
  const root = parseBocRoot(data);
  const cell = [root, ...root.refs].find((candidate) => bytesEqual(candidate.hash(), hash));
  if (!cell) throw new TypeError(`a liteserver sent another cell than library ${bytesToHex(hash)}`);
  return { hash, cell, boc: data };
}
