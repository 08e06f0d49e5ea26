import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Sql } from "../../../server/store/database.js";
import { readExtras } from "../../../server/store/queries/accounts/account-extras.js";
import { parseTokens } from "../../../server/store/queries/tokens/tokens.js";
import { accountKinds } from "../../../server/store/tables/accounts.js";
import { isUnnoted } from "../../../server/store/tables/all-tables.js";
import { describeDatabases, describePostgres } from "../../helpers/store/describe-databases.js";
import { ExplainedSql } from "../../helpers/store/explained-sql.js";
import { madeRow } from "../../helpers/store/made-row.js";
import { searchesOf } from "../../helpers/store/measured-reads.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { accountOf, bytesOf, hashOf, type Rows, storeRows } from "../../helpers/store/rows.js";

const [owner, buyer, wallet, master, collection, item] = [..."abwmci"].map((letter) =>
  bytesOf(accountOf(letter)),
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

type Kind = (typeof accountKinds)[number];

const tokens = {
  jettonWallets: [madeRow("jettonWallets", { address: wallet, owner, jetton: master })],
  jettonMasters: [madeRow("jettonMasters", { address: master })],
  nftCollections: [madeRow("nftCollections", { address: collection })],
  nftItems: [madeRow("nftItems", { address: item })],
} satisfies Rows;
const domainOf = (account: Uint8Array, last_transaction_lt: bigint) => ({
  dnsEntries: [
    madeRow("dnsEntries", {
      ...{ address: item, domain: "a.ton", nft_item_owner: account, dns_wallet: account },
      last_transaction_lt,
    }),
  ],
});

describePostgres("The extras of accounts", (_fresh, server) => {
  test("take three searches for an account that has a state alone", async () => {
    const url = new URL(await server().databaseWithSchema());
    // The planner scans small tables.
    url.searchParams.set("options", "-c enable_seqscan=off -c jit=off");
    const database = openPatiently(url.href);
    const code_hash = hashOf("code");
    const accounts = Array.from({ length: 100 }, (_, i) => bytesOf(accountOf(String.fromCharCode(i))));
    await storeRows(database, {
      ...{ ...tokens, ...domainOf(owner, 1n) },
      latestAccountStates: accounts.map((account) => madeRow("latestAccountStates", { account, code_hash })),
      contractMethods: [{ code_hash, methods: [1] }],
    });
    const sql = new ExplainedSql(database.sql({ connections: 1 }));
    const searches = async (asked: readonly Uint8Array[]) =>
      searchesOf(
        await sql.explain(() =>
          sql.transaction(
            async (snapshot) => {
              const { book } = await readExtras(snapshot, asked, ["tokens", "book"]);
              expect(book).toHaveLength(asked.length);
            },
            { snapshot: true },
          ),
        ),
      );
    const plain = accounts.filter((account) => !"abwmci".includes(String.fromCharCode(account[1]!)));
    // One more for the code that they share.
    expect(await searches(plain)).toBe(3 * plain.length + 1);
    // Its row, and its master.
    expect(await searches([wallet])).toBeLessThanOrEqual(8);
    await database.close();
  });
});

describeDatabases("The kinds of an account", (fresh) => {
  const kindsIn = async (sql: Sql) => {
    const rows = await sql.query<{ account: Uint8Array; kind: number }>(
      SQL`select account, kind from account_kinds order by kind, account`,
    );
    return rows.map(({ account, kind }) => [String.fromCharCode(account[1]!), kind]);
  };

  test("are those of all tables that have or had a row of it, each once, but for divided tables", async () => {
    const database = await fresh();
    const sql = queriesOf(database);
    await storeRows(database, { ...tokens, ...domainOf(owner, 1n) });
    const isNoted = (await sql.isDivided()) ? (kind: Kind) => !isUnnoted(kind) : () => true;
    const kinds = [..."wmcia"].flatMap((letter, kind) =>
      isNoted(accountKinds[kind]!) ? [[letter, kind]] : [],
    );
    expect(await kindsIn(sql)).toEqual(kinds);
    await sql.query(SQL`delete from nft_items`);
    await storeRows(database, { ...tokens, ...domainOf(buyer, 2n) });
    expect(await kindsIn(sql)).toEqual([...kinds, ["b", 4]]);
  });

  test("lead to what an account is and is called now", async () => {
    const database = await fresh();
    const sql = queriesOf(database);
    const named = async () => {
      const { book } = await readExtras(sql, [owner, buyer], ["book"]);
      return book.filter(({ domain }) => domain === "a.ton").map(({ account }) => account);
    };
    await storeRows(database, { ...tokens, ...domainOf(owner, 1n) });
    expect(await named()).toEqual([accountOf("a").toRaw()]);
    await storeRows(database, domainOf(buyer, 2n));
    expect(await named()).toEqual([accountOf("b").toRaw()]);
    const countsOf = async (accounts: readonly Uint8Array[]) => {
      const { tokens } = await readExtras(sql, accounts, ["tokens"]);
      return Object.values(parseTokens(tokens)).map((rows) => rows.length);
    };
    const all = [owner, wallet, master, collection, item];
    expect(await countsOf(all)).toEqual([1, 1, 1, 1]);
    await sql.query(SQL`update nft_items set destroyed = true`);
    expect(await countsOf(all)).toEqual([1, 1, 1, 0]);
    // A wallet comes with its master.
    expect(await countsOf([wallet])).toEqual([1, 1, 0, 0]);
  });
});
