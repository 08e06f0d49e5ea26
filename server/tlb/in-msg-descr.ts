// import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees;
// _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;
import type { AugDictionary, Augmentation } from "../cells/aug-dictionary.js";
import { bytesKey } from "../cells/dictionary.js";
import { type Decoded, TlbError } from "./codec.js";
import { addCurrencies, CurrencyCollection, noCurrencies, onlyCoins } from "./currency-collection.js";
import { hashmapAugE } from "./dictionaries.js";
import { InMsg } from "./in-msg.js";
import { envelopedInfo, type MsgEnvelope } from "./msg-envelope.js";
import { coins } from "./primitives.js";
import { record } from "./record.js";

export type ImportFees = Decoded<typeof ImportFees>;
export const ImportFees = record("import_fees$_", {
  feesCollected: coins,
  valueImported: CurrencyCollection,
});

const noFees: ImportFees = { feesCollected: 0n, valueImported: noCurrencies };

/** What an internal message brings along beside the value it delivers. */
export function carriedValue(envelope: MsgEnvelope): CurrencyCollection {
  return addCurrencies(envelopedInfo(envelope).value, onlyCoins(envelope.fwdFeeRemaining));
}

function importFees(inMsg: InMsg): ImportFees {
  switch (inMsg.kind) {
    case "ext":
      return noFees;
    case "imm":
      return { feesCollected: inMsg.fwdFee, valueImported: noCurrencies };
    case "fin":
    case "deferredFin":
      return {
        feesCollected: inMsg.inMsg.value.fwdFeeRemaining,
        valueImported: carriedValue(inMsg.inMsg.value),
      };
    case "tr":
      return { feesCollected: inMsg.transitFee, valueImported: carriedValue(inMsg.inMsg.value) };
    case "deferredTr":
      return { feesCollected: 0n, valueImported: carriedValue(inMsg.inMsg.value) };
    case "discardFin":
    case "discardTr":
      return { feesCollected: inMsg.fwdFee, valueImported: onlyCoins(inMsg.fwdFee) };
    case "ihr":
      throw new TlbError("InMsg: no node imports a message by hypercube routing");
  }
}

/** As of global version 12: before, a message with an ihr_fee carried that as well. */
const inMsgAugmentation: Augmentation<InMsg, ImportFees> = {
  codec: ImportFees,
  empty: noFees,
  leaf: importFees,
  fork: (a, b) => ({
    feesCollected: a.feesCollected + b.feesCollected,
    valueImported: addCurrencies(a.valueImported, b.valueImported),
  }),
};

/** By the hashes of the messages. */
export type InMsgDescr = AugDictionary<Uint8Array, InMsg, ImportFees>;
export const InMsgDescr = hashmapAugE(bytesKey(32), InMsg, inMsgAugmentation);
