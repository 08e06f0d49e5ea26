import { Address, type FriendlyFlags, type ParsedAddress } from "../../shared/values/address.js";

export type { Address, ParsedAddress };

/** The form in which `formatAddress` writes an address. */
export type AddressForm = Partial<FriendlyFlags> & {
  /** `<workchain>:<64 hex>` instead of the friendly form. */
  readonly raw?: boolean | undefined;
  /** False for standard base64 instead of base64url. */
  readonly urlSafe?: boolean;
};

/**
 * Parses an address: raw (`0:83df…`) or friendly (`EQCD…`), whose checksum is verified. The result has the flags of the
 * text beside the `address`. Throws a TypeError for other text.
 */
export function parseAddress(text: string): ParsedAddress {
  const parsed = Address.read(text);
  if (parsed) return parsed;
  const isFriendly = /^[\w+/-]{48}$/.test(text);
  throw new TypeError(
    isFriendly ? `${text} is not an address: its checksum is wrong` : `${text} is not an address`,
  );
}

/**
 * Writes an address, given as text in any form or parsed, in the friendly form: bounceable, for any network, base64url,
 * unless `form` differs.
 */
export function formatAddress(address: string | Address, { raw, ...flags }: AddressForm = {}): string {
  const parsed = typeof address === "string" ? parseAddress(address).address : address;
  return raw ? parsed.toRaw() : parsed.toFriendly(flags);
}

/** Whether two addresses, in any forms, are of the same account. Throws a TypeError for text that is no address. */
export function sameAddress(one: string | Address, other: string | Address): boolean {
  return formatAddress(one, { raw: true }) === formatAddress(other, { raw: true });
}
