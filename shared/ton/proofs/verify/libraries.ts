import { bytesEqual, bytesToHex, compareBytes } from "../../../values/bytes.js";
import { itemAt } from "../../../values/lookups.js";
import { parseBocRoot } from "../../cells/boc/boc.js";
import type { LibraryEntry, LibraryResult, LibraryResultWithProof, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { ShardStateUnsplit } from "../../tlb/shard-state.js";
import { openSome } from "../make/libraries.js";
import { noBytes } from "../make/prove.js";
import { check, checkSameBlock } from "./proof-error.js";
import { stateTree } from "./proof-trees.js";
import type { Proving } from "./proven-chain.js";

/** Servers look up this many libraries per call. */
const maxLibraries = 16;

type LibrariesQuery = { id: BlockIdExt; libraryList: Uint8Array[]; publishers?: boolean; noData?: boolean };

/** Verifies that the answer has exactly the existing ones of the requested libraries, each with its code. */
export function verifyLibraries(request: LibrariesQuery, answer: LibraryResultWithProof): void {
  checkSameBlock(answer.id, request.id);
  const root = stateTree(request.id, parseBocRoot(answer.stateProof), parseBocRoot(answer.dataProof));
  const { libraries } = decode(ShardStateUnsplit, root).totals.value;
  const expected = distinct(request.libraryList.slice(0, maxLibraries)).filter((hash) => {
    const description = libraries.get(hash);
    if (request.publishers && description?.publishers.root) openSome(description.publishers.root);
    return description !== undefined;
  });
  check(answer.result.length === expected.length, "there are more or fewer libraries than proven");
  for (const hash of expected) {
    const entry = answer.result.find((each) => bytesEqual(each.hash, hash));
    check(entry !== undefined, `library ${bytesToHex(hash)} is missing`);
    if (!request.noData) checkCode(entry);
  }
}

function distinct(hashes: readonly Uint8Array[]): Uint8Array[] {
  return [...hashes]
    .sort(compareBytes)
    .filter((hash, i, all) => i === 0 || !bytesEqual(hash, itemAt(all, i - 1)));
}

/** Some servers wrap a library in an empty cell, as its only reference. */
function checkCode({ hash, data }: LibraryEntry): void {
  const root = parseBocRoot(data);
  const isWrapped = root.bits === 0 && root.refCount === 1 && !root.exotic;
  const code = isWrapped && !bytesEqual(root.hash(), hash) ? root.ref(0) : root;
  check(bytesEqual(code.hash(), hash), "wrong code of a library");
}

export async function getLibrariesWithProof(
  { lite }: Proving,
  request: LibrariesQuery,
  call: LiteCall,
): Promise<LibraryResultWithProof> {
  const answer = await lite.getLibrariesWithProof(request, call);
  verifyLibraries(request, answer);
  if (!request.noData) return answer;
  return { ...answer, result: answer.result.map(({ hash }) => ({ hash, data: noBytes() })) };
}

/** Reads the libraries at the newest proven block, as this function has no proof of its own. */
export async function getLibraries(
  proving: Proving,
  { libraryList }: { libraryList: Uint8Array[] },
  call: LiteCall,
): Promise<LibraryResult> {
  const { last: id } = await proving.trust.newest(proving.lite, call);
  const { result } = await getLibrariesWithProof(proving, { id, libraryList }, call);
  return { result };
}
