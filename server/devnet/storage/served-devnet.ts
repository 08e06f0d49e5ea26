import type { Cell } from "../../../shared/ton/cells/cell.js";
import type {
  BlockSearch,
  ServedBlock,
  ServedChain,
  ServedSignatures,
} from "../../../shared/ton/proofs/make/served-chain.js";
import {
  type BlockIdExt,
  masterchain,
  sameBlock,
  wholeShard,
  type ZeroStateIdExt,
} from "../../../shared/ton/tlb/block-id.js";
import type { ZeroState } from "../collate/block/block-pair.js";
import type { ChainStore } from "./chain-store.js";
import { unlessReverted } from "./reverted-error.js";

/** Serves liteserver queries from the stored devnet: two workchains with one shard each, blocks made in pairs. */
export class ServedDevnet implements ServedChain {
  readonly zeroState: ZeroStateIdExt;
  readonly #store: ChainStore;

  constructor(store: ChainStore) {
    this.#store = store;
    const { workchain, rootHash, fileHash } = store.genesis.masterchain.id;
    this.zeroState = { workchain, rootHash, fileHash };
  }

  get last(): BlockIdExt {
    const { index, genesis } = this.#store;
    return index.get(index.lastSeqno)?.masterchain.id ?? genesis.masterchain.id;
  }

  top(workchain: number, _prefix: bigint): BlockIdExt | undefined {
    if (!isOurs(workchain)) return undefined;
    const { index } = this.#store;
    return index.block(workchain, index.lastSeqno)?.id ?? this.#zero(workchain).id;
  }

  async block(id: BlockIdExt): Promise<ServedBlock | undefined> {
    if (!this.#has(id)) return undefined;
    const pair = await unlessReverted(this.#store.pair(id.seqno));
    if (!pair) return undefined;
    const chain = chainName(id.workchain);
    return { id, boc: pair[chain].boc, root: pair.roots[chain] };
  }

  async state(id: BlockIdExt): Promise<Cell | undefined> {
    if (!this.#has(id) && !this.#isZero(id)) return undefined;
    return (await this.#store.statesAt(id.seqno))?.[chainName(id.workchain)];
  }

  async zeroStateBoc(id: BlockIdExt): Promise<Uint8Array | undefined> {
    return this.#isZero(id) ? this.#zero(id.workchain).boc : undefined;
  }

  async find(workchain: number, _prefix: bigint, by: BlockSearch): Promise<BlockIdExt | undefined> {
    if (!isOurs(workchain)) return undefined;
    const { index } = this.#store;
    if ("seqno" in by) return index.block(workchain, by.seqno)?.id;
    const found = "lt" in by ? index.findByLt(workchain, by.lt) : index.findByUtime(workchain, by.utime);
    return found?.id;
  }

  /** The masterchain block of a step registers its basechain block, so both have the same seqno. */
  async masterchainRef(id: BlockIdExt): Promise<number | undefined> {
    return this.#has(id) ? id.seqno : undefined;
  }

  async signatures(mcSeqno: number): Promise<ServedSignatures | undefined> {
    if (!this.#store.index.get(mcSeqno)) return undefined;
    return (await unlessReverted(this.#store.pair(mcSeqno)))?.signatures;
  }

  keyBlockAtOrBefore(mcSeqno: number): number {
    return this.#store.index.keyBlockAtOrBefore(mcSeqno);
  }

  keyBlockAfter(mcSeqno: number): number | undefined {
    return this.#store.index.keyBlockAfter(mcSeqno);
  }

  onChange(listener: () => void): () => void {
    return this.#store.changes.add(listener);
  }

  #has(id: BlockIdExt): boolean {
    const own = isOurs(id.workchain) && this.#store.index.block(id.workchain, id.seqno);
    return own ? sameBlock(own.id, id) : false;
  }

  #isZero(id: BlockIdExt): boolean {
    return isOurs(id.workchain) && id.shard === wholeShard && sameBlock(this.#zero(id.workchain).id, id);
  }

  #zero(workchain: number): ZeroState {
    return this.#store.genesis[chainName(workchain)];
  }
}

function isOurs(workchain: number): boolean {
  return workchain === masterchain || workchain === 0;
}

function chainName(workchain: number): "masterchain" | "basechain" {
  return workchain === masterchain ? "masterchain" : "basechain";
}
