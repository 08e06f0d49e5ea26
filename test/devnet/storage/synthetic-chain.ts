import { createHash } from "node:crypto";
import type { BlockPair, CollatedBlock, ZeroState } from "../../../server/devnet/collate/block/block-pair.js";
import type { Genesis } from "../../../server/devnet/genesis/genesis.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { bigUintKey, Dictionary } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { createMerkleUpdate } from "../../../shared/ton/cells/merkle/merkle-update.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { uint } from "../../../shared/ton/tlb/primitives.js";
import { Address } from "../../../shared/values/address.js";

type Numbers = Dictionary<bigint, number>;

const entries = 200;

/** Cells with the structure of blocks and states that storage uses, including real state updates. */
export class SyntheticChain {
  readonly genesis: Genesis;
  #states: { masterchain: Numbers; basechain: Numbers };
  #seqno = 0;

  constructor(seed = "synthetic") {
    const numbers = (first: number) =>
      Dictionary.empty(bigUintKey(64), uint(48)).update(
        Array.from({ length: entries }, (_, index): [bigint, number] => [
          BigInt(index * 7919),
          first + index,
        ]),
      );
    this.#states = { masterchain: numbers(1), basechain: numbers(1_000_000 + seed.length) };
    this.genesis = {
      seed,
      globalId: -1,
      validators: { seed, count: 1 },
      masterchain: zeroState(masterchain, this.#states.masterchain),
      basechain: zeroState(0, this.#states.basechain),
    };
  }

  /** The next step. Different `note`s make different chains. */
  step(note = 0, finished: BlockPair["finished"] = []): BlockPair {
    this.#seqno++;
    const { masterchain: before, basechain: beforeBase } = this.#states;
    const change = (numbers: Numbers) =>
      numbers.set(BigInt((this.#seqno % entries) * 7919), this.#seqno + note);
    this.#states = { masterchain: change(before), basechain: change(beforeBase) };
    return {
      masterchain: this.#block(masterchain, before, this.#states.masterchain),
      basechain: this.#block(0, beforeBase, this.#states.basechain),
      keyBlock: this.#seqno % 10 === 0,
      signatures: {
        validatorListHashShort: 0xfedcba98,
        catchainSeqno: this.#seqno,
        signatures: [{ nodeIdShort: hashOf("node"), signature: new Uint8Array(64).fill(this.#seqno & 0xff) }],
      },
      edited: this.#seqno % 3 === 0 ? [new Address(-1, hashOf(`edited ${this.#seqno}`))] : [],
      finished,
    };
  }

  /** Continues from an earlier step, like a chain after a revert. */
  continueFrom(seqno: number, states: { masterchain: Cell; basechain: Cell }): void {
    this.#seqno = seqno;
    const load = (root: Cell) => Dictionary.loadDirect(root, bigUintKey(64), uint(48));
    this.#states = { masterchain: load(states.masterchain), basechain: load(states.basechain) };
  }

  #block(workchain: number, before: Numbers, after: Numbers): CollatedBlock {
    const root = beginCell()
      .storeUint(this.#seqno, 32)
      .storeRef(beginCell().storeInt(workchain, 8).endCell())
      .storeRef(Cell.empty)
      .storeRef(createMerkleUpdate(before.root!, after.root!))
      .storeRef(Cell.empty)
      .endCell();
    const boc = serializeBoc(root);
    return {
      id: { workchain, shard: wholeShard, seqno: this.#seqno, rootHash: root.hash(), fileHash: sha256(boc) },
      boc,
      root,
      state: after.root!,
      genUtime: 1_700_000_000 + 2 * this.#seqno,
      startLt: BigInt(this.#seqno) * 1_000_000n,
      endLt: BigInt(this.#seqno) * 1_000_000n + 5n,
      transactionCount: this.#seqno % 7,
    };
  }
}

function zeroState(workchain: number, numbers: Numbers): ZeroState {
  const state = numbers.root!;
  const boc = serializeBoc(state);
  return {
    id: { workchain, shard: wholeShard, seqno: 0, rootHash: state.hash(), fileHash: sha256(boc) },
    boc,
    state,
  };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(bytes).digest());
}

function hashOf(text: string): Uint8Array {
  return sha256(new TextEncoder().encode(text));
}
