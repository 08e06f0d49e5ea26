import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sized } from "../helpers/effort.js";
import { pagesByCursor } from "../helpers/http/by-cursor.js";
import { cursorLists, cursorQueries } from "../helpers/http/cursor-lists.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";
import { rowsIn } from "../helpers/http/rows-in.js";
import { databaseKinds, type FreshDatabase } from "../helpers/store/databases.js";
import type { Samples } from "../helpers/store/filter-pairs.js";
import { indexSamples } from "../helpers/store/index-samples.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { storyIndex } from "../helpers/stories/story-index.js";

/** More rows than a list of the story has. */
const everything = 1000;
const pagesOfList = sized(2, 4);
/** One of so many queries is asked once a list has shown rows. The number is odd, so that some are turned round. */
const everyQuery = sized(5, 1);
/** The story has no elections, and no pools. */
const lists = cursorLists.filter(([name]) => !/^(staking|validators)\./.test(name));

describe.each(databaseKinds)("Lists of a devnet's story on %s", (_, open) => {
  let fresh: FreshDatabase;
  let app: IndexApp;
  let samples: Samples;
  beforeAll(async () => {
    fresh = await open(storyIndex);
    app = await startIndexApp(fresh.database);
    samples = await indexSamples(queriesOf(fresh.database));
  });
  afterAll(async () => {
    await app.close();
    await fresh.close();
  });

  it.each(lists)("have the same rows by cursor: %s", async (...list) => {
    const path = list[0].replaceAll(".", "/");
    let longest = 0;
    for (const [at, text] of cursorQueries(list, samples).entries()) {
      if (longest > 0 && at % everyQuery !== 0) continue;
      const [status, answer] = await app.get(`${path}?${text}&limit=${everything}`);
      // Some filters are taken with another one only.
      if (status === 404 || status === 422) continue;
      expect(status, text).toBe(200);
      const whole = rowsIn(answer);
      longest = Math.max(longest, whole.length);
      expect(whole.length).toBeLessThan(everything);
      const query = new URLSearchParams(text);
      query.append("limit", String(Math.max(1, Math.ceil(whole.length / pagesOfList))));
      const found: unknown[] = [];
      for await (const page of pagesByCursor(app, path, query)) found.push(...rowsIn(page));
      expect(found, text).toEqual(whole);
    }
    expect(longest).toBeGreaterThan(0);
  });
});
