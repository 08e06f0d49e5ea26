import { fstatSync, readSync } from "node:fs";
import { SetupError } from "../../errors.js";
import { type FrameHeader, headerLength, maxPayload, readFrame, readHeader } from "./record-frame.js";
import type { LogRecord } from "./record-log.js";

const windowSize = 1024 * 1024;
/** Number of bytes checked after an invalid record before the file counts as damaged. */
const searchBudget = 1024 * 1024 * 1024;

/** The log is damaged before valid records. Truncating it would lose blocks that clients have seen. */
export class DamagedLogError extends SetupError {
  override readonly name = "DamagedLogError";
  readonly offset: number;

  constructor(path: string, offset: number) {
    super(
      `${path} is damaged at byte ${offset}, with sound records behind it: restore the data folder of the devnet from a backup, ` +
        "or move it away, and the next start makes a new devnet",
    );
    this.offset = offset;
  }
}

/**
 * Reads a log file from its beginning and returns the offset where its valid part ends. The rest, if any, is an
 * incomplete last write. Throws `DamagedLogError` if valid records follow it. Blocks the thread, which is idle before
 * the start.
 */
export function scanLog(
  file: number,
  path: string,
  visit: (record: LogRecord, position: number) => void,
): number {
  const { size } = fstatSync(file);
  const reader = new WindowReader(file, size);
  let position = 0;
  while (position < size) {
    const record = frameAt(reader, position);
    if (!record) {
      if (hasValidRecordAfter(reader, position)) throw new DamagedLogError(path, position);
      return position;
    }
    visit(record, position);
    position += headerLength + record.payload.length;
  }
  return position;
}

function headerAt(reader: WindowReader, position: number): FrameHeader | undefined {
  const bytes = reader.read(position, headerLength);
  if (!bytes) return undefined;
  const header = readHeader(bytes);
  const fits = header.length <= maxPayload && position + headerLength + header.length <= reader.size;
  return fits ? header : undefined;
}

function frameAt(reader: WindowReader, position: number): LogRecord | undefined {
  const header = headerAt(reader, position);
  const frame = header && reader.read(position, headerLength + header.length);
  return frame && readFrame(frame);
}

/** The length in an invalid record may be wrong, so every offset after its start is tried. */
function hasValidRecordAfter(reader: WindowReader, bad: number): boolean {
  const header = headerAt(reader, bad);
  if (header && frameAt(reader, bad + headerLength + header.length)) return true;
  let budget = searchBudget;
  for (let position = bad + 1; position + headerLength < reader.size; position++) {
    const candidate = headerAt(reader, position);
    // A payload has at least four bytes; otherwise runs of zeros would look like records.
    if (!candidate || candidate.length < 4) continue;
    budget -= candidate.length;
    if (budget < 0 || frameAt(reader, position)) return true;
  }
  return false;
}

/** Reads a file, mostly forwards, through a window of 1 MiB. */
class WindowReader {
  readonly size: number;
  readonly #file: number;
  #window: Uint8Array = new Uint8Array(0);
  #start = 0;

  constructor(file: number, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** A view of the bytes; `undefined` past the end of the file. */
  read(position: number, length: number): Uint8Array | undefined {
    if (position + length > this.size) return undefined;
    if (position < this.#start || position + length > this.#start + this.#window.length)
      this.#refill(position, Math.min(Math.max(length, windowSize), this.size - position));
    const from = position - this.#start;
    return this.#window.subarray(from, from + length);
  }

  #refill(position: number, length: number): void {
    // Allocate a new buffer: records returned before are views of the old one.
    const window = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const bytesRead = readSync(this.#file, window, filled, length - filled, position + filled);
      if (bytesRead === 0) throw new Error(`the chain log ended at ${position + filled} while it was read`);
      filled += bytesRead;
    }
    this.#window = window;
    this.#start = position;
  }
}
