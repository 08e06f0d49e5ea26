/** One entry of a log. Kinds and payloads are defined in chain-records.ts. */
export type LogRecord = { kind: number; payload: Uint8Array };

/** An append-only sequence of records. Positions are opaque to callers. */
export interface RecordLog {
  /** Appends the records contiguously and in order. Resolves with their positions once they are durable. */
  append(records: readonly LogRecord[]): Promise<number[]>;
  read(position: number): Promise<LogRecord>;
  /** The records from this position on are never read again. */
  forgetFrom?(position: number): void;
  close(): Promise<void>;
}
