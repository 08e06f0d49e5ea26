import type { Cell } from "../../shared/ton/cells/cell.js";
import { anySlice, Dictionary } from "../../shared/ton/cells/dictionaries/dictionary.js";
import type { KeyCodec } from "../../shared/ton/cells/dictionaries/dictionary-codec.js";
import { Answer, type GetMethods, UnexpectedAnswer } from "../../shared/ton/contracts/get-method.js";
import { Address } from "../../shared/values/address.js";

/** Hash of the code of vesting wallets, upper-case hex. */
export const vestingCodeHash = "B48B531ABEC3B714638291F7D77ED6DC9F6A2729EFCA20477137374D4AE8B590";

/** A vesting wallet. Times are unix seconds, durations seconds, the amount nanotons. */
type Vesting = {
  startTime: bigint;
  totalDuration: bigint;
  unlockPeriod: bigint;
  cliffDuration: bigint;
  totalAmount: bigint;
  sender: Address;
  owner: Address;
  /** Accounts that locked funds may be sent to. */
  whitelist: readonly Address[];
};

/**
 * Reads a vesting by `(start_time, total_duration, unlock_period, cliff_duration, total_amount, sender, owner, whitelist)
 * get_vesting_data()`. Throws UnexpectedAnswer or a CellError if the account is none.
 */
export async function readVesting(methods: GetMethods, address: Address): Promise<Vesting> {
  const data = await Answer.of(methods, address, "get_vesting_data");
  return {
    startTime: data.number(0),
    totalDuration: data.number(1),
    unlockPeriod: data.number(2),
    cliffDuration: data.number(3),
    totalAmount: data.int(4),
    sender: data.address(5),
    owner: data.address(6),
    whitelist: data.isNull(7) ? [] : readWhitelist(data.cell(7)),
  };
}

/** More addresses than any whitelist has; a larger dictionary has shared branches. */
const maxWhitelist = 256;

const addressKey: KeyCodec<Address> = {
  bits: 264,
  store: ({ workchain, hash }, builder) => builder.storeInt(workchain, 8).storeBytes(hash),
  load: (slice) => new Address(slice.loadInt(8), slice.loadBytes(32)),
};

/** `Hashmap 264 X`: the keys are a workchain of 8 bits and an account id. */
function readWhitelist(root: Cell): Address[] {
  const whitelist: Address[] = [];
  for (const address of Dictionary.loadDirect(root, addressKey, anySlice).keys()) {
    if (whitelist.length === maxWhitelist) throw new UnexpectedAnswer("the whitelist is too long");
    whitelist.push(address);
  }
  return whitelist;
}
