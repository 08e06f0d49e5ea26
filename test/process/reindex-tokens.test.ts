import { expect, onTestFinished, test } from "vitest";
import { ton } from "../helpers/chain/devnet.js";
import { idOf, openDetectedStory, someAddress } from "../helpers/index/detection.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { tonwireHere } from "../helpers/services/command-here.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { dumpTables } from "../helpers/store/tables.js";

const tableNames = ["jetton_transfers", "jetton_burns", "nft_transfers", "token_slots"];

describePostgres("tonwire reindex-tokens", (_, server) => {
  test("adds missing events, without the chain", async () => {
    const databaseUrl = await server().database();
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    const run = () => tonwireHere(["reindex-tokens", "--database-url", databaseUrl]);
    const tooEarly = await run();
    expect([tooEarly.code, tooEarly.stderr]).toEqual([
      1,
      "tonwire: The database has no index yet: start the process that writes it first\n",
    ]);

    const { api, detection, controls } = await openDetectedStory();
    // The faucet pays once the story is over.
    await controls.faucet(idOf(someAddress(9)), ton);
    await indexAll(database, api, { detection });
    const expected = await dumpTables(database, tableNames);
    expect(expected["jetton_transfers"]).not.toEqual([]);
    await database
      .sql({ connections: 1 })
      .transaction((transaction) => transaction.script(`truncate ${tableNames.join(", ")}`));
    expect(await run()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no token event is missing\n"),
    });
    expect(await dumpTables(database, tableNames)).toEqual(expected);
  });
});
