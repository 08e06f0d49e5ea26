import { LRUCache } from "lru-cache";
import type { z } from "zod";
import type { addressBook } from "../../../../shared/schema/v3-records.js";
import { Address } from "../../../../shared/values/address.js";
import { interfacesOf } from "../../../contracts/recognise/interfaces.js";
import { isWalletCode } from "../../../contracts/recognise/wallet.js";
import type { BookRow } from "../../../store/queries/accounts.js";

export type Book = z.output<typeof addressBook>;
type Entry = Book[string];

/** What a text that is no address is answered with. */
export const noAddress: Entry = { user_friendly: null, domain: null, interfaces: [] };

/** By the list of get-methods: many accounts have the same code. */
const interfacesByMethods = new LRUCache<string, string[]>({
  max: 1000,
  memoMethod: (methods) => interfacesOf(null, JSON.parse(methods)),
});

/** One row; without facts, that of an account that has neither code nor name. */
export function presentEntry(address: Address, known: BookRow | undefined, testOnly: boolean): Entry {
  const codeHash = known?.code_hash ?? null;
  const bounceable = codeHash !== null && !isWalletCode(codeHash);
  return {
    user_friendly: address.toFriendly({ bounceable, testOnly }),
    domain: known?.domain ?? null,
    interfaces: interfacesOfAccount(codeHash, known?.methods ?? null),
  };
}

function interfacesOfAccount(codeHash: string | null, methods: string | null): string[] {
  const ofCode = interfacesOf(codeHash, null);
  return ofCode.length > 0 || methods === null ? ofCode : interfacesByMethods.memo(methods);
}

/** An address in the form of the answers. */
export function addressOf(raw: string): Address {
  return Address.read(raw)!.address;
}
