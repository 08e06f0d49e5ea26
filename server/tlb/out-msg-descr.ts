// _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr;
import type { AugDictionary, Augmentation } from "../cells/aug-dictionary.js";
import { bytesKey } from "../cells/dictionary.js";
import { addCurrencies, CurrencyCollection, noCurrencies } from "./currency-collection.js";
import { hashmapAugE } from "./dictionaries.js";
import { carriedValue } from "./in-msg-descr.js";
import { OutMsg } from "./out-msg.js";

/** Value leaves with messages that enter a queue; the records of their leaving it again count nothing. */
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

/** As of global version 12: before, a message with an ihr_fee carried that as well. */
const outMsgAugmentation: Augmentation<OutMsg, CurrencyCollection> = {
  codec: CurrencyCollection,
  empty: noCurrencies,
  leaf: exportedValue,
  fork: addCurrencies,
};

/** By the hashes of the messages. */
export type OutMsgDescr = AugDictionary<Uint8Array, OutMsg, CurrencyCollection>;
export const OutMsgDescr = hashmapAugE(bytesKey(32), OutMsg, outMsgAugmentation);
