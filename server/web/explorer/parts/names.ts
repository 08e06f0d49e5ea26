import { Address } from "../../../../shared/values/address.js";
import { claimedText } from "./text.js";

/** An account with a name on this network. */
type NamedAccount = {
  readonly name: string;
  readonly kind: string;
  /** Whether the user gave it the name. */
  readonly isOwn?: boolean;
};

type AddressBook = Readonly<Record<string, { readonly domain: string | null }>>;

/** Names of accounts, by any form of the address. */
export class Names {
  readonly #accounts = new Map<string, NamedAccount>();

  set(address: string, account: NamedAccount): void {
    this.#accounts.set(keyOf(address), account);
  }

  /** Adds the domains of an answer's address book for accounts without a name. */
  learn({ address_book: book = {} }: { readonly address_book?: AddressBook }): void {
    for (const [address, { domain }] of Object.entries(book))
      if (domain !== null && !this.find(address))
        this.set(address, { name: claimedText(domain, 60), kind: "" });
  }

  /** The named account with this address; `undefined` if it has no name. */
  find(address: string): NamedAccount | undefined {
    return this.#accounts.get(keyOf(address));
  }

  /** The account's name. */
  of(address: string): string | undefined {
    return this.find(address)?.name;
  }

  /** All named accounts, by raw address. */
  all(): [address: string, account: NamedAccount][] {
    return [...this.#accounts];
  }
}

function keyOf(address: string): string {
  return Address.read(address)?.address.toRaw() ?? address;
}
