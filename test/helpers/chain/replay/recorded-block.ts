import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { previousBlockIds } from "../../../../shared/ton/proofs/make/shard-links.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import type { BlockIdExt } from "../../../../shared/ton/tlb/block-id.js";
import type { BlockInfo } from "../../../../shared/ton/tlb/block-info.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";

/** A recorded block; read and decoded on first access. */
export class RecordedBlock {
  readonly id: BlockIdExt;
  readonly #read: () => Uint8Array;
  #boc: Uint8Array | undefined;
  #block: { root: Cell; value: Block } | undefined;

  constructor(id: BlockIdExt, read: () => Uint8Array) {
    this.id = id;
    this.#read = read;
  }

  get boc(): Uint8Array {
    this.#boc ??= this.#read();
    return this.#boc;
  }

  get root(): Cell {
    return this.#decoded.root;
  }

  get value(): Block {
    return this.#decoded.value;
  }

  get info(): BlockInfo {
    return this.value.info.value;
  }

  get previous(): BlockIdExt[] {
    return previousBlockIds(this.id, this.info);
  }

  get #decoded() {
    if (!this.#block) {
      const root = parseBocRoot(this.boc, { verify: "later" });
      this.#block = { root, value: decode(Block, root) };
    }
    return this.#block;
  }
}
