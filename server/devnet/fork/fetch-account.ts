import type { Cell } from "../../../shared/ton/cells/cell.js";
import { libraryHashes } from "../../../shared/ton/run/code-libraries.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { StateInit } from "../../../shared/ton/tlb/state-init.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { ForkOrigin } from "./origin.js";

/** Libraries of the origin, and the hashes, in hex, of those that it does not have. */
type FetchedLibraries = { found: Cell[]; missing: string[] };

/** Hashes of libraries, by hash in hex. */
export type References = ReadonlyMap<string, Uint8Array>;

/** Hashes of the libraries that cells refer to. */
export function referencesOf(cells: readonly Cell[]): Map<string, Uint8Array> {
  return new Map(cells.flatMap(libraryHashes).map((hash) => [bytesToHex(hash), hash]));
}

/** The contract of an account; undefined if it has none. */
function initOf(account: ShardAccount | undefined): StateInit | undefined {
  const state = account?.account.value?.storage.state;
  return state?.kind === "active" ? state.init : undefined;
}

/** Code and data of an account. */
export function contractCells(account: ShardAccount | undefined): Cell[] {
  const { code, data } = initOf(account) ?? {};
  return [code, data].filter((cell) => cell !== undefined);
}

/** Fetches the libraries with these hashes, except those that are at hand. */
export async function fetchLibraries(
  origin: Pick<ForkOrigin, "libraries">,
  hashes: References,
  isAtHand: (hash: string) => boolean,
): Promise<FetchedLibraries> {
  const wanted = [...hashes].filter(([hash]) => !isAtHand(hash));
  if (wanted.length === 0) return { found: [], missing: [] };
  const found = await origin.libraries(wanted.map(([, hash]) => hash));
  const known = new Set(found.map((cell) => cell.hashHex()));
  return { found, missing: wanted.flatMap(([hash]) => (known.has(hash) ? [] : [hash])) };
}
