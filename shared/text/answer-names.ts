import type { AddressBook, Metadata, TokenInfo } from "../schema/v3/records.js";
import { Address } from "../values/address.js";
import { claimedText } from "../values/claimed-text.js";
import { contractsAt } from "../values/exit-codes/explain.js";
import { maxDecimals } from "./amount-text.js";
import { type DisplayMultiplier, multiplierOf } from "./display-multiplier.js";

/** The parts of an answer that describe its addresses. */
export type Extras = {
  readonly address_book?: Readonly<AddressBook> | undefined;
  readonly metadata?: Readonly<Metadata> | undefined;
};

/** Accounts with names on a network, by any form of the address. */
export type KnownAccounts = {
  find(address: string): { readonly name: string; readonly kind: string } | undefined;
};

type AccountName = {
  /** A name, or the ends of the address. */
  readonly text: string;
  /** Whether `text` is a name rather than the address. */
  readonly isName: boolean;
};

export type Token = {
  readonly symbol: string;
  /** Undefined if the jetton states none that can be used: its amounts are then shown in smallest units. */
  readonly decimals: number | undefined;
  /** By which its amounts are shown, beside those of the chain. */
  readonly multiplier?: DisplayMultiplier | undefined;
};

/** For jettons that state no decimals. */
const usualDecimals = 9;

/** Names of accounts and jettons, from an answer and from the network's known names. */
export class AnswerNames {
  readonly #extras: Extras;
  readonly #known: KnownAccounts | undefined;
  readonly #coin: string;

  /** `coin`: name of the network's coin. */
  constructor(
    extras: Extras,
    { known, coin = "TON" }: { known?: KnownAccounts | undefined; coin?: string } = {},
  ) {
    this.#extras = extras;
    this.#known = known;
    this.#coin = coin;
  }

  /** The name of the network's coin. */
  get coin(): string {
    return this.#coin;
  }

  account(address: string): AccountName {
    const name = this.#given(address) ?? this.#tokenName(address);
    const text = name && claimedText(name, 32);
    if (text) return { text, isName: true };
    return { text: endsOf(address), isName: false };
  }

  /** The kind of contract, if known. */
  kind(address: string): string | undefined {
    const kind = this.#known?.find(address)?.kind ?? this.#extras.address_book?.[address]?.interfaces?.[0];
    return kind && claimedText(kind.replaceAll("_", " "), 24);
  }

  /** Names of the interfaces of an account. */
  interfaces(address: string): readonly string[] {
    return this.#extras.address_book?.[address]?.interfaces ?? [];
  }

  /** The contracts whose exit codes explain those of an account. */
  contracts(address: string): readonly string[] {
    return contractsAt(address, this.interfaces(address));
  }

  /** A jetton without metadata has its account's name, or the ends of its address, as its symbol. */
  jetton(master: string): Token {
    const info = this.#infos(master).find(({ type }) => type === "jetton_masters");
    const symbol = claimedText(info?.symbol ?? info?.name ?? "", 16);
    return symbol
      ? { symbol: distinct(symbol, master), decimals: decimalsOf(info), multiplier: multiplierOf(info) }
      : { symbol: this.account(master).text, decimals: undefined };
  }

  /** NFTs and collections have names; a jetton is shown by its symbol, a jetton wallet by symbol and owner. */
  #tokenName(address: string): string | undefined {
    const [info] = this.#infos(address);
    if (info?.type === "jetton_wallets") return this.#walletName(info);
    return info?.type === "jetton_masters" ? (info.symbol ?? info.name) : info?.name;
  }

  #walletName({ extra }: TokenInfo): string | undefined {
    const { jetton, owner } = extra ?? {};
    if (typeof jetton !== "string" || typeof owner !== "string") return undefined;
    const about = this.#infos(jetton).find(({ type }) => type === "jetton_masters");
    const symbol = claimedText(about?.symbol ?? about?.name ?? "", 12);
    // An owner that is itself a token is not resolved further: the two could own each other.
    const name = this.#given(owner) ?? endsOf(owner);
    return symbol ? `${symbol} of ${name}` : undefined;
  }

  /** The name that was given to the account, its known name, or its domain. */
  #given(address: string): string | undefined {
    const entry = this.#extras.address_book?.[address];
    return entry?.name ?? this.#known?.find(address)?.name ?? entry?.domain ?? undefined;
  }

  #infos(address: string): readonly TokenInfo[] {
    return this.#extras.metadata?.[address]?.token_info ?? [];
  }
}

/** Names of the coin, on any network. */
const namesOfCoin: ReadonlySet<string> = new Set(["TON", "TONCOIN", "GRAM"]);

/** Any jetton can use the coin's name, so such a symbol gets the jetton's address appended. */
function distinct(symbol: string, master: string): string {
  const letters = symbol
    .normalize("NFKC")
    .replace(/[^\p{L}]/gu, "")
    .toUpperCase();
  return namesOfCoin.has(letters) ? `${symbol} (${endsOf(master)})` : symbol;
}

/** Both ends of an address in its friendly form. */
function endsOf(address: string): string {
  return shortAddress(Address.read(address)?.address.toFriendly() ?? claimedText(address, 68));
}

export const shortAddress = (friendly: string) => `${friendly.slice(0, 6)}…${friendly.slice(-4)}`;

function decimalsOf(info: TokenInfo | undefined): number | undefined {
  const stated = String(info?.extra?.["decimals"] ?? usualDecimals);
  const decimals = /^\d{1,3}$/.test(stated) ? Number(stated) : Number.NaN;
  return decimals <= maxDecimals ? decimals : undefined;
}
