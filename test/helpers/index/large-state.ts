import { closeSync, openSync, writeSync } from "node:fs";
import { slack } from "../../../shared/ton/cells/bits.js";
import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { storeLabel } from "../../../shared/ton/cells/dictionaries/dictionary-label.js";
import { firstDescriptor, secondDescriptor } from "../../../shared/ton/cells/hashing.js";
import { sha256 } from "../../../shared/ton/cells/sha256.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { CurrencyCollection, noCurrencies } from "../../../shared/ton/tlb/currency-collection.js";
import { ShardAccounts } from "../../../shared/ton/tlb/shard-account.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";

const keyBytes = 32;
const keyBits = 256;
const refBytes = 4;
const chunkBytes = 1 << 20;

/** The parts of an account that are its own; its code is that of all. */
type LargeStateSetting = {
  accounts: number;
  /** A state whose other parts are taken. */
  template: Cell;
  /** The account cell of a number, and its balance. */
  account: (number: number, id: Uint8Array) => { cell: Cell; balance: bigint };
};

/** The id of an account by its number: spread evenly, in no order. */
function idOfNumber(number: number): Uint8Array {
  return sha256(Buffer.from(`account ${number}`));
}

/** Writes the state of a shard with many accounts, cell by cell. Returns its root hash. */
export function writeLargeState(path: string, setting: LargeStateSetting): Uint8Array {
  const keys = Array.from({ length: setting.accounts }, (_, number) => ({ id: idOfNumber(number), number }));
  keys.sort((a, b) => Buffer.compare(a.id, b.id));
  const counting = new StateWriter(keys, setting, () => {});
  counting.write();
  const { cells, bytes } = counting;
  const file = openSync(path, "w");
  try {
    const head = Buffer.alloc(6 + 3 * refBytes + 6 + refBytes);
    head.writeUInt32BE(0xb5ee9c72, 0);
    head.set([refBytes, 6], 4);
    head.writeUInt32BE(cells, 6);
    head.writeUInt32BE(1, 10);
    head.writeUIntBE(bytes, 18, 6);
    writeSync(file, head, 0, head.length, 0);
    let end = head.length + bytes;
    let waiting: Buffer[] = [];
    let size = 0;
    const flush = () => {
      end -= size;
      const chunk = Buffer.concat(waiting.reverse());
      writeSync(file, chunk, 0, chunk.length, end);
      waiting = [];
      size = 0;
    };
    // Cells come before those that refer to them, so the file is written from its end.
    const writer = new StateWriter(
      keys,
      setting,
      (cell) => {
        waiting.push(cell);
        size += cell.length;
        if (size >= chunkBytes) flush();
      },
      cells,
    );
    const hash = writer.write();
    flush();
    return hash;
  } finally {
    closeSync(file);
  }
}

type Key = { id: Uint8Array; number: number };

/** A cell that is written already: its number from the end, and a cell with its hash. */
type Written = { place: number; stand: Cell };

class StateWriter {
  cells = 0;
  bytes = 0;
  readonly #keys: readonly Key[];
  readonly #setting: LargeStateSetting;
  readonly #emit: (bytes: Buffer) => void;
  readonly #all: number;
  /** Cells that several others refer to, such as code. */
  readonly #shared = new Map<string, Written>();

  constructor(keys: readonly Key[], setting: LargeStateSetting, emit: (bytes: Buffer) => void, all = 0) {
    this.#keys = keys;
    this.#setting = setting;
    this.#emit = emit;
    this.#all = all;
  }

  write(): Uint8Array {
    const root = this.#node(0, this.#keys.length, 0);
    const accounts = this.#add(beginCell().storeBit(true).storeRef(root.stand), [root], (builder) =>
      storeExtra(root.balance, builder),
    );
    const template = decode(ShardStateUnsplit, this.#setting.template);
    const state = encode(ShardStateUnsplit, {
      ...template,
      accounts: CellOf.in(ShardAccounts, accounts.stand),
    });
    return this.#tree(state, new Map([[accounts.stand, accounts]])).stand.hash();
  }

  /** The dictionary of the keys from `low` up to `high`, which agree in their first `at` bits. */
  #node(low: number, high: number, at: number): Written & { balance: bigint } {
    const [first, last] = [this.#keys[low]!.id, this.#keys[high - 1]!.id];
    const end = low + 1 === high ? keyBits : commonPrefix(first, last);
    const builder = beginCell();
    storeLabel(builder, { bytes: padded(first), at, count: end - at }, keyBits - at);
    if (end === keyBits) return this.#leaf(builder, this.#keys[low]!);
    let middle = low;
    while (!bitOf(this.#keys[middle]!.id, end)) middle++;
    const [left, right] = [this.#node(low, middle, end + 1), this.#node(middle, high, end + 1)];
    const balance = left.balance + right.balance;
    builder.storeRef(left.stand).storeRef(right.stand);
    return { ...this.#add(builder, [left, right], (rest) => storeExtra(balance, rest)), balance };
  }

  #leaf(builder: Builder, { id, number }: Key): Written & { balance: bigint } {
    const { cell, balance } = this.#setting.account(number, id);
    const account = this.#tree(cell);
    storeExtra(balance, builder);
    builder
      .storeRef(account.stand)
      .storeBytes(sha256(id))
      .storeUint(1000 + number, 64);
    return { ...this.#add(builder, [account], () => {}), balance };
  }

  #add(builder: Builder, refs: readonly Written[], finish: (builder: Builder) => void): Written {
    finish(builder);
    return this.#put(builder.endCell(), refs);
  }

  /** Writes a tree in memory. Cells with references are written once for all. */
  #tree(cell: Cell, known = new Map<Cell, Written>()): Written {
    const own = known.get(cell) ?? this.#shared.get(cell.hashHex());
    if (own) return own;
    const written = this.#put(
      cell,
      cell.refs.map((ref) => this.#tree(ref, known)),
    );
    if (this.#shared.size < 1000) this.#shared.set(cell.hashHex(), written);
    return written;
  }

  #put(cell: Cell, refs: readonly Written[]): Written {
    const place = this.cells++;
    const bytes = Buffer.alloc(2 + ((cell.bits + 7) >> 3) + refBytes * refs.length);
    bytes[0] = firstDescriptor(cell, 0);
    bytes[1] = secondDescriptor(cell);
    bytes.set(cell.data.subarray(cell.dataStart, cell.dataStart + ((cell.bits + 7) >> 3)), 2);
    for (const [k, ref] of refs.entries())
      bytes.writeUInt32BE(
        Math.max(0, this.#all - 1 - ref.place),
        bytes.length - refBytes * (refs.length - k),
      );
    this.bytes += bytes.length;
    this.#emit(bytes);
    return { place, stand: new StandIn(cell) };
  }
}

/** Has the hash and the depth of a cell, and nothing else. */
class StandIn extends Cell {
  readonly #hash: Uint8Array;
  readonly #depth: number;

  constructor(cell: Cell) {
    super({ data: new Uint8Array(4), dataStart: 0, bits: 0, exotic: false }, "ordinary", 0, 0, []);
    this.#hash = cell.hash();
    this.#depth = cell.depth();
  }

  override hash(): Uint8Array {
    return this.#hash;
  }

  override depth(): number {
    return this.#depth;
  }
}

/** `depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection` */
function storeExtra(balance: bigint, builder: Builder): void {
  builder.storeUint(0, 5);
  CurrencyCollection.store({ ...noCurrencies, coins: balance }, builder);
}

function commonPrefix(a: Uint8Array, b: Uint8Array): number {
  let at = 0;
  while (bitOf(a, at) === bitOf(b, at)) at++;
  return at;
}

function bitOf(id: Uint8Array, at: number): boolean {
  return (id[at >> 3]! & (0x80 >> (at & 7))) !== 0;
}

function padded(id: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(keyBytes + 1 + slack);
  bytes.set(id);
  return bytes;
}
