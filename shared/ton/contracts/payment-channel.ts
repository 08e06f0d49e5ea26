import type { Address } from "../../values/address.js";
import type { Cell } from "../cells/cell.js";
import type { Slice } from "../cells/slice.js";
import { codec, type Decoded, decode, TlbError } from "../tlb/codec.js";
import { accountOf, MsgAddressInt } from "../tlb/msg-address.js";

/** One of the two sides of a channel. */
type Side = { publicKey: Uint8Array; address: Address };

/**
 * `chan_config$_ init_timeout:uint32 close_timeout:uint32 a_key:bits256 b_key:bits256 a_addr:^MsgAddressInt
 * b_addr:^MsgAddressInt channel_id:uint64 min_A_extra:Grams = ChanConfig;` tonlib reads the numbers as signed.
 */
const ChanConfig = codec("ChanConfig", loadConfig, readOnly);

/**
 * `chan_state_init$000 signed_A:Bool signed_B:Bool min_A:Grams min_B:Grams expire_at:uint32 A:Grams B:Grams = ChanState;`
 * `chan_state_close$001 signed_A:Bool signed_B:Bool promise_A:Grams promise_B:Grams expire_at:uint32 A:Grams B:Grams = ChanState;`
 * `chan_state_payout$010 A:Grams B:Grams = ChanState;`
 */
const ChanState = codec("ChanState", loadState, readOnly);

/** `chan_data$_ config:^ChanConfig state:^ChanState = ChanData;` */
const ChanData = codec(
  "ChanData",
  (data) => ({ config: decode(ChanConfig, data.loadRef()), state: decode(ChanState, data.loadRef()) }),
  readOnly,
);

/** The first payment channels of the TON repository (`payment-channel-code.fc`). Amounts are nanotons. */
export type PaymentChannel = Decoded<typeof ChanData>;
export type ChannelState = Decoded<typeof ChanState>;

/** Throws for data that are not exactly a channel's. */
export function readPaymentChannel(data: Cell): PaymentChannel {
  return decode(ChanData, data);
}

function loadConfig(slice: Slice) {
  const [initTimeout, closeTimeout] = [slice.loadInt(32), slice.loadInt(32)];
  const [aliceKey, bobKey] = [slice.loadBytes(32), slice.loadBytes(32)];
  const alice: Side = { publicKey: aliceKey, address: loadAddress(slice) };
  const bob: Side = { publicKey: bobKey, address: loadAddress(slice) };
  const channelId = slice.loadBigInt(64);
  slice.loadCoins();
  return { initTimeout, closeTimeout, alice, bob, channelId };
}

function loadAddress(slice: Slice): Address {
  const address = accountOf(decode(MsgAddressInt, slice.loadRef()));
  if (!address) throw new TlbError("the address of a side is of no account");
  return address;
}

function loadState(slice: Slice) {
  const tag = slice.loadUint(3);
  if (tag === 2) return { kind: "payout" as const, a: slice.loadCoins(), b: slice.loadCoins() };
  if (tag > 2) throw new TlbError(`a channel has no state ${tag}`);
  return {
    kind: tag === 0 ? ("init" as const) : ("close" as const),
    signedA: slice.loadBit(),
    signedB: slice.loadBit(),
    /** Least deposit of each side, or the amount promised to each. */
    minA: slice.loadCoins(),
    minB: slice.loadCoins(),
    expireAt: slice.loadUint(32),
    a: slice.loadCoins(),
    b: slice.loadCoins(),
  };
}

function readOnly(): never {
  throw new TlbError("data of payment channels is only read");
}
