import { Address } from "../../../values/address.js";
import { bitsOfText } from "../../bodies/bits-text.js";
import { BitString } from "../../bodies/value.js";
import { type Builder, beginCell } from "../../cells/builder.js";
import { CellError } from "../../cells/cell-error.js";
import type { Slice } from "../../cells/slice.js";
import { MsgAddress } from "../../tlb/msg-address.js";
import { type Kind, scalar } from "../kind.js";
import type { AbiValue } from "../value.js";
import type { Work } from "../work.js";
import { cellInSlot } from "./raw.js";
import { showBits } from "./texts.js";

type Form = "account" | "external" | "none";

/** An address of one of these forms. Addresses with anycast or of other lengths fit none of them. */
function addressOf(...forms: readonly Form[]): Kind {
  const check = (value: AbiValue, work: Work): Address | BitString | undefined => {
    const form = formOf(value);
    if (form === undefined || !forms.includes(form))
      return work.refuse(`expected an address (${forms.join(", ")})`);
    return value as Address | BitString | undefined;
  };
  return scalar({
    load: (from) => {
      const value = loadAddress(from);
      if (!forms.includes(formOf(value)!)) throw new CellError("invalid", "an address has another form");
      return value;
    },
    store: (value, to, work) => storeAddress(check(value, work), to),
    fromSlot: (slot, work) => {
      // Tolk's nullable addresses are null, those of FunC addr_none.
      if (slot.type === "null") return check(undefined, work);
      const from = cellInSlot(slot, work).parse();
      const value = loadAddress(from);
      from.end();
      return check(value, work);
    },
    toSlot: (value, work) => {
      const address = check(value, work);
      if (address === undefined && !forms.includes("external")) return { type: "null" };
      const builder = beginCell();
      storeAddress(address, builder);
      return { type: "slice", cell: builder.endCell() };
    },
    show: (value, work) =>
      value === undefined
        ? null
        : value instanceof Address
          ? value.toRawUpper()
          : showBits(value as BitString, work),
    parse: (json, work) => check(parse(json, work), work),
  });
}

export const address = addressOf("account");
export const addressOpt = addressOf("account", "none");
export const addressExt = addressOf("external");
export const addressAny = addressOf("account", "external", "none");

function formOf(value: AbiValue): Form | undefined {
  if (value === undefined) return "none";
  if (value instanceof Address) return "account";
  return value instanceof BitString ? "external" : undefined;
}

function loadAddress(from: Slice): Address | BitString | undefined {
  const value = MsgAddress.load(from);
  if (value === undefined || value instanceof Address) return value;
  if (value.kind !== "external") throw new CellError("invalid", "an address has anycast or another length");
  return new BitString(value.value, value.bits);
}

function storeAddress(value: Address | BitString | undefined, to: Builder): void {
  if (value instanceof BitString)
    MsgAddress.store({ kind: "external", bits: value.length, value: value.value }, to);
  else to.storeAddress(value);
}

function parse(json: unknown, work: Work): AbiValue {
  if (json === null || json === undefined) return undefined;
  if (typeof json !== "string") return work.refuse("expected an address");
  const { address } = Address.read(json) ?? {};
  return address ?? bitsOfText(json) ?? work.refuse("expected an address");
}
