/** One entry of a log; what the kinds mean and how payloads are read is records.ts. */
export type LogRecord = { kind: number; payload: Uint8Array };

/** Records one after another, only ever added to. A position is what `append` gave and `read` takes. */
export interface RecordLog {
  /** Adds the records in this order without a gap; resolves with their positions once they are kept for good. */
  append(records: readonly LogRecord[]): Promise<number[]>;
  read(position: number): Promise<LogRecord>;
  close(): Promise<void>;
}

/** Keeps everything as long as the process lives. */
export class MemoryLog implements RecordLog {
  readonly #records: LogRecord[] = [];

  append(records: readonly LogRecord[]): Promise<number[]> {
    return Promise.resolve(records.map((record) => this.#records.push(record) - 1));
  }

  read(position: number): Promise<LogRecord> {
    const record = this.#records[position];
    if (!record) return Promise.reject(new RangeError(`the log has no record ${position}`));
    return Promise.resolve(record);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
