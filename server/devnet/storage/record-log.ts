/** One entry of a log. Kinds and payloads are defined in chain-records.ts. */
export type LogRecord = { kind: number; payload: Uint8Array };

/** An append-only sequence of records. Positions are opaque to callers. */
export interface RecordLog {
  /** Appends the records contiguously and in order. Resolves with their positions once they are durable. */
  append(records: readonly LogRecord[]): Promise<number[]>;
  read(position: number): Promise<LogRecord>;
  close(): Promise<void>;
}

/** A log in memory. */
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
