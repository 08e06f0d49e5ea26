import SQL, { raw } from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database, Sql } from "../../../server/store/database.js";
import { toncenterLayout } from "../../../server/store/toncenter/layout.js";
import { isLong, sized } from "../../helpers/effort.js";
import { type IndexApp, startIndexApp } from "../../helpers/http/index-app.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { exportIndex } from "../../helpers/toncenter/export.js";
import { lackingMethods, readsOf } from "../../helpers/toncenter/paired-reads.js";

const lack = "the service reads a database of TON Center, which does not have the data for this call";

/** Metadata that were fetched for tokens with links, and flags. */
async function describeTokens(own: Sql): Promise<void> {
  const tokens = [
    ["jetton_masters", "jetton_content"],
    ["nft_collections", "collection_content"],
    ["nft_items", "content"],
  ] as const;
  for (const [type, [table, content]] of tokens.entries())
    await own.query(SQL`
      insert into address_metadata (address, type, url, valid, name, symbol, description, image, extra, tries)
      select address, ${type}, ${raw(content)} ->> 'uri', true, 'Fetched', 'F', 'A token', 'https://example.com/f.png',
        '{"decimals": "7", "more": "x"}', 0
      from ${raw(table)} where ${raw(content)} ->> 'uri' is not null
      on conflict do nothing`);
  await own.query(SQL`
    insert into address_metadata_flags (address, is_nsfw, is_scam, fields)
    select address, false, true, '{}' from jetton_masters on conflict do nothing`);
}

describePostgres(
  "A database of TON Center with the rows of our own",
  (_fresh, server) => {
    let databases: Database[];
    let apps: { own: IndexApp; foreign: IndexApp };
    beforeAll(async () => {
      const own = openPatiently(await server().databaseWithSchema(storyIndex));
      const foreign = openPatiently(await server().database());
      databases = [own, foreign];
      await describeTokens(queriesOf(own));
      await exportIndex(queriesOf(own), queriesOf(foreign));
      const layout = toncenterLayout({ hasFlags: true });
      apps = { own: await startIndexApp(own), foreign: await startIndexApp(foreign, { layout }) };
    });
    afterAll(async () => {
      for (const app of Object.values(apps)) await app.close();
      for (const database of databases) await database.close();
    });

    it("gives the same answers to reads of each method with filters", async () => {
      const paths = await readsOf(queriesOf(databases[0]!), { withPairs: isLong, every: sized(12, 1) });
      const other: Record<string, unknown> = {};
      let found = 0;
      for (const path of paths) {
        const [expected, answer] = [await apps.own.get(path), await apps.foreign.get(path)];
        if (expected[0] === 200) found++;
        if (JSON.stringify(answer) !== JSON.stringify(expected)) other[path] = { expected, answer };
      }
      expect(other).toEqual({});
      // The others are refused, as methods do not take all of their filters together.
      expect(found).toBeGreaterThan(paths.length / 2);
    });

    it("takes times that its columns cannot have", async () => {
      for (const path of ["transactions", "traces", "actions", "messages", "blocks", "jetton/transfers"])
        for (const bound of ["start_utime=4294967295", "end_utime=4294967295"])
          expect(await apps.foreign.get(`${path}?${bound}`)).toEqual(await apps.own.get(`${path}?${bound}`));
    });

    it("has the metadata that were fetched, and flags", async () => {
      const tokens = await queriesOf(databases[0]!).query<{ address: string }>(SQL`
        select wire_address(address) as address from address_metadata
        union select wire_address(address) from address_metadata_flags`);
      expect(tokens.length).toBeGreaterThan(1);
      const path = `metadata?${tokens.map(({ address }) => `address=${address}`).join("&")}`;
      const expected = await apps.own.get(path);
      expect(JSON.stringify(expected)).toContain('"name":"Fetched"');
      expect(JSON.stringify(expected)).toContain('"is_scam":true');
      expect(await apps.foreign.get(path)).toEqual(expected);
    });

    it("refuses cursors, and has the pages by offset", async () => {
      const error = "the service reads a database of TON Center, whose lists have no cursors: use offset";
      for (const path of ["transactions", "jetton/wallets", "topAccountsByBalance", "traces"])
        expect(await apps.foreign.get(`${path}?limit=1&cursor=start`), path).toEqual([501, { error }]);
      expect(await apps.foreign.get("transactions?limit=1&offset=1")).toEqual(
        await apps.own.get("transactions?limit=1&offset=1"),
      );
    });

    it("answers calls for what it does not have with one error", async () => {
      expect(lackingMethods.length).toBeGreaterThan(10);
      const someone = `0:${"00".repeat(32)}`;
      for (const path of [
        "validators/cycles",
        `dns/activeAuctions?bidder=${someone}`,
        "search?q=name",
        "hourlyTotals",
        `account/balanceHistory?address=${someone}`,
        `account/diff?address=${someone}&start_utime=1`,
      ])
        expect([path, await apps.foreign.get(path)]).toEqual([path, [501, { error: lack }]]);
    });
  },
  storyIndex,
);
