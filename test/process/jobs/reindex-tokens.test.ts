import { expect, onTestFinished, test } from "vitest";
import { tonwireHere } from "../../helpers/services/command-here.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { storyIndex } from "../../helpers/stories/story-index.js";

const tableNames = ["jetton_transfers", "jetton_burns", "nft_transfers", "token_slots"];
const run = (databaseUrl: string) => tonwireHere(["reindex-tokens", "--database-url", databaseUrl]);

describePostgres("tonwire reindex-tokens", (_, server) => {
  test("needs an index", async () => {
    expect(await run(await server().database())).toMatchObject({
      code: 1,
      stderr: "tonwire: The database has no index yet: start the process that writes it first\n",
    });
  });

  test("adds missing events, without the chain", async () => {
    const databaseUrl = await server().databaseWithSchema(storyIndex);
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const expected = await dumpTables(database, tableNames);
    expect(expected["jetton_transfers"]).not.toEqual([]);
    await database
      .sql({ connections: 1 })
      .transaction((transaction) => transaction.script(`truncate ${tableNames.join(", ")}`));
    expect(await run(databaseUrl)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no token event is missing\n"),
    });
    expect(await dumpTables(database, tableNames)).toEqual(expected);
  });
});
