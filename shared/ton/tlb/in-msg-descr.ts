// import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees;
// _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;
import type { AugDictionary, Augmentation } from "../cells/dictionaries/aug-dictionary.js";
import { bytesKey } from "../cells/dictionaries/dictionary.js";
import { type Decoded, TlbError } from "./codec.js";
import { addCurrencies, CurrencyCollection, noCurrencies, onlyCoins } from "./currency-collection.js";
import { hashmapAugE } from "./dictionaries.js";
import { InMsg } from "./in-msg.js";
import { envelopedInfo, type MsgEnvelope } from "./msg-envelope.js";
import { coins } from "./primitives.js";
import { record } from "./record.js";

type ImportFees = Decoded<typeof ImportFees>;
const ImportFees = record("import_fees$_", {
  feesCollected: coins,
  valueImported: CurrencyCollection,
});

const noFees: ImportFees = { feesCollected: 0n, valueImported: noCurrencies };

/** Value of an internal message plus the forwarding fees it still carries. */
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
      throw new TlbError("InMsg: import by hypercube routing is not supported");
  }
}

/** As of global version 12. Before, the value of a message also included its ihr_fee. */
const inMsgAugmentation: Augmentation<InMsg, ImportFees> = {
  codec: ImportFees,
  empty: noFees,
  leaf: importFees,
  fork: (a, b) => ({
    feesCollected: a.feesCollected + b.feesCollected,
    valueImported: addCurrencies(a.valueImported, b.valueImported),
  }),
};

/** Keyed by message hash. */
export type InMsgDescr = AugDictionary<Uint8Array, InMsg, ImportFees>;
export const InMsgDescr = hashmapAugE(bytesKey(32), InMsg, inMsgAugmentation);
