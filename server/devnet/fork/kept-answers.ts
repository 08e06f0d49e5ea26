import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { bytesToCharacters } from "../../../shared/values/bytes.js";
import { DamagedLogError, scanLog } from "../storage/log-scan.js";
import { headerLength, readFrame, writeFrame } from "../storage/record-frame.js";
import type { LogRecord } from "../storage/record-log.js";

type Limits = { bytes: number; records: number };

const usualLimits: Limits = { bytes: 1024 * 1024 * 1024, records: 500_000 };

type Place = { position: number; length: number };

/**
 * Answers in a file, by key. An answer is lost if the machine fails before the system has written it, and a damaged one
 * is not found: both are requested again. Reads and writes are synchronous, as most take microseconds. A full file takes
 * no further answers.
 */
export class KeptAnswers {
  readonly #file: number;
  readonly #keyLength: number;
  readonly #places: Map<string, Place>;
  readonly #limits: Limits;
  #isFull = false;
  #isClosed = false;

  private constructor(file: number, keyLength: number, places: Map<string, Place>, limits: Limits) {
    this.#limits = limits;
    this.#file = file;
    this.#keyLength = keyLength;
    this.#places = places;
  }

  /** Opens or creates the file. Answers behind damaged bytes are dropped. */
  static open(path: string, keyLength: number, limits = usualLimits): KeptAnswers {
    const file = openFile(path);
    try {
      const places = new Map<string, Place>();
      const end = validEnd(file, path, ({ kind, payload }, position) => {
        const place = { position, length: headerLength + payload.length };
        places.set(keyOf(kind, payload.subarray(0, keyLength)), place);
      });
      if (end < fstatSync(file).size) ftruncateSync(file, end);
      return new KeptAnswers(file, keyLength, places, limits);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** The answer without its key. */
  read(kind: number, key: Uint8Array): Uint8Array | undefined {
    const place = this.#places.get(keyOf(kind, key));
    if (!place || this.#isClosed) return undefined;
    const bytes = new Uint8Array(place.length);
    if (readSync(this.#file, bytes, 0, place.length, place.position) !== place.length) return undefined;
    return readFrame(bytes)?.payload.subarray(this.#keyLength);
  }

  /** Whether an answer found no room. */
  get isFull(): boolean {
    return this.#isFull;
  }

  write(kind: number, key: Uint8Array, answer: Uint8Array): void {
    // Another file may have the descriptor by now.
    if (this.#isClosed) return;
    const frame = writeFrame({ kind, payload: Buffer.concat([key, answer]) });
    // A fork that begins anew at the same block writes to the same file.
    const end = fstatSync(this.#file).size;
    this.#isFull = end + frame.length > this.#limits.bytes || this.#places.size >= this.#limits.records;
    if (this.#isFull) return;
    for (let done = 0; done < frame.length; )
      done += writeSync(this.#file, frame, done, frame.length - done, end + done);
    this.#places.set(keyOf(kind, key), { position: end, length: frame.length });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return openSync(path, "wx+", 0o600);
  }
}

function validEnd(file: number, path: string, visit: (record: LogRecord, position: number) => void): number {
  try {
    return scanLog(file, path, visit);
  } catch (error) {
    if (error instanceof DamagedLogError) return error.offset;
    throw error;
  }
}

function keyOf(kind: number, key: Uint8Array): string {
  return String.fromCharCode(kind) + bytesToCharacters(key);
}
