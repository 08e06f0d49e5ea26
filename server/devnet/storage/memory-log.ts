import { deflateRawSync, inflateRawSync } from "node:zlib";
import { headerLength, readHeader, writeFrame } from "./record-frame.js";
import type { LogRecord, RecordLog } from "./record-log.js";

/** Records compressed together: blocks share so much content that 16 of them compress to a third. */
const packSize = 16;
/** The newest records stay uncompressed, because they are read most. */
const newestSize = 128;
/** Higher levels take longer and save only a tenth. */
const compression = { level: 1 };

/** A log in memory, compressed except for its end. */
export class MemoryLog implements RecordLog {
  readonly #packs: Uint8Array[] = [];
  #newest: LogRecord[] = [];
  /** The last unpacked pack, because reads of old records tend to be sequential. */
  #unpacked: { pack: Uint8Array; records: LogRecord[] } | undefined;

  append(records: readonly LogRecord[]): Promise<number[]> {
    const positions = records.map((record) => this.#packedCount + this.#newest.push(record) - 1);
    while (this.#newest.length >= newestSize + packSize)
      this.#packs.push(packed(this.#newest.splice(0, packSize)));
    return Promise.resolve(positions);
  }

  read(position: number): Promise<LogRecord> {
    const inNewest = position - this.#packedCount;
    const record = inNewest < 0 ? this.#unpack(position)[position % packSize] : this.#newest[inNewest];
    if (!record) return Promise.reject(new RangeError(`the log has no record ${position}`));
    return Promise.resolve(record);
  }

  forgetFrom(position: number): void {
    if (position < this.#packedCount) {
      this.#newest = this.#unpack(position);
      this.#packs.length = Math.floor(position / packSize);
      this.#unpacked = undefined;
    }
    this.#newest.length = Math.min(this.#newest.length, position - this.#packedCount);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get #packedCount(): number {
    return this.#packs.length * packSize;
  }

  /** The records of the pack with this position. */
  #unpack(position: number): LogRecord[] {
    const pack = this.#packs[Math.floor(position / packSize)];
    if (!pack) return [];
    if (this.#unpacked?.pack !== pack)
      this.#unpacked = { pack, records: [...recordsIn(inflateRawSync(pack))] };
    return this.#unpacked.records;
  }
}

function packed(records: readonly LogRecord[]): Uint8Array {
  // Copied, because the result is a view of a larger buffer.
  return new Uint8Array(deflateRawSync(Buffer.concat(records.map(writeFrame)), compression));
}

function* recordsIn(frames: Uint8Array): Generator<LogRecord> {
  for (let at = 0; at < frames.length; ) {
    const { length, kind } = readHeader(frames.subarray(at));
    const end = at + headerLength + length;
    // Copied, so that a retained record does not retain its pack.
    yield { kind, payload: frames.slice(at + headerLength, end) };
    at = end;
  }
}
