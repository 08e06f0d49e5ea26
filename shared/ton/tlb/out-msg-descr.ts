// _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr;
import type { AugDictionary, Augmentation } from "../cells/dictionaries/aug-dictionary.js";
import { bytesKey } from "../cells/dictionaries/dictionary.js";
import { addCurrencies, CurrencyCollection, noCurrencies } from "./currency-collection.js";
import { hashmapAugE } from "./dictionaries.js";
import { carriedValue } from "./in-msg-descr.js";
import { OutMsg } from "./out-msg.js";

/** A message exports its value when it enters a queue. Records of leaving a queue do not count. */
function exportedValue(message: OutMsg): CurrencyCollection {
  switch (message.kind) {
    case "new":
    case "newDefer":
    case "tr":
    case "trReq":
    case "deferredTr":
      return carriedValue(message.outMsg.value);
    default:
      return noCurrencies;
  }
}

/** As of global version 12. Before, the value of a message also included its ihr_fee. */
const outMsgAugmentation: Augmentation<OutMsg, CurrencyCollection> = {
  codec: CurrencyCollection,
  empty: noCurrencies,
  leaf: exportedValue,
  fork: addCurrencies,
};

/** Keyed by message hash. */
export type OutMsgDescr = AugDictionary<Uint8Array, OutMsg, CurrencyCollection>;
export const OutMsgDescr = hashmapAugE(bytesKey(32), OutMsg, outMsgAugmentation);
