import { expect, test } from "vitest";
import { rawAddressToBytes } from "../../../server/store/address-bytes.js";
import type { Queries } from "../../../server/store/database.js";
import { listJettonWallets } from "../../../server/store/queries/tokens/jettons.js";
import { listNftItems } from "../../../server/store/queries/tokens/nfts.js";
import type { Page } from "../../../server/store/sql/where.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { ListCursor } from "../../../shared/values/list-cursor.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { type MadeRow, madeRow } from "../../helpers/store/made-row.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { storeRows } from "../../helpers/store/rows.js";

/** Accounts whose order has nothing to do with their numbers. */
function account(kind: number, n: number): Uint8Array {
  const bytes = new Uint8Array(33);
  bytes.set([0, (n * 151 + kind) % 256, kind, n]);
  return bytes;
}

const owner = (n: number) => account(1, n);
const token = (n: number) => account(2, n);
const many = Array.from({ length: 24 }, (_, n) => owner(n));
/** Has more tokens than a divided index looks for one by one. */
const collector = owner(24);
const tokens = 165;
const ownerOf = (n: number) => (n < 60 ? owner(n % 24) : collector);

/** Many have equal balances; of those without one some have an airdrop, which some have claimed. */
const wallets = Array.from({ length: tokens }, (_, n) =>
  madeRow("jettonWallets", {
    ...{
      address: account(3, n),
      owner: ownerOf(n),
      jetton: token(n % 5),
      balance: BigInt([0, 0, 7, 9][n % 4]!),
    },
    ...(n % 3 === 0 && { mintless_amount: 5n, mintless_is_claimed: n % 9 === 0 }),
    ...{ destroyed: n % 11 === 10, first_seen_lt: 1n, last_transaction_lt: 1n },
  }),
);

/** Some are on sale, by a contract of their own. */
const items = Array.from({ length: tokens }, (_, n) =>
  madeRow("nftItems", {
    ...{ address: account(4, n), owner_address: n % 6 === 0 ? account(5, n) : ownerOf(n) },
    ...{ real_owner: ownerOf(n), collection_address: token(n % 5), index: BigInt(n) },
    ...{ last_transaction_lt: BigInt(n % 4), destroyed: n % 11 === 10, first_seen_lt: 1n },
  }),
);

const isIn = (keys: readonly Uint8Array[] | undefined, key: Uint8Array | undefined) =>
  !keys || (key !== undefined && keys.some((each) => bytesToHex(each) === bytesToHex(key)));

type Token = { address: Uint8Array; destroyed: boolean };

/** Sorts the tokens that are not destroyed by a number, then by address. Each of both has a sign: 1 ascends, -1 descends. */
function inOrder<Row extends Token>(
  rows: readonly Row[],
  number: (row: Row) => bigint,
  signs: readonly [number, number],
): string[] {
  return rows
    .filter(({ destroyed }) => !destroyed)
    .map((row) => ({ n: number(row), address: bytesToHex(row.address) }))
    .sort((a, b) => signs[0] * Number(a.n - b.n) || signs[1] * (a.address < b.address ? -1 : 1))
    .map(({ address }) => address);
}

/** All pages of a list, by offsets and by cursors. */
async function bothWays(read: (page: Page) => Promise<{ address: string }[]>): Promise<[string[], string[]]> {
  const of = async (page: Page) =>
    (await read(page)).map(({ address }) => bytesToHex(rawAddressToBytes(address)));
  const byOffset: string[] = [];
  for (let offset = 0; offset < tokens; offset += 33) byOffset.push(...(await of({ limit: 33, offset })));
  const byCursor: string[] = [];
  for (let cursor: ListCursor | undefined = new ListCursor(); cursor; ) {
    byCursor.push(...(await of({ limit: 17, offset: 0, cursor })));
    cursor = cursor.next && new ListCursor(cursor.next);
  }
  return [byOffset, byCursor];
}

const wanted = [
  {},
  { owners: [owner(3)] },
  { owners: [owner(3), owner(8), owner(3)] },
  { owners: many },
  { owners: [collector] },
  { owners: [collector, owner(3)], tokens: [token(2)] },
  { owners: [...many, collector] },
  { tokens: [token(2)] },
  { tokens: [token(2), token(4)] },
  { owners: [owner(3)], tokens: [token(2), token(3)] },
  { owners: many, tokens: [token(0), token(1)] },
  { owners: many.slice(0, 9), addresses: true },
];

describeDatabases("Pages of tokens", (fresh) => {
  test("list each jetton wallet once, in the order of balances and addresses", async () => {
    const database = await fresh();
    await storeRows(database, { jettonWallets: wallets });
    const queries: Queries = queriesOf(database);
    for (const { owners, tokens, addresses } of wanted)
      for (const withBalance of [false, true])
        for (const sort of ["asc", "desc"] as const) {
          const shown = ({ balance, mintless_amount, mintless_is_claimed }: MadeRow<"jettonWallets">) =>
            balance > 0n || (mintless_amount !== undefined && mintless_is_claimed === false);
          const expected = inOrder(
            wallets.filter(
              (row) => isIn(owners, row.owner) && isIn(tokens, row.jetton) && (!withBalance || shown(row)),
            ),
            ({ balance }) => balance,
            sort === "asc" ? [1, -1] : [-1, 1],
          );
          const named = addresses ? wallets.map(({ address }) => address) : undefined;
          const filter = { owners, jettons: tokens, addresses: named, withBalance };
          const found = await bothWays((page) => listJettonWallets(queries, filter, { ...page, sort }));
          expect(found, JSON.stringify({ sort, ...filter })).toEqual([expected, expected]);
        }
  });

  test("list each NFT item once, in the order of last transactions and addresses", async () => {
    const database = await fresh();
    await storeRows(database, { nftItems: items });
    const queries: Queries = queriesOf(database);
    for (const { owners, tokens, addresses } of wanted)
      for (const withSales of [false, true])
        for (const sort of ["asc", "desc"] as const) {
          const expected = inOrder(
            items.filter(
              (row) =>
                isIn(owners, withSales ? row.real_owner : row.owner_address) &&
                isIn(tokens, row.collection_address),
            ),
            ({ last_transaction_lt }) => last_transaction_lt,
            sort === "asc" ? [1, 1] : [-1, 1],
          );
          const named = addresses ? items.map(({ address }) => address) : undefined;
          const filter = { owners, collections: tokens, addresses: named, withSales };
          const found = await bothWays((page) => listNftItems(queries, filter, { ...page, sort }));
          expect(found, JSON.stringify({ sort, ...filter })).toEqual([expected, expected]);
        }
  });
});
