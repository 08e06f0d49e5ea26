import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../../store/address-bytes.js";

/** `address` is an older name of a single `owner_address`. */
export type OwnerParams = { owner_address?: Address[] | undefined; address?: Address | undefined };

/** The owners by which a list of token events is filtered. */
export function ownersOf({ owner_address, address }: OwnerParams): Uint8Array[] | undefined {
  const owners = owner_address?.length ? owner_address : address && [address];
  return owners?.map(addressToBytes);
}
