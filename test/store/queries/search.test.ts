import SQL from "sql-template-tag";
import { expect, it } from "vitest";
import type { Database } from "../../../server/store/database.js";
import { replaceFlags } from "../../../server/store/queries/tokens/metadata.js";
import { searchTokens, tokensAt } from "../../../server/store/queries/tokens/search.js";
import { Address } from "../../../shared/values/address.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { madeRow } from "../../helpers/store/made-row.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { bytesOf, hashOf, storeRows } from "../../helpers/store/rows.js";

let made = 0;
/** The facts of a new contract, which was seen after the ones before. */
const contract = (destroyed = false) => {
  made++;
  const address = bytesOf(new Address(0, hashOf(`contract ${made}`)));
  return { address, first_seen_lt: BigInt(made), destroyed };
};
const jetton = (jetton_content: Record<string, string>, facts = contract()) =>
  madeRow("jettonMasters", { ...facts, jetton_content });
const collection = (collection_content: Record<string, string>) =>
  madeRow("nftCollections", { ...contract(), collection_content });
const item = (content: Record<string, string>) => madeRow("nftItems", { ...contract(), content });
const dns_wallet = bytesOf(new Address(-1, hashOf("wallet")));
const domain = (name: string) => madeRow("dnsEntries", { ...contract(), domain: name, dns_wallet });
const rawOf = ({ address }: { address: Uint8Array }) =>
  new Address(Buffer.from(address).readInt8(0), address.slice(1)).toRawUpper();

const namesOf = async (database: Database, text: string, limit = 10) =>
  (await searchTokens(queriesOf(database), text, { limit })).map(({ kind, name, symbol }) =>
    `${kind} ${name} ${symbol ?? ""}`.trim(),
  );

describeDatabases("Search by name", (fresh) => {
  it("finds tokens by the beginning of their name, symbol or domain, in any case", async () => {
    const database = await fresh();
    await storeRows(database, {
      jettonMasters: [
        jetton({ name: "Tree coin", symbol: "LEAF" }),
        jetton({ name: "Leaflet", symbol: "LFL" }),
        jetton({ name: "Street", symbol: "TREES" }),
        jetton({ symbol: "tree" }, contract(true)),
        jetton({ description: "tree" }),
      ],
      nftCollections: [collection({ name: "TREE" })],
      nftItems: [item({ name: "Tree 5" }), item({ domain: "tree" })],
      dnsEntries: [domain("tree.ton"), domain("tree-house.ton"), domain("a.tree.ton")],
    });
    expect(await namesOf(database, "tree")).toEqual([
      "nft_collection TREE",
      "domain tree.ton",
      "jetton Tree coin LEAF",
      "jetton Street TREES",
      "domain tree-house.ton",
      "nft_item Tree 5",
    ]);
    expect(await namesOf(database, "LEAF")).toEqual(["jetton Tree coin LEAF", "jetton Leaflet LFL"]);
    expect(await namesOf(database, "tree", 2)).toEqual(["nft_collection TREE", "domain tree.ton"]);
    expect(await namesOf(database, "tree 5")).toEqual(["nft_item Tree 5"]);
    expect(await namesOf(database, "ree")).toEqual([]);
    const [found] = await searchTokens(queriesOf(database), "tree.ton", { limit: 1 });
    expect(found).toMatchObject({
      kind: "domain",
      is_exact: true,
      wallet: new Address(-1, hashOf("wallet")).toRawUpper(),
    });
  });

  it("lists the older of equal names first, and flagged ones last", async () => {
    const database = await fresh();
    const copies = Array.from({ length: 12 }, () => jetton({ name: "Dollar", symbol: "USD" }));
    const [first, second] = [jetton({ name: "dollar" }), jetton({ name: "Dollar" })];
    await storeRows(database, { jettonMasters: [...copies, second, first] });
    const flags = copies.map((each) => ({ address: rawOf(each), isNsfw: false, isScam: true, fields: {} }));
    await database.sql().transaction((transaction) => replaceFlags(transaction, flags));
    const found = await searchTokens(queriesOf(database), "dollar", { limit: 8 });
    expect(found.map(({ address }) => address)).toEqual([
      rawOf(first),
      rawOf(second),
      ...copies.slice(0, 6).map(rawOf),
    ]);
    expect(found.map(({ is_scam }) => is_scam)).toEqual([false, false, ...Array(6).fill(true)]);
  });

  it("knows the operator's names and those of fetched metadata, while the contract links to these", async () => {
    const database = await fresh();
    const [linked, moved, named] = [
      jetton({ uri: "https://a.example" }),
      jetton({ uri: "https://b.example" }),
      jetton({ name: "Formerly" }),
    ];
    const fetched = ({ address }: { address: Uint8Array }, url: string) =>
      madeRow("addressMetadata", {
        address,
        url,
        type: 0,
        valid: true,
        name: "Oak",
        symbol: "OAK",
        extra: {},
      });
    await storeRows(database, {
      jettonMasters: [linked, moved, named],
      addressMetadata: [fetched(linked, "https://a.example"), fetched(moved, "https://old.example")],
    });
    await database
      .sql()
      .transaction((transaction) =>
        replaceFlags(transaction, [
          { address: rawOf(named), isNsfw: false, isScam: false, fields: { name: "Oak tree", symbol: 5 } },
        ]),
      );
    expect(await namesOf(database, "oak")).toEqual(["jetton Oak OAK", "jetton Oak tree 5"]);
    expect(await namesOf(database, "formerly")).toEqual(["jetton Oak tree 5"]);
    expect(await tokensAt(queriesOf(database), named.address)).toMatchObject([
      { kind: "jetton", name: "Oak tree" },
    ]);
    expect(await tokensAt(queriesOf(database), bytesOf(new Address(0, hashOf("nobody"))))).toEqual([]);
  });

  it("takes names and texts of any characters as they are", async () => {
    const database = await fresh();
    const long = "\u{1F600}ß".repeat(500);
    const names = [
      "100%",
      "a_b",
      "back\\slash",
      "quote'",
      '"json"',
      "\u{10FFFF}",
      "ПРИВЕТ",
      long,
      "<script>",
    ];
    await storeRows(database, { jettonMasters: names.map((name) => jetton({ name })) });
    for (const name of names) {
      const text = name.slice(0, 128);
      expect([text, await namesOf(database, text)]).toEqual([text, [`jetton ${name}`]]);
    }
    for (const text of ["%", "_", "a%", "a.b", "\\", "'", "\ud83d", `${long.slice(0, 100)}x`, "[", "(", "*"])
      expect([text, await namesOf(database, text)]).toEqual([text, []]);
  });

  it("reads indexes alone", async () => {
    const database = await fresh();
    await storeRows(database, {
      jettonMasters: Array.from({ length: 3000 }, (_, at) =>
        jetton({ name: `Name ${at}`, symbol: `S${at}` }),
      ),
      nftItems: Array.from({ length: 3000 }, (_, at) => item({ name: `Name ${at}` })),
      dnsEntries: Array.from({ length: 3000 }, (_, at) => domain(`name-${at}.ton`)),
    });
    const sql = database.sql();
    await sql.query(SQL`analyze`);
    const statements: { text: string; values: readonly unknown[] }[] = [];
    const found = await searchTokens(
      {
        isDivided: () => sql.isDivided(),
        query: (statement) => {
          statements.push(statement);
          return sql.query(statement);
        },
      },
      "name",
      { limit: 10 },
    );
    expect(found).toHaveLength(10);
    const plans = await Promise.all(
      statements.map(({ text, values }) =>
        sql.query<{ "QUERY PLAN": string }>({ text: `explain ${text}`, values }),
      ),
    );
    const lines = plans
      .flat()
      .map((line) => line["QUERY PLAN"])
      .join("\n");
    for (const index of ["masters_by_name", "masters_by_symbol", "items_by_name", "entries_by_domain"])
      expect(lines).toContain(index);
    expect(lines).not.toMatch(/Seq Scan on (jetton_masters|nft_items|dns_entries)/);
  });
});
