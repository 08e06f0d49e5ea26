import {
  readTrustRecord,
  type TrustRecord,
  type TrustStore,
  trustRecordText,
} from "../../shared/ton/proofs/verify/trust-record.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import type { TrustStorage } from "./storage.js";

/** The record of one network in a storage. An invalid one is overwritten by the next proof. */
export function recordStore(storage: TrustStorage, zeroState: BlockIdExt): TrustStore {
  const key = bytesToHex(zeroState.rootHash).slice(0, 16);
  return {
    name: storage.name,
    async read(onBad): Promise<TrustRecord | undefined> {
      try {
        const text = await storage.get(key);
        return text === undefined ? undefined : readTrustRecord(text);
      } catch (error) {
        onBad((error as Error).message, "ignored");
        return undefined;
      }
    },
    write: (record) => storage.set(key, trustRecordText(record)),
  };
}
