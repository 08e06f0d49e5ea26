import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type {
  BlockSearch,
  ServedBlock,
  ServedChain,
  ServedSignatures,
} from "../../../../shared/ton/proofs/make/served-chain.js";
import { topBlock } from "../../../../shared/ton/proofs/make/shard-hashes.js";
import {
  type BlockIdExt,
  formatBlockIdExt,
  masterchain,
  shardContainsPrefix,
  wholeShard,
  type ZeroStateIdExt,
} from "../../../../shared/ton/tlb/block-id.js";
import { BlockProof } from "../../../../shared/ton/tlb/block-proof.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { registeredShards } from "../../../../shared/ton/tlb/shard-hashes.js";
import { RecordedBlock } from "./recorded-block.js";
import type { RecordedFolder } from "./recorded-folder.js";
import { RecordedStates } from "./recorded-states.js";

/**
 * Recorded blocks as a chain that does not grow. Archive packages form the chain, each folder continuing the previous one.
 * Single blocks are found by id and seqno only; without packages they form the chain.
 */
export class RecordedChain implements ServedChain {
  readonly zeroState: ZeroStateIdExt;
  readonly last: BlockIdExt;
  readonly #blocks = new Map<string, RecordedBlock>();
  /** By workchain, ordered by seqno. */
  readonly #chain = new Map<number, RecordedBlock[]>();
  readonly #single: RecordedBlock[] = [];
  readonly #proofs = new Map<number, () => Uint8Array>();
  readonly #states: RecordedStates;
  readonly #masterchainRefs = new Map<RecordedBlock, number>();

  constructor(folders: readonly RecordedFolder[]) {
    const network = folders.find((folder) => folder.network)?.network;
    const hasPackages = folders.some(({ archived }) => archived.length > 0);
    for (const { archived, blocks, proofs } of folders) {
      for (const { kind, id, data } of archived) {
        if (kind === "block") this.#add(id, () => data, true);
        else if (kind === "proof") this.#proofs.set(id.seqno, () => data);
      }
      for (const { id, read } of ofNetwork(blocks, network)) this.#add(id, read, !hasPackages);
      for (const { id, read } of ofNetwork(proofs, network))
        if (id.workchain === masterchain && !this.#proofs.has(id.seqno)) this.#proofs.set(id.seqno, read);
    }
    const states = folders.flatMap((folder) => ofNetwork(folder.states, network));
    this.#states = new RecordedStates(states, (id) => this.#blocks.get(formatBlockIdExt(id)));
    for (const blocks of this.#chain.values()) blocks.sort((a, b) => a.id.seqno - b.id.seqno);
    const zero = states.find(({ id }) => id.seqno === 0 && id.workchain === masterchain)?.id;
    const last = this.top(masterchain, wholeShard) ?? zero;
    if (!last) throw new TypeError("the record has no masterchain block");
    this.last = last;
    const { rootHash, fileHash } = zero ?? unknownState;
    this.zeroState = { workchain: masterchain, rootHash, fileHash };
    for (const block of this.#chain.get(masterchain) ?? []) this.#register(block);
  }

  top(workchain: number, prefix: bigint): BlockIdExt | undefined {
    return this.#path(workchain, prefix).at(-1)?.id;
  }

  async block(id: BlockIdExt): Promise<ServedBlock | undefined> {
    const block = this.#blocks.get(formatBlockIdExt(id));
    return block && { id: block.id, boc: block.boc, root: block.root };
  }

  async state(id: BlockIdExt): Promise<Cell | undefined> {
    return this.#states.after(id);
  }

  async zeroStateBoc(id: BlockIdExt): Promise<Uint8Array | undefined> {
    return this.#states.zeroState(id)?.read();
  }

  /** Times are searched in the chain only: single blocks have no predecessor to compare with. */
  async find(workchain: number, prefix: bigint, by: BlockSearch): Promise<BlockIdExt | undefined> {
    const path = this.#path(workchain, prefix);
    if ("lt" in by) return path.find(({ info }) => info.endLt >= by.lt)?.id;
    if ("utime" in by) return path.find(({ info }) => info.genUtime >= by.utime)?.id;
    const isWanted = ({ id }: RecordedBlock) => id.seqno === by.seqno && covers(id, workchain, prefix);
    return (path.find(isWanted) ?? this.#single.find(isWanted))?.id;
  }

  async masterchainRef(id: BlockIdExt): Promise<number | undefined> {
    const block = this.#blocks.get(formatBlockIdExt(id));
    return block && this.#masterchainRefs.get(block);
  }

  async signatures(mcSeqno: number): Promise<ServedSignatures | undefined> {
    const proof = this.#proofs.get(mcSeqno);
    const signed = proof && decode(BlockProof, parseBocRoot(proof())).signatures?.value;
    if (signed?.kind !== "ordinary") return undefined;
    return {
      validatorListHashShort: signed.validatorListHashShort,
      catchainSeqno: signed.catchainSeqno,
      signatures: Array.from(signed.signatures.values(), ({ nodeIdShort, sign }) => {
        if (sign.kind !== "simple") throw new TypeError("a block is signed with a temporary key");
        return { nodeIdShort, signature: sign.signature };
      }),
    };
  }

  /** Read from the header, because the key block may not be recorded. */
  keyBlockAtOrBefore(mcSeqno: number): number {
    const info = this.#masterchainBlocks().findLast(({ id }) => id.seqno <= mcSeqno)?.info;
    if (!info) return 0;
    return info.keyBlock ? info.seqno : info.prevKeyBlockSeqno;
  }

  keyBlockAfter(mcSeqno: number): number | undefined {
    return this.#masterchainBlocks().find(({ id, info }) => id.seqno > mcSeqno && info.keyBlock)?.id.seqno;
  }

  onChange(): () => void {
    return () => {};
  }

  #add(id: BlockIdExt, read: () => Uint8Array, isOfChain: boolean): void {
    const key = formatBlockIdExt(id);
    if (this.#blocks.has(key)) return;
    const block = new RecordedBlock(id, read);
    this.#blocks.set(key, block);
    if (!isOfChain) {
      this.#single.push(block);
      return;
    }
    const chain = this.#chain.get(id.workchain) ?? [];
    chain.push(block);
    this.#chain.set(id.workchain, chain);
  }

  #masterchainBlocks(): RecordedBlock[] {
    return this.#chain.get(masterchain) ?? [];
  }

  /** The blocks of the shards that contain the prefix, oldest first. */
  #path(workchain: number, prefix: bigint): RecordedBlock[] {
    return (this.#chain.get(workchain) ?? []).filter(({ id }) => covers(id, workchain, prefix));
  }

  /** A masterchain block registers itself and the new blocks of its shards. */
  #register(block: RecordedBlock): void {
    const shards = block.value.extra.value.custom?.value.shardHashes;
    const pending = [block.id, ...(shards ? Array.from(registeredShards(shards), topBlock) : [])];
    for (let id = pending.pop(); id; id = pending.pop()) {
      const registered = this.#blocks.get(formatBlockIdExt(id));
      if (!registered || this.#masterchainRefs.has(registered)) continue;
      this.#masterchainRefs.set(registered, block.id.seqno);
      if (registered !== block) pending.push(...registered.previous);
    }
  }
}

const unknownState = { rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) };

function covers(id: BlockIdExt, workchain: number, prefix: bigint): boolean {
  return id.workchain === workchain && shardContainsPrefix(id.shard, prefix);
}

function ofNetwork<T extends { network: string | undefined }>(files: readonly T[], network?: string): T[] {
  return files.filter((file) => file.network === network);
}
