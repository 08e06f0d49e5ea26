export { type ExitCode, type ExitMeaning, explainExitCode, type Phase } from "../shared/values/exit-codes.js";
export type { Address, AddressForm, ParsedAddress } from "./values/addresses.js";
export { formatAddress, parseAddress, sameAddress } from "./values/addresses.js";
export { fromNano, lt, nano, toNano } from "./values/amounts.js";
export { addressOf, cellHash } from "./values/cells.js";
export { hash } from "./values/names.js";
export { type LegacyItem, type StackItem, type StdItem, stack, type V3Item } from "./values/stack.js";
export { formatUnits, parseUnits } from "./values/units.js";
