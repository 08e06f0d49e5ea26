import { hash } from "node:crypto";
import type { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { BlockIndex } from "./block-index.js";
import { type ChainRecord, decodeRecord, type NamedSnapshot } from "./chain-records.js";
import type { StoredMessage } from "./chain-storage.js";
import type { LogRecord } from "./record-log.js";

type Placed = { record: ChainRecord; position: number };

/** Rebuilds the index from a log's records, and collects snapshots and messages not included in a block. */
export class LogReplay {
  readonly #index: BlockIndex;
  /** By SHA-256 in hex. */
  readonly #waiting = new Map<string, StoredMessage>();
  readonly #snapshots = new Map<string, NamedSnapshot>();
  /** The record of edited accounts that precedes its step. */
  #edited: { mcSeqno: number; accounts: Address[] } | undefined;
  #fork: Uint8Array | undefined;
  /** Records that together replace the chain. */
  #replacement: { from: number; count: number; records: Placed[] } | undefined;

  constructor(index: BlockIndex) {
    this.#index = index;
  }

  take(logRecord: LogRecord, position: number): void {
    const record = decodeRecord(logRecord);
    const replacement = this.#replacement;
    if (!replacement) {
      this.#apply({ record, position });
      return;
    }
    replacement.records.push({ record, position });
    if (replacement.records.length < replacement.count) return;
    this.#replacement = undefined;
    this.#revert(0);
    for (const each of replacement.records) this.#apply(each);
  }

  /** The end of the valid part, if the log ends within a replacement of the chain. */
  get incompleteFrom(): number | undefined {
    return this.#replacement?.from;
  }

  #apply({ record, position }: Placed): void {
    switch (record.type) {
      case "edited":
        this.#edited = record;
        return;
      case "pair": {
        const { pair } = record;
        const edited = this.#edited?.mcSeqno === pair.masterchain.id.seqno ? this.#edited.accounts : [];
        this.#index.add(position, pair, edited);
        this.#edited = undefined;
        for (const { hash } of pair.finished) this.#waiting.delete(bytesToHex(hash));
        return;
      }
      case "revert":
        this.#revert(record.mcSeqno);
        return;
      case "replaced":
        this.#replacement = { from: position, count: record.records, records: [] };
        return;
      case "fork":
        // Copied, as messages are.
        this.#fork = record.start.slice();
        return;
      case "snapshot":
        this.#snapshots.set(record.snapshot.name, record.snapshot);
        return;
      case "forgotten":
        this.#snapshots.delete(record.name);
        return;
      case "dropped":
        this.#waiting.delete(bytesToHex(record.hash));
        return;
      case "message":
      case "unsigned":
        // Copied, because the record is a view of the read buffer.
        this.#waiting.set(sha256Hex(record.message), {
          boc: record.message.slice(),
          ignoresSignatures: record.type === "unsigned",
        });
    }
  }

  #revert(last: number): void {
    this.#index.truncate(last);
    this.#waiting.clear();
    for (const [name, { mcSeqno }] of this.#snapshots) if (mcSeqno > last) this.#snapshots.delete(name);
  }

  /** The newest record of a fork. */
  get fork(): Uint8Array | undefined {
    return this.#fork;
  }

  /** Named snapshots, oldest first. */
  snapshots(): NamedSnapshot[] {
    return [...this.#snapshots.values()];
  }

  /** Oldest first. */
  pending(): StoredMessage[] {
    return [...this.#waiting.values()];
  }
}

function sha256Hex(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}
