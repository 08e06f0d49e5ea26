import type { AddressBookEntry, MetadataEntry, TokenInfo } from "../../../../client/api.js";
import { contractsAt } from "../../../../shared/values/exit-codes.js";
import { friendlyOf, shortAddress } from "../parts/address.js";
import type { Names } from "../parts/names.js";
import { claimedText } from "../parts/text.js";

/** The parts of an answer that describe its addresses. */
export type Extras = {
  readonly address_book?: Readonly<Record<string, AddressBookEntry>> | undefined;
  readonly metadata?: Readonly<Record<string, MetadataEntry>> | undefined;
};

export type AccountName = {
  /** A name, or the ends of the address. */
  readonly text: string;
  /** Whether `text` is a name rather than the address. */
  readonly isName: boolean;
};

export type Token = {
  readonly symbol: string;
  /** Undefined if the jetton is unknown: its amounts are then shown in smallest units. */
  readonly decimals: number | undefined;
};

/** For jettons that state no decimals. */
const usualDecimals = 9;
/** Amounts of jettons with more decimals are shown in smallest units. */
const mostDecimals = 30;

/** Names of accounts and jettons, from an answer and from the network's known names. */
export class AnswerNames {
  readonly #extras: Extras;
  readonly #known: Names | undefined;

  constructor(extras: Extras, known?: Names) {
    this.#extras = extras;
    this.#known = known;
  }

  account(address: string): AccountName {
    const name = this.#given(address) ?? this.#tokenName(address);
    const text = name && claimedText(name, 32);
    if (text) return { text, isName: true };
    return { text: shortAddress(friendlyOf(address) ?? claimedText(address, 68)), isName: false };
  }

  /** The kind of contract, if known. */
  kind(address: string): string | undefined {
    const kind = this.#known?.find(address)?.kind ?? this.#extras.address_book?.[address]?.interfaces?.[0];
    return kind && claimedText(kind.replaceAll("_", " "), 24);
  }

  /** The contracts whose exit codes explain those of an account. */
  contracts(address: string): readonly string[] {
    return contractsAt(address, this.#extras.address_book?.[address]?.interfaces ?? []);
  }

  jetton(master: string): Token {
    const info = this.#infos(master).find(({ type }) => type === "jetton_masters");
    const symbol = claimedText(info?.symbol ?? info?.name ?? "", 16);
    const decimals = symbol ? decimalsOf(info) : undefined;
    if (decimals !== undefined) return { symbol: distinct(symbol, master), decimals };
    return { symbol: `units of ${symbol ? distinct(symbol, master) : this.account(master).text}`, decimals };
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
    const name = this.#given(owner) ?? shortAddress(friendlyOf(owner) ?? claimedText(owner, 68));
    return symbol ? `${symbol} of ${name}` : undefined;
  }

  /** The account's known name, or its domain. */
  #given(address: string): string | undefined {
    return this.#known?.of(address) ?? this.#extras.address_book?.[address]?.domain ?? undefined;
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
  return namesOfCoin.has(letters) ? `${symbol} (${shortAddress(friendlyOf(master) ?? master)})` : symbol;
}

function decimalsOf(info: TokenInfo | undefined): number | undefined {
  const stated = String(info?.extra?.["decimals"] ?? usualDecimals);
  const decimals = /^\d{1,3}$/.test(stated) ? Number(stated) : Number.NaN;
  return decimals <= mostDecimals ? decimals : undefined;
}
