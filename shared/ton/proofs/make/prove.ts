import { serializeBoc } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import { recordProof } from "../../cells/merkle/proof.js";

/** The result of reading a tree and its Merkle proof: the tree with all unopened cells pruned. */
export type Proven<T> = { value: T; proof: Cell; readonly boc: Uint8Array };

/** Runs `read` on the tree and proves the cells that it opened. */
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

/** BOC as liteservers send it: without checksum, as the transport has one. Empty for no cells. */
export function answerBoc(roots: Cell | readonly Cell[]): Uint8Array {
  if (Array.isArray(roots) && roots.length === 0) return noBytes();
  return serializeBoc(roots, { crc32: false });
}

/** The result of `read`, with a proof if wanted. */
export function readTree<T>(
  root: Cell,
  wantProof: boolean | undefined,
  read: (root: Cell) => T,
): { value: T; proof: Uint8Array } {
  if (!wantProof) return { value: read(root), proof: noBytes() };
  const { value, boc } = prove(root, read);
  return { value, proof: boc };
}

/** Value of absent fields; a new array each time, as the caller owns the answer. */
export function noBytes(): Uint8Array {
  return new Uint8Array(0);
}
