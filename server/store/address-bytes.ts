import { Address } from "../../shared/values/address.js";
import { hexToBytes } from "../../shared/values/bytes.js";

/** An address as it is stored: the workchain as one signed byte, then the account id. */
export function addressToBytes({ workchain, hash }: Address): Uint8Array {
  const bytes = new Uint8Array(33);
  bytes[0] = workchain;
  bytes.set(hash, 1);
  return bytes;
}

/** Like `addressToBytes`, of a raw form that is known to be valid. */
export function rawAddressToBytes(raw: string): Uint8Array {
  const bytes = new Uint8Array(33);
  const colon = raw.length - 65;
  bytes[0] = Number(raw.slice(0, colon));
  bytes.set(hexToBytes(raw.slice(colon + 1))!, 1);
  return bytes;
}

/** The raw form in upper case. */
export function rawAddressFromBytes(bytes: Uint8Array): string {
  const hash = Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.length - 1);
  return `${(bytes[0]! << 24) >> 24}:${hash.toString("hex").toUpperCase()}`;
}

/** The inverse of `addressToBytes`. The hash is a copy. */
export function addressFromBytes(bytes: Uint8Array): Address {
  return new Address((bytes[0]! << 24) >> 24, bytes.slice(1));
}
