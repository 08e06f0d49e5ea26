import { formatAddress } from "../../../../client/values/addresses.js";
import { claimedText } from "./text.js";

/** An account that has a name on this network. */
export type NamedAccount = { readonly name: string; readonly kind: string };

/** Names of accounts, by any form of the address. */
export class Names {
  readonly #accounts = new Map<string, NamedAccount>();

  set(address: string, account: NamedAccount): void {
    this.#accounts.set(keyOf(address), account);
  }

  /** Takes the domains of an answer's address book as names of accounts that have none. */
  learn(book: Readonly<Record<string, { readonly domain: string | null }>>): void {
    for (const [address, { domain }] of Object.entries(book))
      if (domain !== null && !this.find(address))
        this.set(address, { name: claimedText(domain, 60), kind: "" });
  }

  /** The account with this address; `undefined` if it has no name. */
  find(address: string): NamedAccount | undefined {
    return this.#accounts.get(keyOf(address));
  }

  /** Its name alone. */
  of(address: string): string | undefined {
    return this.find(address)?.name;
  }

  /** All of them, by raw address. */
  all(): [address: string, account: NamedAccount][] {
    return [...this.#accounts];
  }
}

function keyOf(address: string): string {
  try {
    return formatAddress(address, { raw: true });
  } catch {
    return address;
  }
}
