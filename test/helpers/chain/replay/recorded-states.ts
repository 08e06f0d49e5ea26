import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { applyMerkleUpdate, updateHashes } from "../../../../shared/ton/cells/merkle/merkle-update.js";
import { type BlockIdExt, sameBlock } from "../../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import type { RecordedBlock } from "./recorded-block.js";
import type { RecordedFile } from "./recorded-folder.js";

type FindBlock = (id: BlockIdExt) => RecordedBlock | undefined;

/** States after recorded blocks, computed from a recorded whole state by the state updates of the blocks after it. */
export class RecordedStates {
  readonly #find: FindBlock;
  readonly #zeroStates: readonly RecordedFile[];
  /** Recorded whole states by root hash. */
  readonly #whole: ReadonlyMap<string, RecordedFile>;
  readonly #known = new Map<RecordedBlock, Cell>();
  readonly #parsed = new Map<RecordedFile, Cell>();

  constructor(files: readonly RecordedFile[], find: FindBlock) {
    this.#find = find;
    this.#zeroStates = files.filter(({ id }) => id.seqno === 0);
    this.#whole = new Map(files.map((file) => [bytesToHex(file.id.rootHash), file]));
  }

  zeroState(id: BlockIdExt): RecordedFile | undefined {
    return this.#zeroStates.find((file) => sameBlock(file.id, id));
  }

  /** Undefined if the state is not recorded, nor an earlier one with all blocks since. */
  after(id: BlockIdExt): Cell | undefined {
    if (id.seqno === 0) return this.#parse(this.zeroState(id));
    const block = this.#find(id);
    return block && this.#afterBlock(block);
  }

  #afterBlock(last: RecordedBlock): Cell | undefined {
    const updates: RecordedBlock[] = [];
    let state = this.#knownAfter(last);
    for (let block = last; !state; ) {
      updates.push(block);
      const before = this.#blockBefore(block);
      state = before ? this.#knownAfter(before) : this.#stateBefore(block);
      if (!before) break;
      block = before;
    }
    if (!state) return undefined;
    for (const block of updates.reverse()) {
      state = applyMerkleUpdate(block.value.stateUpdate, state);
      this.#known.set(block, state);
    }
    return state;
  }

  /** Undefined after a merge, and before the first recorded block. */
  #blockBefore({ previous: [first, second] }: RecordedBlock): RecordedBlock | undefined {
    return second ? undefined : this.#find(first!);
  }

  /** After a merge: `split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit`. */
  #stateBefore({ previous }: RecordedBlock): Cell | undefined {
    const [left, right] = previous.map((id) => this.after(id));
    if (previous.length === 1) return left;
    return left && right && beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).endCell();
  }

  #knownAfter(block: RecordedBlock): Cell | undefined {
    return this.#known.get(block) ?? this.#recorded(block);
  }

  #recorded(block: RecordedBlock): Cell | undefined {
    if (this.#whole.size === 0) return undefined;
    return this.#parse(this.#whole.get(bytesToHex(updateHashes(block.value.stateUpdate).to)));
  }

  #parse(file: RecordedFile | undefined): Cell | undefined {
    if (!file) return undefined;
    const parsed = this.#parsed.get(file) ?? parseBocRoot(file.read());
    this.#parsed.set(file, parsed);
    return parsed;
  }
}
