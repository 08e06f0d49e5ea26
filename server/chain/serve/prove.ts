import { serializeBoc } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { recordProof } from "../../cells/proof.js";

/** What came of reading a tree, and the proof that it says so: the tree with all cells pruned that were not opened. */
export type Proven<T> = { value: T; proof: Cell; readonly boc: Uint8Array };

/** Lets `read` go through the tree and proves what it saw. */
export function prove<T>(root: Cell, read: (root: Cell) => T): Proven<T> {
  const { value, proof } = recordProof(root, read);
  return {
    value,
    proof,
    get boc() {
      return answerBoc(proof);
    },
  };
}

/** Cells as liteservers send them: without checksum, since the transport has its own; no cells are no bytes. */
export function answerBoc(roots: Cell | readonly Cell[]): Uint8Array {
  if (Array.isArray(roots) && roots.length === 0) return noBytes();
  return serializeBoc(roots, { crc32: false });
}

/** What is read of a tree, with the proof of it if that is wanted. */
export function readTree<T>(
  root: Cell,
  wantProof: boolean | undefined,
  read: (root: Cell) => T,
): { value: T; proof: Uint8Array } {
  if (!wantProof) return { value: read(root), proof: noBytes() };
  const { value, boc } = prove(root, read);
  return { value, proof: boc };
}

/** For what is absent or was not asked for; a new one each time, since answers belong to whoever asked. */
export function noBytes(): Uint8Array {
  return new Uint8Array(0);
}
