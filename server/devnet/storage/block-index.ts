import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { firstPassing } from "../../../shared/values/first-passing.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { EndLts } from "../collate/step.js";
import type { StoredBlock, StoredPair } from "./chain-records.js";

/** Indexed data of a stored block. */
type IndexedBlock = Pick<StoredBlock, "id" | "startLt">;

type Blocks = Record<"masterchain" | "basechain", { id: BlockIdExt }>;

/** A step: its position in the log and its two blocks, which have the step's seqno. */
type IndexedPair = {
  position: number;
  basechain: IndexedBlock;
  masterchain: IndexedBlock;
  edited: Address[];
};

/** Offsets of a block's fields. */
const fields = { rootHash: 0, fileHash: 32, startLt: 64, endLt: 72, genUtime: 80 } as const;
const blockBytes = 84;
const hashBytes = 32;
/** Offsets in a step's row. */
const places = { basechain: 0, masterchain: blockBytes, position: 2 * blockBytes } as const;
const rowBytes = 2 * blockBytes + 8;
const rowsPerPage = 1024;

/**
 * In-memory index of the steps by seqno, logical time and unix time. Step n made block n of both chains. Stored as
 * bytes, which take an eighth of the memory of objects.
 */
export class BlockIndex {
  readonly #pages: DataView[] = [];
  readonly #edited = new Map<number, Address[]>();
  /** Seqnos of the key blocks, ascending. */
  #keyBlocks: number[] = [];
  #lastSeqno = 0;

  /** Seqno of the newest step; 0 if there is none. */
  get lastSeqno(): number {
    return this.#lastSeqno;
  }

  /** Throws unless the step is the next one. */
  assertNext({ masterchain: { id: mc }, basechain: { id: base } }: Blocks): void {
    const seqno = this.lastSeqno + 1;
    if (mc.seqno !== seqno || base.seqno !== seqno)
      throw new Error(
        `step ${seqno} has blocks ${mc.seqno} of the masterchain and ${base.seqno} of the basechain`,
      );
  }

  add(position: number, pair: StoredPair, edited: Address[]): void {
    this.assertNext(pair);
    const seqno = ++this.#lastSeqno;
    if (this.#pages.length * rowsPerPage < seqno)
      this.#pages.push(new DataView(new ArrayBuffer(rowsPerPage * rowBytes)));
    const row = this.#row(seqno);
    writeBlock(row, places.basechain, pair.basechain);
    writeBlock(row, places.masterchain, pair.masterchain);
    row.setFloat64(places.position, position);
    if (edited.length > 0) this.#edited.set(seqno, edited);
    if (pair.keyBlock) this.#keyBlocks.push(seqno);
  }

  /** Removes the steps after this one. */
  truncate(seqno: number): void {
    this.#lastSeqno = Math.min(this.#lastSeqno, seqno);
    this.#pages.length = Math.ceil(this.#lastSeqno / rowsPerPage);
    for (const key of [...this.#edited.keys()]) if (key > seqno) this.#edited.delete(key);
    this.#keyBlocks = this.#keyBlocks.filter((key) => key <= seqno);
  }

  get(seqno: number): IndexedPair | undefined {
    if (!this.#has(seqno)) return undefined;
    const row = this.#row(seqno);
    return {
      position: row.getFloat64(places.position),
      basechain: readBlock(row, places.basechain, { workchain: 0, seqno }),
      masterchain: readBlock(row, places.masterchain, { workchain: masterchain, seqno }),
      edited: this.#edited.get(seqno) ?? [],
    };
  }

  block(workchain: number, seqno: number): IndexedBlock | undefined {
    if (!this.#has(seqno)) return undefined;
    return readBlock(this.#row(seqno), placeOf(workchain), { workchain, seqno });
  }

  /** End lts of both chains after a step; those of the zero states are 0. */
  endLts(seqno: number): EndLts | undefined {
    if (seqno === 0) return { masterchain: 0n, basechain: 0n };
    if (!this.#has(seqno)) return undefined;
    const row = this.#row(seqno);
    const at = (place: number) => row.getBigUint64(place + fields.endLt);
    return { masterchain: at(places.masterchain), basechain: at(places.basechain) };
  }

  /** The first block with an end lt at or after `lt`: the one that contains the transaction, if it exists. */
  findByLt(workchain: number, lt: bigint): IndexedBlock | undefined {
    const at = placeOf(workchain) + fields.endLt;
    return this.#first(workchain, (row) => row.getBigUint64(at) >= lt);
  }

  /** The first block at this unix time or later. */
  findByUtime(workchain: number, utime: number): IndexedBlock | undefined {
    const at = placeOf(workchain) + fields.genUtime;
    return this.#first(workchain, (row) => row.getUint32(at) >= utime);
  }

  /** Seqno of the last key block up to and including this one; 0 for the zero state. */
  keyBlockAtOrBefore(seqno: number): number {
    return this.#keyBlocks.findLast((key) => key <= seqno) ?? 0;
  }

  keyBlockAfter(seqno: number): number | undefined {
    return this.#keyBlocks.find((key) => key > seqno);
  }

  /** Binary search: lt and unix time never decrease along a chain. */
  #first(workchain: number, reached: (row: DataView) => boolean): IndexedBlock | undefined {
    return this.block(
      workchain,
      firstPassing(1, this.#lastSeqno + 1, (seqno) => reached(this.#row(seqno))),
    );
  }

  #has(seqno: number): boolean {
    return seqno >= 1 && seqno <= this.#lastSeqno;
  }

  #row(seqno: number): DataView {
    const { buffer } = itemAt(this.#pages, Math.floor((seqno - 1) / rowsPerPage));
    return new DataView(buffer, ((seqno - 1) % rowsPerPage) * rowBytes, rowBytes);
  }
}

function placeOf(workchain: number): number {
  return workchain === masterchain ? places.masterchain : places.basechain;
}

function writeBlock(row: DataView, at: number, { id, startLt, endLt, genUtime }: StoredBlock): void {
  const bytes = new Uint8Array(row.buffer, row.byteOffset + at, blockBytes);
  bytes.set(id.rootHash, fields.rootHash);
  bytes.set(id.fileHash, fields.fileHash);
  row.setBigUint64(at + fields.startLt, startLt);
  row.setBigUint64(at + fields.endLt, endLt);
  row.setUint32(at + fields.genUtime, genUtime);
}

function readBlock(row: DataView, at: number, name: { workchain: number; seqno: number }): IndexedBlock {
  // Copied, so that a retained id does not retain the page.
  const hash = (field: number) => new Uint8Array(row.buffer, row.byteOffset + at + field, hashBytes).slice();
  return {
    id: {
      ...name,
      shard: wholeShard,
      rootHash: hash(fields.rootHash),
      fileHash: hash(fields.fileHash),
    },
    startLt: row.getBigUint64(at + fields.startLt),
  };
}
