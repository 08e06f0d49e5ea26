export {
  type ExitCode,
  type ExitMeaning,
  explainExitCode,
  type Phase,
} from "../../shared/values/exit-codes/explain.js";
export type { Address, AddressForm, ParsedAddress } from "./addresses.js";
export { formatAddress, parseAddress, sameAddress } from "./addresses.js";
export { fromNano, lt, nano, toNano } from "./amounts.js";
export { addressOf, cellHash } from "./cells.js";
export { hash } from "./names.js";
export { type LegacyItem, type StackItem, type StdItem, stack, type V3Item } from "./stack.js";
export { formatUnits, parseUnits } from "./units.js";
