import type { Call } from "../../../shared/methods/define.js";
import type { AddressBook, Metadata } from "../../../shared/schema/v3/records.js";
import type { KnownAccounts } from "../../../shared/text/answer-names.js";
import type { Address } from "../../../shared/values/address.js";
import type { Abis } from "../../artifacts/store.js";
import { isEmbedded } from "../../metadata/embedded-document.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import type { BookRow } from "../../store/queries/accounts/accounts.js";
import { type ExtraKind, extrasOfPage, type PageExtras } from "../../store/queries/accounts/page-extras.js";
import type { TokenLink } from "../../store/queries/tokens/metadata.js";
import { parseTokens, type TokenRow, type Tokens } from "../../store/queries/tokens/tokens.js";
import type { IndexReader } from "../../store/reads/index-reader.js";
import { reads } from "../../store/reads/index-reads.js";
import { linkingTokens } from "../../store/tables/metadata.js";
import { addressOf, presentEntry } from "./address-book.js";
import { type ImageLinks, presentMetadata } from "./metadata.js";

/** How address books, metadata, texts and what ABIs say are made for answers. */
export type BookSettings = {
  /** Addresses of a test network have a different friendly form. */
  testOnly: boolean;
  tokens?: TokenSettings;
  texts?: TextSettings;
  /** Default: none. */
  artifacts?: Abis;
  /** ABIs as an owner of artifacts sees them; default: `artifacts`. */
  seenBy?: (owner: string) => Abis;
  /** The name that a developer gave to an account of a devnet. */
  nameOf?: (address: Address) => string | undefined;
};

/** Names in texts. */
export type TextSettings = {
  /** Name of the network's coin. */
  coin: string;
  /** Accounts with names, such as those of a devnet's sample data. */
  known: () => Promise<KnownAccounts>;
  /** All of them. */
  names?: () => Promise<readonly NamedAccount[]>;
};

/** An account with a name; `address` is raw. */
export type NamedAccount = { readonly address: string; readonly name: string };

/** How metadata of tokens are shown and fetched. */
export type TokenSettings = {
  imageLinks?: ImageLinks | undefined;
  /** Receives token links in answers whose metadata should be fetched. Must not block. */
  want?: ((links: readonly TokenLink[]) => void) | undefined;
  /** Wall clock, ms. */
  now: () => number;
};

/** The snapshot that the answer is read from, and its call's options. */
export type ExtrasSource = {
  queries: Queries;
  call: Pick<Call, "options">;
  book: BookSettings;
  /** Whether the extras are the snapshot's last read, which is usual. */
  isLast?: boolean;
  /** Extras that may have come with the answer. Pages of texts then omit their list of addresses. */
  extras?: PageExtras | undefined;
};

/** The members that answers have besides their records. */
export type Extras = { address_book: AddressBook; metadata: Metadata };

/**
 * An object to fill with the extras of an answer, with or without metadata, if they are read together with its page;
 * `undefined` if the caller opted out of some.
 */
export async function wantedExtras(
  { queries, call: { options } }: Pick<ExtrasSource, "queries" | "call">,
  { hasMetadata = true } = {},
): Promise<PageExtras | undefined> {
  if (options.noAddressBook || (hasMetadata && options.noMetadata)) return undefined;
  return extrasOfPage(queries);
}

/** Those of an answer without records. */
export const noExtras: Extras = { address_book: {}, metadata: {} };

/** Raw addresses of an answer; duplicates and missing ones, including empty texts, are ignored. */
type Shown = Iterable<string | null | undefined>;

/** Adds the address book and metadata for the raw addresses in the answer. */
export async function withExtras<Answer extends object>(
  answer: Answer,
  addresses: Shown,
  source: ExtrasSource,
): Promise<Answer & Extras> {
  const accounts = accountsOf(addresses, source);
  const { book, tokens } = await extrasOf(accounts, ["tokens", "book"], source);
  return {
    ...answer,
    address_book: presentBook(accounts, book, source.book),
    metadata: presentTokens(tokens, source.book.tokens),
  };
}

/** The extras that the caller did not opt out of. */
export function shownExtras({ address_book, metadata }: Extras, { options }: ExtrasSource["call"]): Extras {
  return {
    address_book: options.noAddressBook ? {} : address_book,
    metadata: options.noMetadata ? {} : metadata,
  };
}

/** Adds only the address book, for lists of transactions, which have no metadata in TON Center either. */
export async function withAddressBook<Answer extends object>(
  answer: Answer,
  addresses: Shown,
  source: ExtrasSource,
): Promise<Answer & Pick<Extras, "address_book">> {
  const accounts = accountsOf(addresses, source);
  const { book } = await extrasOf(accounts, ["book"], source);
  return { ...answer, address_book: presentBook(accounts, book, source.book) };
}

/** The metadata of the raw addresses, for answers whose address book has other addresses. */
export async function metadataFor(addresses: Shown, source: ExtrasSource): Promise<Metadata> {
  const { tokens } = await extrasOf(accountsOf(addresses, source), ["tokens"], source);
  return presentTokens(tokens, source.book.tokens);
}

type ShownAccount = { text: string; address: Address };

/** Sorted by raw address; without named addresses, those of the book that came with the answer. */
function accountsOf(shown: Shown, { extras }: ExtrasSource): ShownAccount[] {
  const named = [...new Set(shown)].filter((text) => typeof text === "string").filter((text) => text !== "");
  const texts = named.length > 0 ? named : (extras?.book ?? []).map(({ account }) => account);
  return texts.sort().map((text) => ({ text, address: addressOf(text) }));
}

/** The extras of these kinds. Reads those that have not come with the answer, unless the caller opted out of them. */
async function extrasOf(
  accounts: readonly ShownAccount[],
  kinds: readonly ExtraKind[],
  { queries, call: { options }, extras, isLast = true }: ExtrasSource,
): Promise<PageExtras> {
  const isOptedOut = { book: options.noAddressBook, tokens: options.noMetadata };
  const unread = kinds.filter((kind) => !isOptedOut[kind] && !extras?.[kind]);
  if (accounts.length === 0 || unread.length === 0) return { ...extras };
  const keys = accounts.map(({ address }) => addressToBytes(address));
  return { ...extras, ...(await reads.readExtras(queries, keys, unread, { isLast })) };
}

function presentBook(
  accounts: readonly ShownAccount[],
  rows: readonly BookRow[] | undefined,
  settings: BookSettings,
): AddressBook {
  if (!rows) return {};
  const known = byAccount(rows);
  return Object.fromEntries(
    accounts.map(({ text, address }) => [text, presentEntry(address, known.get(text), settings)]),
  );
}

/** The metadata of the token accounts, and of the jettons of jetton wallets. */
export async function readMetadata(
  queries: Queries,
  accounts: readonly Uint8Array[],
  settings?: TokenSettings,
  options?: { isLast?: boolean },
): Promise<Metadata> {
  const { tokens } = await reads.readExtras(queries, accounts, ["tokens"], options);
  return presentTokens(tokens, settings);
}

function presentTokens(rows: readonly TokenRow[] | undefined, settings?: TokenSettings): Metadata {
  if (!rows) return {};
  const tokens = parseTokens(rows);
  settings?.want?.(linksToFetch(tokens, settings.now()));
  return presentMetadata(tokens, settings?.imageLinks);
}

/** By raw address. */
export async function readBookRows(
  queries: Queries,
  accounts: readonly Uint8Array[],
  options?: { isLast?: boolean },
): Promise<ReadonlyMap<string, BookRow>> {
  return byAccount((await reads.readExtras(queries, accounts, ["book"], options)).book);
}

function byAccount(rows: readonly BookRow[]): ReadonlyMap<string, BookRow> {
  return new Map(rows.map((row) => [row.account, row]));
}

/** The links of tokens whose metadata was not fetched yet, or has expired. `now` in Unix milliseconds. */
function linksToFetch(tokens: Tokens, now: number): TokenLink[] {
  return linkingTokens.flatMap((type) =>
    tokens[type].flatMap(({ address, content, fetched }) => {
      const url = content["uri"];
      const isCurrent = fetched && (fetched.expires_at === undefined || fetched.expires_at > now);
      return url === undefined || isCurrent || isEmbedded(url) ? [] : [{ address, type, url }];
    }),
  );
}

/** Dependencies of code that reads records of the index and presents them. */
export type IndexDeps = { index: Pick<IndexReader, "read">; book: BookSettings };
