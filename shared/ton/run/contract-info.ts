import type { Address } from "../../values/address.js";
import { beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import type { Slice } from "../cells/slice.js";
import { hashNumber, walk } from "../proofs/make/dictionary-walk.js";
import type { CellOf } from "../tlb/cell-of.js";
import { decode, encode } from "../tlb/codec.js";
import { configParam } from "../tlb/config/config-param.js";
import { ConfigDictionary } from "../tlb/config-params.js";
import type { CurrencyCollection } from "../tlb/currency-collection.js";
import type { Message } from "../tlb/message.js";
import { MsgAddress } from "../tlb/msg-address.js";
import { ifReadable } from "../tlb/readable.js";
import type { StackValue } from "../tvm/stack.js";

/** Facts that the machine gives a contract on request. A fact that is not known is undefined. */
export type ContractContext = {
  /** Root of the configuration. */
  config: Cell;
  now: number;
  /** Logical times of the block and of the transaction; 0 for get-methods. */
  blockLt: bigint;
  lt: bigint;
  /** That of the contract. */
  randSeed: Uint8Array;
  balance: CurrencyCollection | undefined;
  address: Address;
  code: Cell | undefined;
  /** The part of the message's value that is left. */
  incoming: CurrencyCollection | undefined;
  storageFees: bigint | undefined;
  /** Undefined: null. */
  previousBlocks: StackValue | undefined;
  duePayment: bigint | undefined;
  /** Undefined: there is none. */
  message: CellOf<Message> | undefined;
};

type MaybeKnown = StackValue | undefined;

const magic = 0x076ef1ean;
/** Parameters in the unpacked configuration, after the storage prices (18). */
const unpackedParams = [19, 20, 21, 24, 25, 43];
const none: StackValue = { type: "null" };
const zero = int(0n);

/** The members of SmartContractInfo, the first item of c7, that the configuration's version has. */
export function contractInfo(context: ContractContext): MaybeKnown[] {
  const params = decode(ConfigDictionary, context.config);
  const version = ifReadable(() => configParam(params, 8)?.version) ?? 0;
  const { code, incoming, storageFees, previousBlocks = none, duePayment, now } = context;
  const info = basicInfo(context);
  if (version >= 4) info.push(cellValue(code), currencies(incoming), int(storageFees), previousBlocks);
  if (version >= 6) info.push(unpackedConfig(params, now), int(duePayment), precompiledGas(params, code));
  if (version >= 11) info.push(messageInfo(context));
  return info;
}

/** `[ magic actions msgs_sent unixtime block_lt trans_lt rand_seed balance_remaining myself global_config ] = SmartContractInfo` */
function basicInfo({ now, blockLt, lt, randSeed, balance, address, config }: ContractContext): MaybeKnown[] {
  return [
    int(magic),
    zero,
    zero,
    int(BigInt(now)),
    int(blockLt),
    int(lt),
    int(hashNumber(randSeed)),
    currencies(balance),
    sliceValue(beginCell().storeAddress(address).endCell()),
    cellValue(config),
  ];
}

function unpackedConfig(params: ConfigDictionary, now: number): StackValue {
  const prices = storagePrices(params, now);
  const others = unpackedParams.map((number) => params.get(number));
  return tuple([prices?.toCell(), ...others].map((cell) => (cell ? sliceValue(cell) : none)));
}

/** `_ (Hashmap 32 StoragePrices) = ConfigParam 18`: the newest prices that are in force at `now`. */
function storagePrices(params: ConfigDictionary, now: number): Slice | undefined {
  const prices = params.get(18);
  const latest = prices && walk(prices, 32, BigInt(now), true).next();
  return latest?.value?.value;
}

function precompiledGas(params: ConfigDictionary, code: Cell | undefined): StackValue {
  const list = ifReadable(() => configParam(params, 45)?.list);
  const gas = code && list?.get(code.hash())?.gasUsage;
  return gas === undefined ? none : { type: "int", value: gas };
}

/** `[ bounce bounced src_addr fwd_fee created_lt created_at orig_value value value_extra state_init ]` */
function messageInfo({ message, incoming }: ContractContext): MaybeKnown {
  if (!message) return tuple([zero, zero, addressValue(undefined), zero, zero, zero, zero, zero, none, none]);
  if (!incoming) return undefined;
  const { info, init } = message.value;
  const isInternal = info.kind === "internal";
  const flag = (isSet: boolean): StackValue => int(isSet ? -1n : 0n);
  return tuple([
    flag(isInternal && info.bounce),
    flag(isInternal && info.bounced),
    addressValue(info.src),
    int(isInternal ? info.fwdFee : 0n),
    int(isInternal ? info.createdLt : 0n),
    int(BigInt(isInternal ? info.createdAt : 0)),
    int(isInternal ? info.value.coins : 0n),
    int(incoming.coins),
    maybeCell(incoming.extra.root),
    maybeCell(init?.cell),
  ]);
}

function addressValue(address: MsgAddress): StackValue {
  return sliceValue(encode(MsgAddress, address));
}

function currencies(amount: CurrencyCollection | undefined): MaybeKnown {
  return amount && tuple([int(amount.coins), maybeCell(amount.extra.root)]);
}

function int(value: bigint): StackValue;
function int(value: bigint | undefined): MaybeKnown;
function int(value: bigint | undefined): MaybeKnown {
  return value === undefined ? undefined : { type: "int", value };
}

function cellValue(cell: Cell): StackValue;
function cellValue(cell: Cell | undefined): MaybeKnown;
function cellValue(cell: Cell | undefined): MaybeKnown {
  return cell && { type: "cell", cell };
}

function maybeCell(cell: Cell | undefined): StackValue {
  return cell ? { type: "cell", cell } : none;
}

/** A slice of all that a cell has. */
function sliceValue(cell: Cell): StackValue {
  return { type: "slice", cell };
}

function tuple(items: StackValue[]): StackValue {
  return { type: "tuple", items };
}
