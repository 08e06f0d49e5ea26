import { Address } from "../../shared/values/address.js";

/** An address as it is stored: the workchain as one signed byte, then the account id. */
export function addressToBytes({ workchain, hash }: Address): Uint8Array {
  const bytes = new Uint8Array(33);
  bytes[0] = workchain;
  bytes.set(hash, 1);
  return bytes;
}

export function addressFromBytes(bytes: Uint8Array): Address {
  return new Address((bytes[0]! << 24) >> 24, bytes.slice(1));
}
