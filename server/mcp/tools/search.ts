import { z } from "zod";
import { Address } from "../../../shared/values/address.js";
import { bytesToHex, readHash } from "../../../shared/values/bytes.js";
import { isoTime } from "../answers/actions.js";
import { foundBy, part, type Session } from "../session.js";
import type { Tool } from "../tool.js";

type Members = Readonly<Record<string, unknown>>;
type Match = Members & { readonly kind: string; readonly next?: string };

const maxQuery = 200;

/** Meaning of a text: an address, a hash, a block, a domain, or the beginning of a name. */
export const search: Tool = {
  name: "search",
  title: "Search",
  description:
    "Finds out what a text is: an address in any form, the hash of a transaction, message or block, the seqno of a masterchain block, a domain such as `alice.ton`, the " +
    "beginning of the name or symbol of a jetton, collection or NFT, or on a devnet the name of a wallet or contract. Anybody can give a token any name: compare addresses. " +
    "Each match names the tool to call next.",
  methods: ["getAddressInformation"],
  input: z.object({
    query: z.string().min(1).max(maxQuery).describe("Address, hash, seqno, domain or name."),
  }),
  isList: false,
  changes: false,
  async run(args, session) {
    const query = String(args["query"]).trim();
    const exact = await exactMatches(query, session);
    const { matches, failure } = exact ? { matches: exact } : await matchesByName(query, session);
    return {
      facts: {
        matches,
        ...(failure !== undefined && { failure: `Tokens could not be searched: ${String(failure)}` }),
        ...(matches.length === 0 && {
          advice:
            "Nothing has this address, hash, seqno, domain or name. Names are found by their beginning.",
        }),
      },
    };
  },
};

/** Undefined for a text that can only be a name. */
async function exactMatches(query: string, session: Session): Promise<Match[] | undefined> {
  const address = Address.read(query)?.address;
  if (address) return [accountMatch(address)];
  if (/^\d{1,10}$/.test(query)) return blockMatches({ workchain: -1, seqno: Number(query) }, session);
  const bytes = readHash(query.replace(/^0x/i, ""));
  if (bytes) return hashMatches(bytesToHex(bytes), session);
  if (/^[^\s/]{1,120}\.(?:ton|t\.me)$/i.test(query)) return domainMatches(query.toLowerCase(), session);
  return undefined;
}

/** Accounts, tokens and domains by the beginning of their names; tokens are not searched without an index. */
async function matchesByName(
  query: string,
  session: Session,
): Promise<{ matches: Match[]; failure?: unknown }> {
  const accounts = await namedMatches(query.toLowerCase(), session);
  if (query.length > maxName || !(await session.has("v3.search"))) return { matches: accounts };
  const found = await part(session, "v3.search", { q: query, limit: maxNamed });
  const tokens = ((found["matches"] ?? []) as Members[])
    .filter(({ kind }) => tokenKinds.has(kind))
    .map((match) => ({ ...match, kind: String(match["kind"]), next: "account" }));
  return { matches: [...accounts, ...tokens], failure: found["failure"] };
}

const tokenKinds: ReadonlySet<unknown> = new Set(["jetton", "nft_collection", "nft_item", "domain"]);
const maxName = 128;

function accountMatch(address: Address): Match {
  return {
    kind: "account",
    address: address.toRawUpper(),
    friendly: address.toFriendly(),
    next: "account",
  };
}

async function blockMatches(params: object, session: Session): Promise<Match[]> {
  const blocks = await rowsBy("v3.blocks", "blocks", { ...params, limit: 1 }, session);
  return blocks.map(({ workchain, shard, seqno, root_hash, gen_utime, tx_count }) => ({
    kind: "block",
    workchain,
    shard,
    seqno,
    root_hash,
    time: isoTime(Number(gen_utime)),
    transactions: tx_count,
  }));
}

async function hashMatches(hex: string, session: Session): Promise<Match[]> {
  const [transactions, byMessage, blocks, state] = await Promise.all([
    rowsBy("v3.transactions", "transactions", { hash: hex, limit: 1 }, session),
    rowsBy("v3.transactionsByMessage", "transactions", { msg_hash: hex, limit: 1 }, session),
    blockMatches({ root_hash: hex }, session),
    foundBy(session.call("getAddressState", { address: `0:${hex}` })),
  ]);
  const next = "explain_transaction";
  const isAccount = state !== undefined && state !== "uninitialized";
  return [
    ...transactions.map(({ hash, account }) => ({ kind: "transaction", hash, account, next })),
    ...byMessage.map(({ hash }) => ({ kind: "message", hash: hex, transaction: hash, next })),
    ...blocks,
    ...(isAccount ? [accountMatch(Address.read(`0:${hex}`)!.address)] : []),
  ];
}

async function domainMatches(domain: string, session: Session): Promise<Match[]> {
  const records = await rowsBy("v3.dns.records", "records", { domain, limit: 1 }, session);
  return records.map(({ nft_item_address: item, nft_item_owner: owner, dns_wallet: wallet }) => ({
    kind: "domain",
    domain,
    wallet,
    owner,
    item,
    next: "account",
  }));
}

/** Wallets and contracts of the sample data, by name. */
async function namedMatches(name: string, session: Session): Promise<Match[]> {
  if (!(await session.has("devnet.info"))) return [];
  const { wallets, contracts } = (await session.call("devnet.info", {})) as Record<string, Members[]>;
  const named = [...(wallets ?? []), ...(contracts ?? [])].filter((each) =>
    [each["name"], each["description"]].some((text) =>
      String(text ?? "")
        .toLowerCase()
        .includes(name),
    ),
  );
  return named.slice(0, maxNamed).map(({ address, name: wallet, kind, description }) => ({
    kind: String(kind ?? "wallet"),
    address,
    ...(wallet !== undefined && { name: wallet }),
    ...(description !== undefined && { description }),
    next: "account",
  }));
}

const maxNamed = 20;

async function rowsBy(method: string, name: string, params: object, session: Session): Promise<Members[]> {
  const result = (await foundBy(session.call(method, params))) as Members | undefined;
  return (result?.[name] ?? []) as Members[];
}
