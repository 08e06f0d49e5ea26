import { expect, onTestFinished, test } from "vitest";
import { IndexWatch } from "../../../server/indexer/follow/index-watch.js";
import type { Database } from "../../../server/store/database.js";
import { raiseIndexVersion, readIndexVersion } from "../../../server/store/queries/upkeep/index-version.js";
import { IndexVersions } from "../../../server/store/reads/index-versions.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { until } from "../../helpers/until.js";

/** A notification takes longer on a machine that stands still. */
const patientMs = 60_000;

describePostgres("The watch of an index", (fresh) => {
  /** `lost`: whether notifications get lost on their way. */
  async function open(database: Database, lost: () => boolean, maxMs: number) {
    const versions = new IndexVersions();
    let news = 0;
    const watch = IndexWatch.start({
      database: {
        ...database,
        listen: (channel, onMessage, signal) =>
          database.listen(channel, (text) => lost() || onMessage(text), signal),
      },
      network: "devnet",
      zeroState: { rootHash: new Uint8Array(32), fileHash: new Uint8Array(32), workchain: -1 },
      chainSeqno: () => 1,
      now: () => Date.now(),
      versions,
      check: { everyMs: 20, maxMs },
      onReadable: () => {},
      onNews: () => {
        news++;
      },
      onError: (error) => {
        throw error;
      },
    });
    onTestFinished(() => watch.close());
    await until("the beginning", () => watch.current !== undefined);
    return { watch, versions, newsOf: () => news };
  }

  test("lets nothing be cached while notifications are lost, and then not what was cached before", async () => {
    const database = await fresh();
    let isDeaf = false;
    const { watch, versions } = await open(database, () => isDeaf, 500);
    const before = watch.current;
    expect(watch.hears).toBe(true);
    isDeaf = true;
    await until("the failure", () => watch.current === undefined);
    expect([watch.hears, watch.unavailableReason()]).toEqual([false, undefined]);
    await database.sql().transaction(raiseIndexVersion);
    isDeaf = false;
    await until("it to hear again", () => watch.hears);
    expect(watch.current).not.toBe(before);
    // The change that was not heard of is found in the database.
    const { n } = await readIndexVersion(database.sql());
    await until("the version", () => versions.newest?.n === n);
  });

  test("tells of each commit by its version", async () => {
    const database = await fresh();
    const { watch, versions, newsOf } = await open(database, () => false, patientMs);
    for (let times = 0; times < 3; times++) {
      const [seen, told] = [watch.current, newsOf()];
      await database.sql().transaction(raiseIndexVersion);
      const { n } = await readIndexVersion(database.sql());
      await until("the notification", () => versions.newest?.n === n && newsOf() > told);
      expect(watch.current).not.toBe(seen);
    }
    // A check is no news of the index.
    const [seen, told] = [watch.current, newsOf()];
    await database.sql().query({ text: "select pg_notify('tonwire_index', 'check of another')", values: [] });
    await database.sql().transaction(raiseIndexVersion);
    const { n } = await readIndexVersion(database.sql());
    await until("the notification", () => versions.newest?.n === n && newsOf() > told);
    expect(watch.current).not.toBe(seen);
  });
});
