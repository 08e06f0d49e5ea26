import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../shared/values/address.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { addressToBytes, rawAddressFromBytes } from "../address-bytes.js";
import { type Fragment, within } from "../sql/where.js";

// TON Center stores hashes in base64 and addresses in the upper-case raw form, in types of its own: without the casts a
// comparison would not use an index.

export function hashValue(hash: Uint8Array): Fragment {
  return SQL`${bytesToBase64(hash)}::tonhash`;
}

export function hashValues(hashes: readonly Uint8Array[]): Fragment {
  return SQL`${hashes.map(bytesToBase64)}::tonhash[]`;
}

/** Their form of an address of our tables. */
export function accountValue(account: Uint8Array): Fragment {
  return SQL`${rawAddressFromBytes(account)}::tonaddr`;
}

export function accountValues(accounts: readonly Uint8Array[]): Fragment {
  return SQL`${accounts.map(rawAddressFromBytes)}::tonaddr[]`;
}

export function addressValue(address: Address): Fragment {
  return accountValue(addressToBytes(address));
}

/** The condition that a column has one of some hashes. */
export function isOneOfHashes(column: string, hashes: readonly Uint8Array[]): Fragment {
  const [only] = hashes;
  return hashes.length === 1 && only
    ? SQL`${raw(column)} = ${hashValue(only)}`
    : SQL`${raw(column)} = any(${hashValues(hashes)})`;
}

/** The condition that a column has one of some accounts. */
export function isOneOfAccounts(column: string, accounts: readonly Uint8Array[]): Fragment {
  const [only] = accounts;
  return accounts.length === 1 && only
    ? SQL`${raw(column)} = ${accountValue(only)}`
    : SQL`${raw(column)} = any(${accountValues(accounts)})`;
}

/** SQL of a hash in the form of our tables, which also has their order. */
export function hashBytes(column: string): string {
  return `decode(${column}::text, 'base64')`;
}

/** The same of an address. Texts that are no addresses become null. */
export function accountBytes(column: string): string {
  const text = `${column}::text`;
  const workchain = `lpad(to_hex(split_part(${text}, ':', 1)::integer & 255), 2, '0')`;
  return `(case when ${text} ~ '^-?[0-9]{1,3}:[0-9A-F]{64}$' then decode(${workchain} || split_part(${text}, ':', 2), 'hex') end)`;
}

const largestInteger = 2 ** 31 - 1;

/** A closed range of a column of Unix times, most of which have 32 bits. */
export function withinTimes(
  column: string,
  from: number | undefined,
  to: number | undefined,
): Fragment | undefined {
  const capped = (value: number | undefined) => value && Math.min(value, largestInteger);
  return within(column, capped(from), capped(to));
}
