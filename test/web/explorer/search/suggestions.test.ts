import { expect, test } from "vitest";
import type { SearchMatch } from "../../../../client/api.js";
import { friendlyOf } from "../../../../server/web/explorer/parts/address.js";
import { Names } from "../../../../server/web/explorer/parts/names.js";
import type { Known } from "../../../../server/web/explorer/search/identify.js";
import { suggest, suggestionOf } from "../../../../server/web/explorer/search/suggestions.js";

const address = `0:${"AB".repeat(32)}`;
const friendly = friendlyOf(address)!;
const hash = Buffer.alloc(32, 0xcd).toString("base64");
const hex = "cd".repeat(32);

test.each<[SearchMatch, string, string]>([
  [{ kind: "account", address, name: "Ann" }, "Accounts", `/account/${friendly}`],
  [{ kind: "jetton", address, name: "Acorn", symbol: "ACORN" }, "Tokens", `/jetton/${friendly}`],
  [{ kind: "nft_collection", address, name: "Trees" }, "Tokens", `/collection/${friendly}`],
  [{ kind: "nft_item", address, name: "Tree 4" }, "Tokens", `/nft/${friendly}`],
  [{ kind: "domain", address, name: "ann.ton" }, "Domains", "/domain/ann.ton"],
  [
    { kind: "block", block: { workchain: 0, shard: "8000000000000000", seqno: 7 } },
    "Blocks",
    "/block/0/8000000000000000/7",
  ],
  [{ kind: "transaction", hash }, "Transactions", `/tx/${hex}`],
  [{ kind: "message", hash, transaction_hash: hash }, "Transactions", `/tx/${hex}`],
])("%j is suggested with its page", (match, group, path) => {
  expect(suggestionOf(match)?.group).toBe(group);
  expect(suggestionOf(match)?.path).toBe(path);
});

test("a match without what its page needs is no suggestion", () => {
  expect(suggestionOf({ kind: "message", hash })).toBeUndefined();
  expect(suggestionOf({ kind: "jetton", name: "Acorn" })).toBeUndefined();
});

test("names that the page knows come first, once, and are all there is without an index", async () => {
  const names = new Names();
  names.set(address, { name: "Wallet 0 (Ann)", kind: "wallet" });
  const matches: SearchMatch[] = [
    { kind: "jetton", address, name: "Annuity" },
    { kind: "account", address, name: "Ann" },
  ];
  const client = () => ({ v3: { search: async () => ({ matches }) } });
  const deps = { names, client, isIndexed: true } as unknown as Known;
  const titles = async (known: Known) => (await suggest("wallet 0", known)).map(({ title }) => title);
  expect(await titles(deps)).toEqual(["Wallet 0 (Ann)", "Annuity"]);
  expect(await titles({ ...deps, isIndexed: false })).toEqual(["Wallet 0 (Ann)"]);
});
