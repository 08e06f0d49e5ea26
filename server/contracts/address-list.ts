import type { Address } from "../../shared/values/address.js";
import type { Cell } from "../cells/cell.js";
import { anySlice, Dictionary, uintKey } from "../cells/dictionary.js";
import { loadStandardAddress, UnexpectedAnswer } from "./get-method.js";

/** `Hashmap 8 MsgAddress`: addresses in the order of their keys. Throws UnexpectedAnswer if one is not `addr_std`. */
export function readAddressList(root: Cell): Address[] {
  const entries = Dictionary.loadDirect(root, uintKey(8), anySlice);
  return Array.from(entries.values(), (value) => {
    const address = loadStandardAddress(value);
    if (!address) throw new UnexpectedAnswer("a list of addresses has another value");
    return address;
  });
}
