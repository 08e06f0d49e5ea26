import { hash } from "node:crypto";
import type { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { BlockIndex } from "./block-index.js";
import { decodeRecord, type NamedSnapshot } from "./chain-records.js";
import type { StoredMessage } from "./chain-storage.js";
import type { LogRecord } from "./record-log.js";

/** Rebuilds the index from a log's records, and collects snapshots and messages not included in a block. */
export class LogReplay {
  readonly #index: BlockIndex;
  /** By SHA-256 in hex. */
  readonly #waiting = new Map<string, StoredMessage>();
  readonly #snapshots = new Map<string, NamedSnapshot>();
  /** The record of edited accounts that precedes its step. */
  #edited: { mcSeqno: number; accounts: Address[] } | undefined;

  constructor(index: BlockIndex) {
    this.#index = index;
  }

  take(logRecord: LogRecord, position: number): void {
    const record = decodeRecord(logRecord);
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
        this.#index.truncate(record.mcSeqno);
        this.#waiting.clear();
        for (const [name, { mcSeqno }] of this.#snapshots)
          if (mcSeqno > record.mcSeqno) this.#snapshots.delete(name);
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
