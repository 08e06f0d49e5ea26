import { LRUCache } from "lru-cache";
import type { AddressBook } from "../../../shared/schema/v3/records.js";
import { isWalletCode } from "../../../shared/ton/contracts/wallet.js";
import { Address } from "../../../shared/values/address.js";
import { interfacesOf } from "../../contracts/interfaces.js";
import type { BookRow } from "../../store/queries/accounts/accounts.js";

type Entry = AddressBook[string];
type NameSettings = { testOnly: boolean; nameOf?: (address: Address) => string | undefined };

/** Entry for an invalid address. */
export const noAddress: Entry = { user_friendly: null, domain: null, interfaces: [] };

// Module state: a memo of at most 1000 lists of get-methods. Many accounts share code.
const interfacesByMethods = new LRUCache<string, string[]>({
  max: 1000,
  memoMethod: (methods) => interfacesOf(null, JSON.parse(methods)),
});

/** One row; without facts, the row of an account without code and name. */
export function presentEntry(
  address: Address,
  known: BookRow | undefined,
  { testOnly, nameOf }: NameSettings,
): Entry {
  const codeHash = known?.code_hash ?? null;
  const bounceable = codeHash !== null && !isWalletCode(codeHash);
  const name = nameOf?.(address);
  return {
    user_friendly: address.toFriendly({ bounceable, testOnly }),
    domain: known?.domain ?? null,
    interfaces: interfacesOfAccount(codeHash, known?.methods ?? null),
    ...(name !== undefined && { name }),
  };
}

function interfacesOfAccount(codeHash: string | null, methods: string | null): string[] {
  const ofCode = interfacesOf(codeHash, null);
  return ofCode.length > 0 || methods === null ? ofCode : interfacesByMethods.memo(methods);
}

/** An address from its form in answers. */
export function addressOf(raw: string): Address {
  return Address.read(raw)!.address;
}
