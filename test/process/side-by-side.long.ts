import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../server/store/migrate/migrate.js";
import { knownMigrations } from "../../server/store/sql/schemas.js";
import { tonwireHere } from "../helpers/services/command-here.js";
import { devnetWithGateway, here } from "../helpers/services/role-processes.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { until } from "../helpers/until.js";

const { startApi, startIndex } = here;
const slow = { timeout: 600_000 };
const known = knownMigrations();
const newest = known.at(-1)!.number;
const address = `0:${"5A".repeat(32)}`;

/** Start of the writer of a later version. */
const later = {
  number: newest + 1,
  name: `${newest + 1}-later.sql`,
  script: () => `-- usable by: ${newest}
alter table transactions add column if not exists is_seen boolean;
-- part: another table
alter table blocks add column if not exists is_seen boolean not null default false;
`,
};

describeServers("Processes of this version, while a later one migrates the index", (_, server) => {
  test("write and answer as before, and those that answer may start again", slow, async () => {
    const { devnet, globalConfig } = await devnetWithGateway();
    const databaseUrl = await server().database();
    const place = { databaseUrl, globalConfig };
    const index = await startIndex(place);
    const api = await startApi(place, "--health-max-lag", "1000000");
    const reaches = async (process: typeof api, seqno: number) =>
      until("the answers", async () => (await process.lastSeqno()) === seqno);
    await reaches(api, await devnet.mine());

    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    await migrate(database.sql(), { migrations: [...known, later] });
    await devnet.run("devnet.faucet", { address });
    const seqno = await devnet.mine(2);
    await reaches(api, seqno);
    const lists = ["transactions", "blocks", "traces", `accountStates?address=${address}`];
    const answersOf = (process: typeof api) =>
      Promise.all(lists.map((path) => process.ask(`/api/v3/${path}`)));
    const answers = await answersOf(api);
    expect(answers.map(([status]) => status)).toEqual(lists.map(() => 200));

    const again = await startApi(place, "--health-max-lag", "1000000");
    await reaches(again, seqno);
    expect(await answersOf(again)).toEqual(answers);

    // Only a version that knows the new columns becomes the writer.
    index.process.send("SIGTERM");
    expect(await index.process.ended).toBe(0);
    const options = ["--network", "devnet", "--global-config", globalConfig, "--admin-port", "0"];
    const outdated = await tonwireHere(["index", ...options], { env: { DATABASE_URL: databaseUrl } });
    expect(outdated.code).toBe(1);
    expect(outdated.stderr).toContain(
      `the database has schema ${newest + 1}, this version knows ${newest} at most`,
    );
    await devnet.mine();
    expect(await again.lastSeqno()).toBe(seqno);
  });
});
