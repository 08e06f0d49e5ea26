import { parseBocRoot } from "../../server/cells/boc.js";
import type { Cell } from "../../server/cells/cell.js";
import { applyMerkleUpdate } from "../../server/cells/merkle-update.js";
import {
  type BlockIdExt,
  formatBlockId,
  masterchain,
  sameBlock,
  shardContainsPrefix,
  wholeShard,
  type ZeroStateIdExt,
} from "../../server/chain/block-id.js";
import type {
  BlockSearch,
  ServedBlock,
  ServedChain,
  ServedSignatures,
} from "../../server/chain/lite/served-chain.js";
import { Block } from "../../server/chain/tlb/block.js";
import type { BlockInfo } from "../../server/chain/tlb/block-info.js";
import { BlockProof } from "../../server/chain/tlb/block-proof.js";
import { decode } from "../../server/chain/tlb/codec.js";
import { registeredShards } from "../../server/chain/tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../../server/chain/tlb/shard-state.js";
import { hexToBytes } from "../../shared/values/bytes.js";
import { type ArchiveEntry, readArchive } from "./archive.js";
import type { ChainData } from "./test-data.js";

type Replayed = ServedBlock & { info: BlockInfo; state: Cell; masterchainRef: number | undefined };

/** The first blocks of mainnet, split shards included, with all their states. */
export class ReplayedChain implements ServedChain {
  readonly zeroState: ZeroStateIdExt;
  last: BlockIdExt;
  readonly #blocks = new Map<string, Replayed>();
  readonly #zero = new Map<number, { id: BlockIdExt; boc: Uint8Array; state: Cell }>();
  readonly #signatures = new Map<number, ServedSignatures>();

  constructor(data: ChainData) {
    for (const entry of data.where({ kind: "shard_state", network: "mainnet", seqno: 0 })) {
      const boc = entry.read();
      const state = parseBocRoot(boc);
      const fileHash = hexToBytes(entry.raw["sha256"] as string)!;
      const workchain = entry.workchain!;
      const id = { workchain, shard: wholeShard, seqno: 0, rootHash: state.hash(), fileHash };
      this.#zero.set(workchain, { id, boc, state });
    }
    const zero = this.#zero.get(masterchain)!.id;
    this.zeroState = { workchain: masterchain, rootHash: zero.rootHash, fileHash: zero.fileHash };
    this.last = zero;
    const entries = data.where({ kind: "archive_pack" }).flatMap((entry) => readArchive(entry.read()));
    for (const entry of entries.filter(({ kind }) => kind === "block").sort((a, b) => a.seqno - b.seqno))
      this.#addBlock(entry);
    for (const entry of entries) if (entry.kind === "proof") this.#addSignatures(entry);
    this.#registerShards();
  }

  top(workchain: number, prefix: bigint): BlockIdExt | undefined {
    return this.#path(workchain, prefix).at(-1)?.id;
  }

  async block(id: BlockIdExt): Promise<Replayed | undefined> {
    const block = this.#blocks.get(formatBlockId(id));
    return block && sameBlock(block.id, id) ? block : undefined;
  }

  async state(id: BlockIdExt): Promise<Cell | undefined> {
    if (id.seqno === 0) return this.#zeroOf(id)?.state;
    return (await this.block(id))?.state;
  }

  async zeroStateBoc(id: BlockIdExt): Promise<Uint8Array | undefined> {
    return this.#zeroOf(id)?.boc;
  }

  async find(workchain: number, prefix: bigint, by: BlockSearch): Promise<BlockIdExt | undefined> {
    return this.#path(workchain, prefix).find(({ id, info }) => {
      if ("seqno" in by) return id.seqno === by.seqno;
      return "lt" in by ? info.endLt >= by.lt : info.genUtime >= by.utime;
    })?.id;
  }

  async masterchainRef(id: BlockIdExt): Promise<number | undefined> {
    return (await this.block(id))?.masterchainRef;
  }

  async signatures(mcSeqno: number): Promise<ServedSignatures | undefined> {
    return this.#signatures.get(mcSeqno);
  }

  keyBlockAtOrBefore(mcSeqno: number): number {
    return this.#keyBlocks().findLast((seqno) => seqno <= mcSeqno) ?? 0;
  }

  keyBlockAfter(mcSeqno: number): number | undefined {
    return this.#keyBlocks().find((seqno) => seqno > mcSeqno);
  }

  onChange(): () => void {
    return () => {};
  }

  #keyBlocks(): number[] {
    return this.#path(masterchain, wholeShard).flatMap(({ id, info }) => (info.keyBlock ? [id.seqno] : []));
  }

  /** The blocks of the shards that have the prefix, oldest first. */
  #path(workchain: number, prefix: bigint): Replayed[] {
    return [...this.#blocks.values()].filter(
      ({ id }) => id.workchain === workchain && shardContainsPrefix(id.shard, prefix),
    );
  }

  #zeroOf(id: BlockIdExt) {
    const zero = this.#zero.get(id.workchain);
    return zero && sameBlock(zero.id, id) ? zero : undefined;
  }

  #addBlock({ workchain, shard, seqno, rootHash, fileHash, data }: ArchiveEntry): void {
    const id = {
      workchain,
      shard: BigInt(`0x${shard}`),
      seqno,
      rootHash: hexToBytes(rootHash)!,
      fileHash: hexToBytes(fileHash)!,
    };
    const root = parseBocRoot(data);
    const { info, stateUpdate } = decode(Block, root);
    const state = applyMerkleUpdate(stateUpdate, this.#stateBefore(id, info.value));
    const masterchainRef = workchain === masterchain ? seqno : undefined;
    this.#blocks.set(formatBlockId(id), { id, boc: data, root, info: info.value, state, masterchainRef });
    if (workchain === masterchain) this.last = id;
  }

  #stateBefore({ workchain, seqno }: BlockIdExt, info: BlockInfo): Cell {
    const [previous] = info.prevRef.value;
    if (seqno === 1) return this.#zero.get(workchain)!.state;
    const before = [...this.#blocks.values()].find(
      ({ id }) =>
        id.workchain === workchain && id.seqno === seqno - 1 && sameHash(id.rootHash, previous!.rootHash),
    );
    return before!.state;
  }

  #addSignatures({ seqno, data }: ArchiveEntry): void {
    const signed = decode(BlockProof, parseBocRoot(data)).signatures!.value;
    this.#signatures.set(seqno, {
      validatorListHashShort: signed.validatorListHashShort,
      catchainSeqno: signed.catchainSeqno,
      signatures: [...signed.signatures.values()].map(({ nodeIdShort, sign }) => {
        if (sign.kind !== "simple") throw new Error("a chained signature");
        return { nodeIdShort, signature: sign.signature };
      }),
    });
  }

  /** A masterchain block registers its shards' blocks back to those that were registered already. */
  #registerShards(): void {
    for (const { id, state } of this.#path(masterchain, wholeShard)) {
      const { shardHashes } = decode(ShardStateUnsplit, state).custom!.value;
      for (const { workchain, shard, descr } of registeredShards(shardHashes))
        for (const block of this.#path(workchain, shard))
          if (block.id.seqno <= descr.seqno) block.masterchainRef ??= id.seqno;
    }
  }
}

function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
