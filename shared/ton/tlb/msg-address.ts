// addr_none$00 = MsgAddressExt;
// addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt;
// anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
// addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
// addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len) = MsgAddressInt;
// _ _:MsgAddressInt = MsgAddress;
// _ _:MsgAddressExt = MsgAddress;
import { Address } from "../../values/address.js";
import { bytesToHex } from "../../values/bytes.js";
import type { Builder } from "../cells/builder.js";
import type { Slice } from "../cells/slice.js";
import { codec, TlbError } from "./codec.js";
import { upTo } from "./primitives.js";

/** Replaces the first `depth` bits of an address by `prefix`. */
type Anycast = { depth: number; prefix: number };
/** `addr_std` with a rewritten prefix. Since global version 10 it is invalid in accounts and destinations. */
type AnycastAddress = { kind: "anycast"; anycast: Anycast; address: Address };
/** `addr_var`: `value` contains the `bits` bits of the address. */
type VariableAddress = {
  kind: "variable";
  anycast: Anycast | undefined;
  workchain: number;
  bits: number;
  value: bigint;
};
/** `addr_extern`: `value` contains the `bits` bits of the address. */
export type ExternalAddress = { kind: "external"; bits: number; value: bigint };

/** An `addr_std` without anycast is an `Address`. */
export type MsgAddressInt = Address | AnycastAddress | VariableAddress;
/** `undefined` is `addr_none`. */
export type MsgAddressExt = ExternalAddress | undefined;
export type MsgAddress = MsgAddressInt | MsgAddressExt;

const none = 0b00;
const external = 0b01;
const standard = 0b10;

function loadMsgAddress(slice: Slice): MsgAddress {
  switch (slice.loadUint(2)) {
    case none:
      return undefined;
    case external: {
      const bits = slice.loadUint(9);
      return { kind: "external", bits, value: slice.loadBigUint(bits) };
    }
    case standard: {
      const anycast = loadAnycast(slice);
      const address = new Address(slice.loadInt(8), slice.loadBytes(32));
      return anycast ? { kind: "anycast", anycast, address } : address;
    }
    default: {
      const anycast = loadAnycast(slice);
      const bits = slice.loadUint(9);
      return {
        kind: "variable",
        anycast,
        bits,
        workchain: slice.loadInt(32),
        value: slice.loadBigUint(bits),
      };
    }
  }
}

function storeMsgAddress(address: MsgAddress, builder: Builder): void {
  if (address === undefined) {
    builder.storeUint(none, 2);
  } else if (address instanceof Address) {
    builder.storeAddress(address);
  } else if (address.kind === "external") {
    builder.storeUint(external, 2).storeUint(address.bits, 9).storeUint(address.value, address.bits);
  } else if (address.kind === "anycast") {
    builder.storeUint(standard, 2);
    storeAnycast(address.anycast, builder);
    builder.storeInt(address.address.workchain, 8).storeBytes(address.address.hash);
  } else {
    builder.storeUint(0b11, 2);
    storeAnycast(address.anycast, builder);
    builder.storeUint(address.bits, 9).storeInt(address.workchain, 32).storeUint(address.value, address.bits);
  }
}

function isInternal(address: MsgAddress): address is MsgAddressInt {
  return address !== undefined && (address instanceof Address || address.kind !== "external");
}

export const MsgAddress = codec("MsgAddress", loadMsgAddress, storeMsgAddress);

export const MsgAddressInt = codec<MsgAddressInt>(
  "MsgAddressInt",
  (slice) => {
    const address = loadMsgAddress(slice);
    if (!isInternal(address)) throw new TlbError("MsgAddressInt starts with $10 or $11, not with $00 or $01");
    return address;
  },
  storeMsgAddress,
);

export const MsgAddressExt = codec<MsgAddressExt>(
  "MsgAddressExt",
  (slice) => {
    const address = loadMsgAddress(slice);
    if (isInternal(address)) throw new TlbError("MsgAddressExt starts with $00 or $01, not with $10 or $11");
    return address;
  },
  storeMsgAddress,
);

/**
 * The account of an address, with its prefix rewritten. `undefined` for external addresses, `addr_none` and impossible
 * accounts: a length other than 256 bits or a workchain outside -128..127.
 */
export function accountOf(address: MsgAddress): Address | undefined {
  if (address instanceof Address) return address;
  if (address === undefined || address.kind === "external") return undefined;
  if (address.kind === "anycast") return rewrite(address.address, address.anycast);
  const { workchain, bits, value, anycast } = address;
  if (bits !== 256 || workchain < -128 || workchain > 127) return undefined;
  const plain = new Address(workchain, hashOf(value));
  return anycast ? rewrite(plain, anycast) : plain;
}

/** Number of leading bits of the address that are rewritten. */
export function anycastDepth(address: MsgAddressInt): number {
  return address instanceof Address ? 0 : (address.anycast?.depth ?? 0);
}

function rewrite({ workchain, hash }: Address, { depth, prefix }: Anycast): Address {
  const rest = BigInt(256 - depth);
  const value = BigInt(`0x${bytesToHex(hash)}`);
  return new Address(workchain, hashOf((BigInt(prefix) << rest) | BigInt.asUintN(256 - depth, value)));
}

function hashOf(value: bigint): Uint8Array {
  const hash = new Uint8Array(32);
  const view = new DataView(hash.buffer);
  for (let word = 0; word < 4; word++) view.setBigUint64(8 * word, value >> BigInt(64 * (3 - word)));
  return hash;
}

const depthType = upTo(30);

function loadAnycast(slice: Slice): Anycast | undefined {
  if (!slice.loadBit()) return undefined;
  const depth = depthType.load(slice);
  if (depth === 0) throw new TlbError("Anycast has a depth of at least 1");
  return { depth, prefix: slice.loadUint(depth) };
}

function storeAnycast(anycast: Anycast | undefined, builder: Builder): void {
  builder.storeBit(anycast !== undefined);
  if (!anycast) return;
  depthType.store(anycast.depth, builder);
  builder.storeUint(anycast.prefix, anycast.depth);
}
