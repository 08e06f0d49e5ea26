// _ key:Bool max_end_lt:uint64 = KeyMaxLt;
// _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef;
// _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo;
import type { AugDictionary, Augmentation } from "../cells/dictionaries/aug-dictionary.js";
import { uintKey } from "../cells/dictionaries/dictionary.js";
import { ExtBlkRef } from "./block-ref.js";
import type { Decoded } from "./codec.js";
import { hashmapAugE } from "./dictionaries.js";
import { bool, uint64 } from "./primitives.js";
import { record } from "./record.js";

type KeyMaxLt = Decoded<typeof KeyMaxLt>;
const KeyMaxLt = record("KeyMaxLt", { key: bool, maxEndLt: uint64 });

/** A previous masterchain block and whether it is a key block. */
type KeyExtBlkRef = Decoded<typeof KeyExtBlkRef>;
const KeyExtBlkRef = record("KeyExtBlkRef", { key: bool, blkRef: ExtBlkRef });

const newest: Augmentation<KeyExtBlkRef, KeyMaxLt> = {
  codec: KeyMaxLt,
  empty: { key: false, maxEndLt: 0n },
  leaf: ({ key, blkRef }) => ({ key, maxEndLt: blkRef.endLt }),
  fork: (a, b) => ({ key: a.key || b.key, maxEndLt: later(a.maxEndLt, b.maxEndLt) }),
};

function later(a: bigint, b: bigint): bigint {
  if (a < b) return b;
  return a;
}

/** All previous masterchain blocks by seqno. */
export type OldMcBlocksInfo = AugDictionary<number, KeyExtBlkRef, KeyMaxLt>;
export const OldMcBlocksInfo = hashmapAugE(uintKey(32), KeyExtBlkRef, newest);
