import type { LogRecord, RecordLog } from "./record-log.js";

/**
 * A log that calls `note` after its first records. They are durable by then, so a failure does not fail them: the next
 * records try again.
 */
export class NotingLog implements RecordLog {
  readonly #log: RecordLog;
  readonly #note: () => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #noted: Promise<void> | undefined;

  constructor(log: RecordLog, note: () => Promise<void>, onFailure: (error: unknown) => void) {
    this.#log = log;
    this.#note = note;
    this.#onFailure = onFailure;
  }

  async append(records: readonly LogRecord[]): Promise<number[]> {
    const positions = await this.#log.append(records);
    this.#noted ??= this.#note().catch((error) => {
      this.#noted = undefined;
      this.#onFailure(error);
    });
    await this.#noted;
    return positions;
  }

  read(position: number): Promise<LogRecord> {
    return this.#log.read(position);
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}
