// validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
// validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
// validators#11 utime_since:uint32 utime_until:uint32
//   total:(## 16) main:(## 16) { main <= total } { main >= 1 }
//   list:(Hashmap 16 ValidatorDescr) = ValidatorSet;
// validators_ext#12 utime_since:uint32 utime_until:uint32
//   total:(## 16) main:(## 16) { main <= total } { main >= 1 }
//   total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
import { uintKey } from "../../cells/dictionaries/dictionary.js";
import type { Decoded } from "../codec.js";
import { hashmap, hashmapE } from "../dictionaries.js";
import { bits256, uint16, uint32, uint64 } from "../primitives.js";
import { choice, record } from "../record.js";
import { SigPubKey } from "../signature.js";

/** Without an ADNL address, the public key serves as the address. */
export type ValidatorDescr = Decoded<typeof ValidatorDescr>;
export const ValidatorDescr = choice("ValidatorDescr", {
  plain: record("validator#53", { publicKey: SigPubKey, weight: uint64 }),
  addr: record("validator_addr#73", { publicKey: SigPubKey, weight: uint64, adnlAddr: bits256 }),
});

const common = { utimeSince: uint32, utimeUntil: uint32, total: uint16, main: uint16 };
const index = uintKey(16);

/** ConfigParam 32 to 37. Only `ext` states the total weight. */
export type ValidatorSet = Decoded<typeof ValidatorSet>;
export const ValidatorSet = choice("ValidatorSet", {
  plain: record("validators#11", { ...common, list: hashmap(index, ValidatorDescr) }),
  ext: record("validators_ext#12", { ...common, totalWeight: uint64, list: hashmapE(index, ValidatorDescr) }),
});

/** Total weight of the set: the stated one, otherwise the sum. */
export function totalWeight(set: ValidatorSet): bigint {
  if (set.kind === "ext") return set.totalWeight;
  let sum = 0n;
  for (const { weight } of set.list.values()) sum += weight;
  return sum;
}
