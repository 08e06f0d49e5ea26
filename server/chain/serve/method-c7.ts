import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { Slice } from "../../../shared/ton/cells/slice.js";
import { hashNumber, walk } from "../../../shared/ton/proofs/make/dictionary-walk.js";
import type { MethodRequest } from "../../../shared/ton/run/method-request.js";
import type { ExistingAccount } from "../../../shared/ton/tlb/account.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import type { CurrencyCollection } from "../../../shared/ton/tlb/currency-collection.js";
import { GlobalVersion } from "../../../shared/ton/tlb/global-version.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";

/** The context of a get-method's run, without method and arguments. */
export type MethodContext = Omit<MethodRequest, "methodId" | "stack" | "gasLimit"> & {
  account: ExistingAccount;
  lt: bigint;
};

const magic = 0x076ef1ean;
/** Parameters in the unpacked configuration, after the storage prices (18). */
const unpackedParams = [19, 20, 21, 24, 25, 43];
const none: StackValue = { type: "null" };

/** The c7 tuple of a run. The short form leaves out the configuration and all later fields. */
export function methodC7(context: MethodContext, full: boolean): StackValue {
  const info = [...basicInfo(context, full), ...(full ? laterInfo(context) : [])];
  return tuple([tuple(info)]);
}

/** `[ magic actions msgs_sent unixtime block_lt trans_lt rand_seed balance_remaining myself global_config ] = SmartContractInfo` */
function basicInfo(
  { account, config, now, lt, randSeed, address }: MethodContext,
  full: boolean,
): StackValue[] {
  return [
    int(magic),
    int(0n),
    int(0n),
    int(BigInt(now)),
    int(lt),
    int(lt),
    int(hashNumber(randSeed)),
    currencies(account.storage.balance),
    sliceValue(beginCell().storeAddress(address).endCell().parse()),
    full ? cellValue(config) : none,
  ];
}

/** Fields added by global versions 4, 6 and 11. */
function laterInfo({ account, code, config, now, previousBlocks = none }: MethodContext): StackValue[] {
  const params = decode(ConfigDictionary, config);
  const versionCell = params.get(8);
  const version = versionCell ? decode(GlobalVersion, versionCell).version : 0;
  return [
    ...(version >= 4 ? [cellValue(code), tuple([int(0n), none]), int(0n), previousBlocks] : []),
    ...(version >= 6 ? [unpackedConfig(params, now), int(account.storageStat.duePayment ?? 0n), none] : []),
    ...(version >= 11 ? [noMessage()] : []),
  ];
}

function unpackedConfig(params: ConfigDictionary, now: number): StackValue {
  const slices = unpackedParams.map((number) => params.get(number)?.parse());
  return tuple([storagePrices(params, now), ...slices].map((slice) => (slice ? sliceValue(slice) : none)));
}

/** `_ (Hashmap 32 StoragePrices) = ConfigParam 18`: the newest prices that are in force at `now`. */
function storagePrices(params: ConfigDictionary, now: number): Slice | undefined {
  const prices = params.get(18);
  const latest = prices && walk(prices, 32, BigInt(now), true).next();
  return latest?.value?.value;
}

/** `[ bounce bounced src_addr fwd_fee created_lt created_at orig_value value value_extra state_init ]` */
function noMessage(): StackValue {
  const zero = int(0n);
  const addrNone = sliceValue(beginCell().storeUint(0, 2).endCell().parse());
  return tuple([zero, zero, addrNone, zero, zero, zero, zero, zero, none, none]);
}

function currencies({ coins, extra }: CurrencyCollection): StackValue {
  return tuple([int(coins), extra.root ? cellValue(extra.root) : none]);
}

function int(value: bigint): StackValue {
  return { type: "int", value };
}

function cellValue(cell: Cell): StackValue {
  return { type: "cell", cell };
}

function sliceValue(slice: Slice): StackValue {
  return { type: "slice", cell: slice.toCell() };
}

function tuple(items: StackValue[]): StackValue {
  return { type: "tuple", items };
}
