import { Address, type ParsedAddress } from "../../shared/values/address.js";
import { base64ToBytes, hexToBytes } from "../../shared/values/bytes.js";
import { RpcError } from "../errors.js";

type Input = string | number | bigint | null | undefined;

function invalid(text: string): never {
  throw new RpcError("invalid-params", text);
}

export function addressOf(text: string): Address {
  return writtenOf(text).address;
}

/** An address with the form in which the caller writes it. */
export function writtenOf(text: string): ParsedAddress {
  return Address.read(text) ?? invalid(`${text} is not an address`);
}

/** A hash in hex or base64. */
export function hashOf(text: string): Uint8Array {
  const bytes = text.length === 64 ? hexToBytes(text) : base64ToBytes(text);
  return bytes?.length === 32 ? bytes : invalid(`${text} is not a hash`);
}

/** A whole number of any size; undefined if it is absent. */
export function maybeInteger(name: string, value: Input): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  try {
    return BigInt(value);
  } catch (cause) {
    throw new RpcError("invalid-params", `${name} is not a whole number`, { cause });
  }
}

export function integer(name: string, value: Input): bigint {
  return maybeInteger(name, value) ?? invalid(`${name} is missing`);
}

/** A number as the configuration's parameters have: of 32 bits, with a sign. */
export function int32(name: string, value: Input): number {
  const number = integer(name, value);
  return BigInt.asIntN(32, number) === number ? Number(number) : invalid(`${name} is out of range`);
}

/** A number that a block or list has: from 0 to 2^32 - 1. */
export function maybeCount(name: string, value: Input): number | undefined {
  const number = maybeInteger(name, value);
  if (number === undefined) return undefined;
  return number >= 0n && number < 1n << 32n ? Number(number) : invalid(`${name} is out of range`);
}

export function bagOf(name: string, text: string): Uint8Array {
  return base64ToBytes(text) ?? invalid(`${name} is not base64`);
}
