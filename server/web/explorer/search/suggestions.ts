import type { SearchMatch } from "../../../../client/api.js";
import { accountPath, friendlyOf } from "../parts/address.js";
import { blockPath } from "../parts/block-id.js";
import { hexOf, transactionPath } from "../parts/hash.js";
import { claimedText } from "../parts/text.js";
import { collectionPath, jettonPath, nftPath } from "../parts/tokens.js";
import type { Known } from "./identify.js";

/** Something that a text may mean. */
export type Suggestion = {
  readonly group: "Accounts" | "Tokens" | "Domains" | "Blocks" | "Transactions";
  readonly path: string;
  readonly title: string;
  readonly note: string;
  readonly isScam: boolean;
};

/** In the order in which they are shown. */
export const groups: readonly Suggestion["group"][] = [
  "Accounts",
  "Tokens",
  "Domains",
  "Blocks",
  "Transactions",
];
const most = 10;

/** What a text may mean: accounts that the user or the network has named, then what the index finds. */
export async function suggest(text: string, { client, isIndexed, names }: Known): Promise<Suggestion[]> {
  const wanted = text.toLowerCase();
  const named = names
    .all()
    .filter(([, { name }]) =>
      name
        .toLowerCase()
        .split(/\s+/)
        .some((_, at, words) => words.slice(at).join(" ").startsWith(wanted)),
    )
    .slice(0, most)
    .map(([address, { name }]) => accountOf(address, name));
  const found = isIndexed
    ? (await client().v3.search({ q: text, limit: most })).matches.map(suggestionOf)
    : [];
  const paths = new Set<string>();
  const all = [...named, ...found].filter((each) => {
    if (!each || paths.has(each.path)) return false;
    paths.add(each.path);
    return true;
  }) as Suggestion[];
  return groups.flatMap((group) => all.filter((each) => each.group === group)).slice(0, 2 * most);
}

function accountOf(address: string, name: string): Suggestion {
  const friendly = friendlyOf(address) ?? address;
  return {
    group: "Accounts",
    path: accountPath(friendly),
    title: claimedText(name, 60),
    note: shortOf(friendly),
    isScam: false,
  };
}

/** Undefined for a match without what its page needs. */
export function suggestionOf(match: SearchMatch): Suggestion | undefined {
  const { kind, name, symbol, is_scam: isScam = false } = match;
  const friendly = match.address && friendlyOf(match.address);
  const hash = match.hash && hexOf(match.hash);
  const title = claimedText(name ?? symbol ?? "", 60);
  const token = (group: Suggestion["group"], path: string, note: string) => ({
    group,
    path,
    title,
    note,
    isScam,
  });
  switch (kind) {
    case "account":
      return friendly ? accountOf(match.address!, name ?? shortOf(friendly)) : undefined;
    case "jetton":
      return friendly
        ? token("Tokens", jettonPath(friendly), claimedText(symbol ?? "jetton", 20))
        : undefined;
    case "nft_collection":
      return friendly ? token("Tokens", collectionPath(friendly), "collection") : undefined;
    case "nft_item":
      return friendly ? token("Tokens", nftPath(friendly), "NFT") : undefined;
    case "domain":
      return name === undefined
        ? undefined
        : token("Domains", `/domain/${encodeURIComponent(name)}`, "domain");
    case "block": {
      const { block } = match;
      if (!block) return undefined;
      const { workchain, shard, seqno } = block;
      const path = blockPath({ ...block, shard: shard.toLowerCase() });
      return { group: "Blocks", path, title: `Block ${seqno}`, note: `workchain ${workchain}`, isScam };
    }
    case "transaction":
      return hash
        ? {
            group: "Transactions",
            path: transactionPath(hash),
            title: shortOf(hash),
            note: "transaction",
            isScam,
          }
        : undefined;
    case "message": {
      const receiver = match.transaction_hash && hexOf(match.transaction_hash);
      if (!receiver) return undefined;
      return {
        group: "Transactions",
        path: transactionPath(receiver),
        title: shortOf(hash ?? receiver),
        note: "message",
        isScam,
      };
    }
  }
}

function shortOf(text: string): string {
  return text.length > 14 ? `${text.slice(0, 6)}…${text.slice(-6)}` : text;
}
