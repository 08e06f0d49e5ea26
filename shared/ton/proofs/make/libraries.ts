import { compareBytes } from "../../../values/bytes.js";
import { itemAt } from "../../../values/lookups.js";
import type { Cell } from "../../cells/cell.js";
import type { LibraryEntry, LibraryResult, LibraryResultWithProof } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { walk } from "./dictionary-walk.js";
import { loadMasterchain, loadState } from "./load.js";
import { openState } from "./open-block.js";
import { answerBoc, noBytes, prove } from "./prove.js";
import type { ServedChain } from "./served-chain.js";
import { proveStateHash } from "./state-proofs.js";

const maxLibraries = 16;
const maxPublishers = 16;

export async function getLibraries(
  chain: ServedChain,
  { libraryList }: { libraryList: Uint8Array[] },
): Promise<LibraryResult> {
  const found = findLibraries(await loadState(chain, chain.last), libraryList, false);
  return { result: found.map((code) => entryOf(code, true)) };
}

export async function getLibrariesWithProof(
  chain: ServedChain,
  request: { id: BlockIdExt; libraryList: Uint8Array[]; publishers?: boolean; noData?: boolean },
): Promise<LibraryResultWithProof> {
  const { id, libraryList, publishers = false, noData = false } = request;
  const { root, state } = await loadMasterchain(chain, id);
  const { value, boc } = prove(state, (shown) => findLibraries(shown, libraryList, publishers));
  return {
    id,
    result: value.map((code) => entryOf(code, !noData)),
    stateProof: proveStateHash(root).boc,
    dataProof: boc,
  };
}

/** The libraries of the first 16 hashes, ascending and distinct; unknown ones are skipped. */
function findLibraries(state: Cell, hashes: readonly Uint8Array[], openPublishers: boolean): Cell[] {
  const { libraries } = openState(state).totals.value;
  const wanted = hashes.slice(0, maxLibraries).sort(compareBytes);
  const found: Cell[] = [];
  for (const [index, hash] of wanted.entries()) {
    if (index > 0 && compareBytes(hash, itemAt(wanted, index - 1)) === 0) continue;
    const description = libraries.get(hash);
    if (!description) continue;
    found.push(description.lib.physical);
    if (openPublishers && description.publishers.root) openSome(description.publishers.root);
  }
  return found;
}

/** Opens the first 16 publishers. */
export function openSome(publishers: Cell): void {
  let left = maxPublishers;
  for (const _ of walk(publishers, 256)) if (--left === 0) return;
}

function entryOf(code: Cell, withData: boolean): LibraryEntry {
  return { hash: code.hash(), data: withData ? answerBoc(code) : noBytes() };
}
