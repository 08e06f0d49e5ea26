import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commitSequence } from "../../../server/store/cluster/commits.js";
import { dividedTogether } from "../../../server/store/cluster/divided-tables.js";
import type { Database } from "../../../server/store/database.js";
import { claimDatabase } from "../../../server/store/open.js";
import { replaceMeta } from "../../../server/store/queries/upkeep/index-meta.js";
import type { Manifest } from "../../../server/store/snapshots/manifest.js";
import { classifier } from "../../helpers/index/classifier.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { gatewayTo } from "../../helpers/peers/mainnet-gateway.js";
import { servedFolder } from "../../helpers/peers/served-folder.js";
import { TonwireProcess } from "../../helpers/services/command.js";
import { tonwireHere } from "../../helpers/services/command-here.js";
import { countOwners } from "../../helpers/store/citus.js";
import { citusUrl, makeDivided } from "../../helpers/store/cluster-databases.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently, type TestDatabases } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { sharedStory } from "../../helpers/stories/shared-story.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { until } from "../../helpers/until.js";

type Place = { databaseUrl: string } | { data: string };

const flagsOf = (place: Place) =>
  "data" in place ? ["--data", place.data] : ["--database-url", place.databaseUrl];

const run = (args: readonly string[], place: Place, ...flags: string[]) =>
  tonwireHere([...args, ...flagsOf(place), ...flags], { env: { TONWIRE_LOG_LEVEL: "silent" } });

/** Uses the database of an index that no process has. */
async function within<T>(place: Place, work: (database: Database) => Promise<T>): Promise<T> {
  const where = "data" in place ? { folder: `${place.data}/index` } : { url: place.databaseUrl };
  const claim = await claimDatabase(where);
  const database = await claim.open(new AbortController().signal);
  try {
    return await work(database);
  } finally {
    await database.close();
    await claim.release();
  }
}

const dump = (place: Place) => within(place, (database) => dumpTables(database));

const slow = { timeout: 600_000 };

describePostgres("A snapshot of an index", (_, server) => {
  /** An index of the story, its chain, and a snapshot of it. */
  async function exported() {
    const place = { databaseUrl: await storyDatabase(server()) };
    const folder = join(temporaryFolder(), "snapshot");
    const done = await run(["export-index", folder], place);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    return { place, folder, chain: await chainFlags() };
  }
  const empty = async () => ({ databaseUrl: await server().database() });

  test(
    "makes the same index, in a server and in a folder, and that another snapshot of the same rows",
    slow,
    async () => {
      const { place, folder, chain } = await exported();
      const wanted = await dump(place);
      const inFolder = { data: temporaryFolder() };
      const done = await run(["import-index", folder], inFolder, ...chain);
      expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("are those of the chain") });
      expect(await dump(inFolder)).toEqual(wanted);
      const second = join(temporaryFolder(), "snapshot");
      expect(await run(["export-index", second], inFolder)).toMatchObject({ code: 0 });
      const inServer = await empty();
      expect(await run(["import-index", second], inServer, ...chain)).toMatchObject({ code: 0 });
      expect(await dump(inServer)).toEqual(wanted);
      expect(rowsOf(second)).toEqual(rowsOf(folder));
      // The index goes on from there, and nobody imports into it again.
      expect(await run(["import-index", folder], inServer, ...chain)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("the index is not empty"),
      });
    },
  );

  test("keeps its files when it is exported again, but for those whose rows have changed", slow, async () => {
    const { place, folder } = await exported();
    const before = filesOf(folder);
    await within(place, (database) =>
      queriesOf(database).query({
        text: "update opcode_slots set opcode = opcode where opcode < 0",
        values: [],
      }),
    );
    expect(await run(["export-index", folder], place)).toMatchObject({ code: 0 });
    const after = filesOf(folder);
    const changed = [...after.keys()].filter((name) => after.get(name) !== before.get(name));
    expect(changed.map((name) => name.replace(/-.*/, ""))).toEqual(["opcode_slots"]);
    expect([...before.keys()].filter((name) => !after.has(name))).toHaveLength(1);
  });

  test(
    "is refused with one changed byte, and goes on where it ended once the file is mended",
    slow,
    async () => {
      const { place, folder, chain } = await exported();
      const name = [...filesOf(folder).keys()].find((each) => each.startsWith("traces"))!;
      const whole = readFileSync(join(folder, name));
      const changed = Buffer.from(whole);
      changed[changed.length >> 1]! ^= 1;
      writeFileSync(join(folder, name), changed);
      const target = await empty();
      expect(await run(["import-index", folder], target, ...chain)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${name} of ${folder} is not the file of the manifest`),
      });
      expect(await run(["index"], target, ...chain, "--admin-port", "0")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("an import of the index has not ended"),
      });
      writeFileSync(join(folder, name), whole);
      expect(await run(["import-index", folder], target, ...chain)).toMatchObject({ code: 0 });
      expect(await dump(target)).toEqual(await dump(place));
    },
  );

  test("is refused with rows that are not those of the chain", slow, async () => {
    const { place, folder, chain } = await exported();
    await within(place, (database) =>
      queriesOf(database).query({ text: "update transactions set total_fees = total_fees + 1", values: [] }),
    );
    expect(await run(["export-index", folder], place)).toMatchObject({ code: 0 });
    const target = await empty();
    expect(await run(["import-index", folder], target, ...chain, "--sample", "4")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /the snapshot is false: the rows of transactions differ from the chain in the masterchain blocks \d+ to \d+/,
      ),
    });
  });

  test.each([
    [
      /its actions: those of \d+ of \d+ traces .* do not follow/,
      "actions set amount = coalesce(amount, 0) + 1",
    ],
    [/a row of jetton_transfers .* does not follow/, "jetton_transfers set amount = amount + 1"],
    [/a row of nft_transfers .* does not follow/, "nft_transfers set new_owner = old_owner"],
  ])("is refused with rows that do not follow from its blocks: %s", slow, async (text, change) => {
    const { place, folder, chain } = await exported();
    await within(place, (database) => queriesOf(database).query({ text: `update ${change}`, values: [] }));
    expect(await run(["export-index", folder], place)).toMatchObject({ code: 0 });
    const target = await empty();
    expect(await run(["import-index", folder], target, ...chain, "--sample", "1000")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(text),
    });
  });

  test("has token events added that are missing in the sampled blocks", slow, async () => {
    const { place, folder, chain } = await exported();
    const wanted = await dump(place);
    await within(place, (database) =>
      queriesOf(database).query({ text: "delete from jetton_transfers", values: [] }),
    );
    expect(await run(["export-index", folder], place)).toMatchObject({ code: 0 });
    const target = await empty();
    expect(await run(["import-index", folder], target, ...chain, "--sample", "1000")).toMatchObject({
      code: 0,
    });
    expect(await dump(target)).toEqual(wanted);
  });

  test("is not made of an index that is divided among nodes", slow, async () => {
    const place = { databaseUrl: await storyDatabase(server()) };
    // By this sequence and a table of marks connections know a divided index; the rest of it needs a cluster.
    await within(place, (database) =>
      database.sql().transaction(async (transaction) => {
        await transaction.script(`create sequence ${commitSequence}`);
        await transaction.script(`create table ${dividedTogether[0]!.marks} ()`);
      }),
    );
    expect(await run(["export-index", join(temporaryFolder(), "other")], place)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Citus cluster, which cannot be exported"),
    });
  });

  test.runIf(citusUrl !== undefined)(
    "makes the same index on a cluster as one that is made there block by block",
    slow,
    async () => {
      const { folder, chain } = await exported();
      const [target, made] = [await makeDivided(), await makeDivided(storyIndex)];
      onTestFinished(async () => {
        for (const each of [target, made]) await each.drop();
      });
      await nameNetwork(made.url);
      const place = { databaseUrl: target.url };
      const name = [...filesOf(folder).keys()].find((each) => each.startsWith("message_contents"))!;
      const whole = readFileSync(join(folder, name));
      writeFileSync(join(folder, name), whole.subarray(1));
      expect(await run(["import-index", folder], place, ...chain)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("is not the file of the manifest"),
      });
      writeFileSync(join(folder, name), whole);
      expect(await run(["import-index", folder, "--sample", "1000"], place, ...chain)).toMatchObject({
        code: 0,
        stderr: "",
        stdout: expect.stringContaining("are those of the chain"),
      });
      const wanted = await dump({ databaseUrl: made.url });
      expect(wanted["message_contents"]!.length).toBeGreaterThan(100);
      expect(await dump(place)).toEqual(wanted);
      const owners = await within(place, (database) => countOwners(queriesOf(database)));
      expect(owners).toEqual({ all: expect.toSatisfy((all: number) => all > 20), unnoted: 0 });
      const story = await sharedStory();
      onTestFinished(() => story.close());
      await story.controls.mine(3);
      for (const databaseUrl of [target.url, made.url])
        await within({ databaseUrl }, (database) =>
          indexAll(database, story.api, { network: "devnet", detection: story.detection, classifier }),
        );
      expect(await dump(place)).toEqual(await dump({ databaseUrl: made.url }));
    },
  );

  test("is whole although both processes are killed in the middle and run again", slow, async () => {
    const place = { databaseUrl: await storyDatabase(server()) };
    const folder = join(temporaryFolder(), "snapshot");
    const chain = await chainFlags();
    const exporting = new TonwireProcess(["export-index", folder, ...flagsOf(place)]);
    const written = () => (existsSync(folder) ? filesOf(folder).size : 0);
    await until("some files", () => written() > 20);
    exporting.send("SIGKILL");
    expect(await exporting.ended).toBe("SIGKILL");
    expect(existsSync(join(folder, "manifest.json"))).toBe(false);
    const before = filesOf(folder);
    expect(await run(["export-index", folder], place)).toMatchObject({ code: 0 });
    const kept = [...filesOf(folder)].filter(([name, at]) => before.get(name) === at);
    // The file whose note was not written yet is written again.
    expect(kept.length).toBeGreaterThanOrEqual(before.size - 1);

    const target = await empty();
    const importing = new TonwireProcess(["import-index", folder, ...flagsOf(target), ...chain]);
    const database = openPatiently(target.databaseUrl);
    onTestFinished(() => database.close());
    const stored = async () => {
      const text = "select (value::jsonb ->> 'files')::integer as files from index_meta where key = 'import'";
      const rows = await queriesOf(database)
        .query<{ files: number }>({ text, values: [] })
        .catch(() => []);
      return (rows[0]?.files ?? 0) > 20;
    };
    await until("some files to be imported", stored);
    importing.send("SIGKILL");
    expect(await importing.ended).toBe("SIGKILL");
    expect(await run(["import-index", folder], target, ...chain)).toMatchObject({ code: 0 });
    expect(await dump(target)).toEqual(await dump(place));
  });

  test(
    "is followed by the index: blocks made later are added as to the index it was exported from",
    slow,
    async () => {
      const { place, folder, chain } = await exported();
      const target = await empty();
      expect(await run(["import-index", folder, "--sample", "0"], target, ...chain)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("no block was compared with the chain: all rows are trusted"),
      });
      const story = await sharedStory();
      onTestFinished(() => story.close());
      const made = await story.controls.mine(3);
      for (const each of [place, target])
        await within(each, (database) =>
          indexAll(database, story.api, { network: "devnet", detection: story.detection, classifier }),
        );
      const wanted = await dump(place);
      expect(wanted["blocks"]!.at(-1)).toContain(`"mc_block_seqno":${made.block.seqno}`);
      expect(await dump(target)).toEqual(wanted);
    },
  );

  test("is refused with a false number of rows, and leaves nothing in the index", slow, async () => {
    const { place, folder, chain } = await exported();
    const path = join(folder, "manifest.json");
    const whole = readFileSync(path);
    const { tables, files, ...manifest } = manifestOf(folder);
    const last = files.at(-1)!;
    const table = tables[last.table]!;
    const lie = {
      ...manifest,
      tables: { ...tables, [last.table]: { ...table, rows: table.rows + 1 } },
      files: [...files.slice(0, -1), { ...last, rows: last.rows + 1 }],
    };
    writeFileSync(path, JSON.stringify(lie));
    const target = await empty();
    expect(await run(["import-index", folder], target, ...chain)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `has ${last.rows} rows, not ${last.rows + 1}; what was imported of it is removed`,
      ),
    });
    writeFileSync(path, whole);
    expect(await run(["import-index", folder], target, ...chain)).toMatchObject({ code: 0 });
    expect(await dump(target)).toEqual(await dump(place));
  });

  test("is fetched over HTTP, also where connections break off", slow, async () => {
    const { place, folder, chain } = await exported();
    const served = await servedFolder(folder, { cut: (path) => path.endsWith("manifest.json") });
    onTestFinished(() => served.close());
    const target = await empty();
    const done = await run(["import-index", served.url], target, ...chain);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(served.ranges.length).toBeGreaterThan(0);
    expect(await dump(target)).toEqual(await dump(place));
  });

  test(
    "is refused with a manifest that is not one of this version and chain, or does not fit its files",
    slow,
    async () => {
      const { folder, chain } = await exported();
      const path = join(folder, "manifest.json");
      const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
      const [first, ...others] = manifest.files;
      const withFirst = (change: Partial<Manifest["files"][number]>) => {
        const changed = { ...first!, ...change };
        const { [first!.table]: table, ...tables } = manifest.tables;
        const rows = table!.rows - first!.rows + changed.rows;
        return { files: [changed, ...others], tables: { ...tables, [changed.table]: { ...table!, rows } } };
      };
      const last = manifest.files.at(-1)!;
      const ofLast = manifest.tables[last.table]!;
      const refusals: [change: object, text: string][] = [
        [{ format: 2 }, "is no manifest of a snapshot: format"],
        [{ schema: { number: 999, name: "0999-later.sql" } }, "has the schema 0999-later.sql"],
        [{ zeroState: "ab".repeat(32) }, "the snapshot is of another chain"],
        [{ last: { ...manifest.last, seqno: 1_000_000 } }, "the snapshot ends with block 1000000"],
        [{ ranges: [] }, "is no manifest of a snapshot: ranges"],
        [
          {
            files: [{ ...first, table: "api_keys" }],
            tables: { api_keys: { ...ofLast, rows: first!.rows } },
          },
          "a table api_keys that is not one of this version",
        ],
        [
          { tables: { ...manifest.tables, [last.table]: { ...ofLast, rows: 10 ** 12 } } },
          `is false: it says that the table ${last.table} has 1000000000000 rows`,
        ],
        [withFirst({ rows: 10 ** 12 }), "rows, not 1000000000000; what was imported of it is removed"],
        [withFirst({ relation: "../../etc/passwd" }), "is no manifest of a snapshot: files.0.relation"],
        [withFirst({ bytes: 10 }), "allowed: at most 10"],
        [withFirst({ copyBytes: 30 }), "cannot be unpacked"],
      ];
      const target = await empty();
      for (const [change, text] of refusals) {
        writeFileSync(path, JSON.stringify({ ...manifest, ...change }));
        const done = await run(["import-index", folder], target, ...chain);
        expect(done, text).toMatchObject({ code: 1, stderr: expect.stringContaining(text) });
        await run(["empty-index"], target);
      }
    },
  );
});

/** A database with an index of the story, as a service writes it. */
async function storyDatabase(databases: Pick<TestDatabases, "databaseWithSchema">): Promise<string> {
  const url = await databases.databaseWithSchema(storyIndex);
  await nameNetwork(url);
  return url;
}

function nameNetwork(databaseUrl: string): Promise<void> {
  return within({ databaseUrl }, (database) => replaceMeta(queriesOf(database), "network", "devnet"));
}

/** The flags that name the devnet of the story. */
async function chainFlags(): Promise<string[]> {
  const story = await sharedStory();
  onTestFinished(() => story.close());
  return ["--network", "devnet", "--global-config", await gatewayTo(story.api)];
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest;

/** The files of a snapshot by their names, with the times of their writing. */
function filesOf(folder: string): Map<string, number> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".copy.gz"));
  return new Map(names.map((name) => [name, statSync(join(folder, name)).mtimeMs]));
}

const rowsOf = (folder: string) =>
  Object.entries(manifestOf(folder).tables).map(([table, { rows }]) => [table, rows]);
