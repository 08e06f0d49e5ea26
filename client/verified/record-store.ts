import {
  readTrustRecord,
  type TrustRecord,
  type TrustStore,
  trustRecordText,
} from "../../shared/ton/proofs/verify/trust/trust-record.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { systemTimers, type Timers } from "../../shared/values/timers.js";
import type { TrustStorage } from "./storage.js";

/** A storage may be blocked by another page. */
const storageMs = 5000;

/** The record of one network in a storage. An invalid one is overwritten by the next proof. */
export function recordStore(
  storage: TrustStorage,
  zeroState: BlockIdExt,
  timers: Pick<Timers, "after"> = systemTimers,
): TrustStore {
  const inTime = <T>(work: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const stop = timers.after(storageMs, () => reject(new Error("the storage does not answer")));
      work.then(resolve, reject).then(stop);
    });
  const key = bytesToHex(zeroState.rootHash).slice(0, 16);
  return {
    name: storage.name,
    async read(onBad): Promise<TrustRecord | undefined> {
      try {
        const text = await inTime(storage.get(key));
        return text === undefined ? undefined : readTrustRecord(text);
      } catch (error) {
        onBad((error as Error).message, "ignored");
        return undefined;
      }
    },
    write: (record) => inTime(storage.set(key, trustRecordText(record))),
  };
}
