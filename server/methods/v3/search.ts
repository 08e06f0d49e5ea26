import type { Handlers } from "../../../shared/methods/define.js";
import type { searchMethods } from "../../../shared/methods/v3/search.js";
import type { SearchMatch } from "../../../shared/schema/v3/search.js";
import { Address } from "../../../shared/values/address.js";
import { bytesToBase64, readHash } from "../../../shared/values/bytes.js";
import { type IndexDeps, type NamedAccount, withExtras } from "../../present/v3/answer-extras.js";
import { matchAccounts, presentToken } from "../../present/v3/search-match.js";
import { addressToBytes, rawAddressFromBytes } from "../../store/address-bytes.js";
import type { Queries } from "../../store/database.js";
import { listBlocks } from "../../store/queries/blocks/block-list.js";
import { locateMessages, transactionsByHash } from "../../store/queries/slots/locators.js";
import type { OffsetBookmarks } from "../../store/queries/slots/offset-bookmarks.js";
import { searchTokens, tokensAt } from "../../store/queries/tokens/search.js";
import { transactionsOfMessages } from "../../store/queries/transactions/named-transactions.js";
import { reads } from "../../store/reads/index-reads.js";

export const searchHandlers: Handlers<typeof searchMethods, IndexDeps> = {
  search: async ({ q, limit }, { index, book }, call) => {
    const accounts = (await book.texts?.names?.()) ?? [];
    return index.read(call, async (queries, bookmarks) => {
      const found = await findMatches(q, { queries, bookmarks, accounts, limit });
      const matches = found.slice(0, limit);
      const shown = matches.flatMap(({ address, wallet }) => [address, wallet]);
      return withExtras({ matches }, shown, { queries, call, book });
    });
  },
};

type Source = {
  queries: Queries;
  bookmarks: OffsetBookmarks;
  accounts: readonly NamedAccount[];
  limit: number;
};

async function findMatches(text: string, source: Source): Promise<SearchMatch[]> {
  const address = Address.read(text)?.address;
  if (address) return matchesAt(address, source);
  const hash = readHash(text);
  if (hash) return matchesOfHash(hash, source);
  const { queries, accounts, limit } = source;
  const blocks = /^\d{1,10}$/.test(text)
    ? await blocksBy({ workchain: -1, seqno: Number(text) }, source)
    : [];
  const tokens = await searchTokens(queries, text, { limit });
  return [...blocks, ...matchAccounts(accounts, text), ...tokens.map(presentToken)];
}

/** The tokens that an account is, or the account, which exists as soon as somebody names it. */
async function matchesAt(address: Address, { queries, accounts }: Source): Promise<SearchMatch[]> {
  const tokens = await tokensAt(queries, addressToBytes(address));
  if (tokens.length > 0) return tokens.map(presentToken);
  const raw = address.toRawUpper();
  const known = accounts.find((each) => each.address === raw);
  return [{ kind: "account", address: raw, ...(known && { name: known.name }) }];
}

/** All that may have a hash. An account has one without its workchain. */
async function matchesOfHash(hash: Uint8Array, source: Source): Promise<SearchMatch[]> {
  const { queries } = source;
  const text = bytesToBase64(hash);
  const transactions = await transactionsByHash(queries, [hash]);
  const located = await locateMessages(queries, [hash]);
  const [received] = located.length === 0 ? [] : await transactionsOfMessages(queries, located, {});
  const addresses = [0, -1].map((workchain) => new Address(workchain, hash));
  const known = await reads.readAccounts(queries, { addresses }, "none");
  const accounts: SearchMatch[] = [];
  for (const address of addresses)
    if (known.some((each) => each.address === address.toRawUpper()))
      accounts.push(...(await matchesAt(address, source)));
  return [
    ...transactions.map(
      ({ account }): SearchMatch => ({
        kind: "transaction",
        hash: text,
        address: rawAddressFromBytes(account),
      }),
    ),
    ...(received
      ? [{ kind: "message", hash: text, transaction_hash: bytesToBase64(received.tx_hash) } as const]
      : []),
    ...(await blocksBy({ root_hash: hash }, source)),
    ...accounts,
  ];
}

async function blocksBy(
  filter: Parameters<typeof listBlocks>[1],
  { queries, bookmarks }: Source,
): Promise<SearchMatch[]> {
  const blocks = await listBlocks(queries, filter, { sort: "desc", limit: 1, offset: 0 }, bookmarks);
  return blocks.map(({ workchain, shard, seqno, root_hash }) => ({
    kind: "block",
    hash: root_hash,
    block: { workchain, shard, seqno },
  }));
}
