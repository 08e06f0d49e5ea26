import { type FileHandle, open } from "node:fs/promises";
import { withResolvers } from "../../../shared/values/promises.js";
import { DevnetError } from "../devnet-error.js";
import { scanLog } from "./log-scan.js";
import { headerLength, readFrame, readHeader, writeFrame } from "./record-frame.js";
import type { LogRecord, RecordLog } from "./record-log.js";

/** Records appended within this time share one fdatasync. */
const syncIntervalMs = 5;
/** Interval of repair attempts after a failure. */
const repairIntervalMs = 1000;
/** Bytes written and truncated by a repair attempt: as much as a step with some transactions. */
const probeLength = 64 * 1024;

/** Called with an error when writing fails, and with undefined when it works again. */
export type OnFailure = (failure: DevnetError | undefined) => void;

type FileLogOptions = {
  onFailure?: OnFailure;
  /** The end of the valid part, from the end of the last whole record. */
  validEnd?: (end: number) => number;
};

type Waiting = { bytes: Uint8Array[]; resolve: () => void; reject: (error: unknown) => void };

/**
 * A log in a file. An append resolves when its records are synced to disk. Concurrent appends share the next sync.
 * After a failed write, appends reject with `DevnetError` until a test write succeeds.
 */
export class FileLog implements RecordLog {
  readonly #file: FileHandle;
  /** Position of the next record, after those still in the queue. */
  #end: number;
  #written: number;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastSync = Number.NEGATIVE_INFINITY;
  /** Set while nothing can be appended. */
  #failure: DevnetError | undefined;
  #repairing: Promise<void> | undefined;
  #closed = false;
  readonly #onFailure: OnFailure;

  private constructor(file: FileHandle, end: number, onFailure: OnFailure) {
    this.#file = file;
    this.#end = end;
    this.#written = end;
    this.#onFailure = onFailure;
  }

  /** Opens or creates the file, passes every record to `visit` and truncates an incomplete last write. */
  static async open(
    path: string,
    visit: (record: LogRecord, position: number) => void,
    { onFailure = () => {}, validEnd = (end) => end }: FileLogOptions = {},
  ): Promise<FileLog> {
    // "a+" would do both, but it ignores write positions and always appends.
    const file = await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return open(path, "wx+");
      throw error;
    });
    try {
      const end = validEnd(scanLog(file.fd, path, visit));
      if (end < (await file.stat()).size) {
        await file.truncate(end);
        await file.sync();
      }
      return new FileLog(file, end, onFailure);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get isEmpty(): boolean {
    return this.#end === 0;
  }

  append(records: readonly LogRecord[]): Promise<number[]> {
    if (this.#closed) return Promise.reject(new Error("the chain log is closed"));
    if (this.#failure) return Promise.reject(this.#failure);
    const bytes = records.map(writeFrame);
    const positions = bytes.map((frame) => {
      const position = this.#end;
      this.#end += frame.length;
      return position;
    });
    const { promise, ...settle } = withResolvers<void>();
    this.#waiting.push({ bytes, ...settle });
    this.#schedule();
    return promise.then(() => positions);
  }

  async read(position: number): Promise<LogRecord> {
    const header = await this.#readBytes(position, headerLength);
    const record = readFrame(await this.#readBytes(position, headerLength + readHeader(header).length));
    if (!record) throw new Error(`the chain log's record at offset ${position} is damaged`);
    return record;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#flushing;
    await this.#flush();
    await this.#repairing;
    await this.#file.close();
  }

  async #readBytes(position: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, position);
    if (bytesRead !== length) throw new Error(`the chain log ends inside the record at offset ${position}`);
    return bytes;
  }

  #schedule(): void {
    if (this.#timer || this.#flushing) return;
    const wait = this.#lastSync + syncIntervalMs - performance.now();
    this.#timer = setTimeout(() => void this.#flush(), Math.max(0, wait));
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return Promise.resolve();
    this.#flushing = this.#write(batch).finally(() => {
      this.#flushing = undefined;
      if (this.#waiting.length > 0 && !this.#closed) this.#schedule();
    });
    return this.#flushing;
  }

  async #write(batch: Waiting[]): Promise<void> {
    try {
      const bytes = Buffer.concat(batch.flatMap((waiting) => waiting.bytes));
      await this.#writeAtEnd(bytes);
      this.#written += bytes.length;
      this.#lastSync = performance.now();
      for (const waiting of batch) waiting.resolve();
    } catch (error) {
      // Remove a partial write.
      await this.#file.truncate(this.#written).catch(() => {});
      this.#fail(error as Error, batch);
    }
  }

  async #writeAtEnd(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const left = bytes.length - done;
      const { bytesWritten } = await this.#file.write(bytes, done, left, this.#written + done);
      done += bytesWritten;
    }
    await this.#file.datasync();
  }

  /** The data on disk after the last sync are undefined, so all queued appends fail as well. */
  #fail(error: Error, batch: Waiting[]): void {
    const failure = new DevnetError(
      "unavailable",
      `nothing can be written to the data folder: ${error.message}`,
    );
    this.#failure = failure;
    this.#end = this.#written;
    for (const waiting of [...batch, ...this.#waiting.splice(0)]) waiting.reject(failure);
    this.#onFailure(failure);
    this.#scheduleRepair();
  }

  #scheduleRepair(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#repairing = this.#repair();
    }, repairIntervalMs);
  }

  /** Attempts a test write and truncates it. */
  async #repair(): Promise<void> {
    try {
      // Zeros are not a valid record: if they remain, the next start truncates them.
      await this.#writeAtEnd(new Uint8Array(probeLength));
      await this.#file.truncate(this.#written);
      await this.#file.sync();
      this.#failure = undefined;
      this.#onFailure(undefined);
    } catch {
      // `onFailure` has reported that nothing can be written.
      this.#scheduleRepair();
    }
  }
}
