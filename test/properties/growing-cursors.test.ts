import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sized } from "../helpers/effort.js";
import { pagesByCursor } from "../helpers/http/by-cursor.js";
import { cursorLists, cursorQueries } from "../helpers/http/cursor-lists.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";
import { rowsIn } from "../helpers/http/rows-in.js";
import { databaseKinds, type FreshDatabase } from "../helpers/store/databases.js";
import { GrowingIndex, momentIn } from "../helpers/store/growing-index.js";
import { LargeOwners } from "../helpers/store/large-owners.js";
import { ownerSamples, samplesOfMethod } from "../helpers/store/owner-samples.js";

/** Blocks without transactions between those with some. */
const every = sized(40, 15);
const slots = 4;
/** So many slots are added in the middle of the lists. */
const later = 2;
const pageLength = 1000;
const pagesOfList = sized(4, 5);
/** Beginning with that without filters. */
const queriesOfList = sized(3, 20);

/** Filters of accounts, tokens and times; other filters have rows that stay as they are. */
const someFilters = /account=|owner_address=|source=|start_utime=|jetton_address=/;

type Walk = { path: string; query: string; before: string[]; found: string[]; rest: AsyncGenerator<unknown> };

describe.each(databaseKinds)("Lists that grow while they are read by cursor on %s", (_, open) => {
  let fresh: FreshDatabase;
  let app: IndexApp;
  let index: GrowingIndex;
  const walks: Walk[] = [];
  beforeAll(async () => {
    fresh = await open();
    index = new GrowingIndex(fresh.database, { every });
    await index.begin();
    await index.growTo(slots);
    await new LargeOwners(fresh.database, slots).begin(sized(2, 4));
    app = await startIndexApp(fresh.database);
    for (const list of cursorLists) await begin(list);
    for (let more = 1; more <= later; more++) {
      for (const walk of walks) await take(walk);
      await index.growTo(slots + more);
    }
  });
  afterAll(async () => {
    await app.close();
    await fresh.close();
  });

  async function begin(list: (typeof cursorLists)[number]): Promise<void> {
    const [method] = list;
    const samples = {
      ...ownerSamples("large", momentIn(slots, 0.3), momentIn(slots, 0.7)),
      ...samplesOfMethod("large", method),
    };
    const path = method.replaceAll(".", "/");
    const queries = cursorQueries(list, samples).filter((query, at) => at === 0 || someFilters.test(query));
    for (const query of queries.slice(0, queriesOfList)) {
      const before = await whole(path, query);
      if (!before) continue;
      const asked = new URLSearchParams(query);
      asked.append("limit", String(Math.max(1, Math.ceil(before.length / pagesOfList))));
      walks.push({ path, query, before, found: [], rest: pagesByCursor(app, path, asked) });
    }
  }

  /** The rows of a list by offset; `undefined` if its filters are refused. */
  async function whole(path: string, query: string): Promise<string[] | undefined> {
    const rows: string[] = [];
    for (let last = pageLength; last === pageLength; ) {
      const page = await app.get(`${path}?${query}&limit=${pageLength}&offset=${rows.length}`);
      if (page[0] !== 200) return undefined;
      const found = namesIn(page[1]);
      rows.push(...found);
      last = found.length;
    }
    return rows;
  }

  async function take(walk: Walk): Promise<boolean> {
    const page = await walk.rest.next();
    if (!page.done) walk.found.push(...namesIn(page.value));
    return !page.done;
  }

  const methods = cursorLists.map(([method]) => method.replaceAll(".", "/"));
  it.each(methods)("have each row once, and all that were there: %s", async (path) => {
    const own = walks.filter((walk) => walk.path === path);
    expect(Math.max(...own.map(({ before }) => before.length)), path).toBeGreaterThan(1);
    for (const walk of own) {
      while (await take(walk));
      const { query, before, found } = walk;
      expect(new Set(found).size, query).toBe(found.length);
      const known = new Set(before);
      expect(
        found.filter((row) => known.has(row)),
        query,
      ).toEqual(before);
      const after = new Set(await whole(path, query));
      expect(
        found.filter((row) => !after.has(row)),
        query,
      ).toEqual([]);
    }
  });

  it("have new rows behind old ones", () => {
    const grown = walks.filter(
      ({ query, before, found }) => /sort=asc/.test(query) && found.length > before.length,
    );
    expect(new Set(grown.map(({ path }) => path)).size).toBeGreaterThan(sized(2, 5));
  });
});

/** Rows as text. */
function namesIn(answer: unknown): string[] {
  return rowsIn(answer).map((row) => JSON.stringify(row));
}
