import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Dictionary } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import type { KeyCodec } from "../../../shared/ton/cells/dictionaries/dictionary-codec.js";
import type { Address } from "../../../shared/values/address.js";

type VestingState = {
  sender: Address;
  owner: Address;
  whitelist?: readonly Address[];
  startTime?: bigint;
  totalAmount?: bigint;
};

const accountKey: KeyCodec<Address> = {
  bits: 264,
  store: ({ workchain, hash }, builder) => builder.storeInt(workchain, 8).storeBytes(hash),
  load: () => {
    throw new Error("is only written");
  },
};
const nothing = { store: () => {}, load: () => undefined };

/** Data of the published vesting wallet; the whitelist may be any cell. */
export function vestingData(
  { sender, owner, whitelist = [], startTime = 1_700_000_000n, totalAmount = 10n ** 18n }: VestingState,
  whitelistCell = Dictionary.empty(accountKey, nothing).update(
    whitelist.map((address) => [address, null as never]),
  ).root,
): Cell {
  const terms = beginCell()
    .storeUint(startTime, 64)
    .storeUint(31_104_000, 32)
    .storeUint(2_592_000, 32)
    .storeUint(5_184_000, 32)
    .storeCoins(totalAmount)
    .storeAddress(sender)
    .storeAddress(owner);
  return beginCell()
    .storeUint(0, 32)
    .storeUint(0, 32)
    .storeUint(1, 256)
    .storeMaybeRef(whitelistCell)
    .storeRef(terms.endCell())
    .endCell();
}
