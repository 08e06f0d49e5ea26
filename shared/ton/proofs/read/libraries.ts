import { bytesEqual, bytesToHex, compareBytes } from "../../../values/bytes.js";
import { parseBocRoot } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import type { LibraryEntry, LibraryResult, LiteApi, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";

/** Liteservers look up this many libraries per call. */
const maxLibraries = 16;

/** A public library cell; library cells in code refer to it by hash. `boc` is the BOC that the liteserver sent. */
export type Library = { hash: Uint8Array; cell: Cell; boc: Uint8Array };

/** Returns the requested libraries that exist at the newest block, distinct and ascending by hash. */
export function readLibraries(
  lite: Pick<LiteApi, "getLibraries">,
  hashes: readonly Uint8Array[],
  call?: LiteCall,
): Promise<Library[]> {
  return collect(hashes, (libraryList) => lite.getLibraries({ libraryList }, call));
}

/** The same as of a masterchain block. */
export function readLibrariesAt(
  lite: Pick<LiteApi, "getLibrariesWithProof">,
  id: BlockIdExt,
  hashes: readonly Uint8Array[],
  call?: LiteCall,
): Promise<Library[]> {
  return collect(hashes, (libraryList) => lite.getLibrariesWithProof({ id, libraryList }, call));
}

async function collect(
  hashes: readonly Uint8Array[],
  ask: (libraryList: Uint8Array[]) => Promise<LibraryResult>,
): Promise<Library[]> {
  const distinct = [...new Map(hashes.map((hash) => [bytesToHex(hash), hash])).values()];
  const found: Library[] = [];
  for (let at = 0; at < distinct.length; at += maxLibraries)
    found.push(...(await ask(distinct.slice(at, at + maxLibraries))).result.map(libraryOf));
  return found.sort((a, b) => compareBytes(a.hash, b.hash));
}

/** Some servers wrap a library in an empty cell, as its only reference. */
function libraryOf({ hash, data }: LibraryEntry): Library {
  const root = parseBocRoot(data);
  const cell = [root, ...root.refs].find((candidate) => bytesEqual(candidate.hash(), hash));
  if (!cell) throw new TypeError(`a liteserver sent another cell than library ${bytesToHex(hash)}`);
  return { hash, cell, boc: data };
}
