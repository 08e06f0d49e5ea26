import { expect, onTestFinished, test } from "vitest";
import { configWith } from "../../../server/config/settings.js";
import { migrateIndex } from "../../../server/process/jobs/migrate.js";
import { schemaLack } from "../../../server/store/migrate/migrate.js";
import { claimDatabase } from "../../../server/store/open.js";
import { isLong } from "../../helpers/effort.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

async function lackOf(place: { url?: string; folder?: string }): Promise<string | undefined> {
  const claim = await claimDatabase(place);
  onTestFinished(() => claim.release());
  const database = await claim.open(new AbortController().signal);
  try {
    return await schemaLack(queriesOf(database));
  } finally {
    await database.close();
  }
}

test.runIf(isLong)("The tables of an index in a folder are created", async () => {
  const data = temporaryFolder();
  expect(await migrateIndex(configWith({ data }), { citus: false })).toBeUndefined();
  expect(await lackOf({ folder: `${data}/index` })).toBeUndefined();
});

describePostgres("On a server that is no cluster", (_fresh, server) => {
  test("tables are created, and not divided", async () => {
    const url = await server().database();
    const config = configWith({ databaseUrl: url });
    await expect(migrateIndex(config, { citus: true })).rejects.toThrow(
      "the database has no extension citus",
    );
    expect(await migrateIndex(config, { citus: false })).toBeUndefined();
    expect(await lackOf({ url })).toBeUndefined();
  });
});
