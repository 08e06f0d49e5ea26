import SQL from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { raiseIndexVersion, readIndexVersion } from "../../../server/store/queries/upkeep/index-version.js";
import { IndexVersions } from "../../../server/store/reads/index-versions.js";
import { Replica } from "../../../server/store/reads/replica.js";
import { openReadServer } from "../../../server/store/wire/postgres.js";
import { startIndexApp } from "../../helpers/http/index-app.js";
import { divideAt } from "../../helpers/store/cluster-databases.js";
import { haveCitus, startCluster } from "../../helpers/store/local-cluster.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { startStandby } from "../../helpers/store/standby.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { until } from "../../helpers/until.js";

const patientMs = 60_000;
const never = new AbortController().signal;

test.runIf(haveCitus())(
  "A standby of a node answers once it has the last commit, and not before",
  async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    await divideAt(cluster.url);
    const database = openPatiently(cluster.url);
    onTestFinished(() => database.close());
    await storyIndex.fill(database);
    const sql = database.sql();
    const readVersion = () => readIndexVersion(queriesOf(database));
    const versions = new IndexVersions();
    const pay = async (fees: number) => {
      await sql.transaction(async (transaction) => {
        await transaction.query(SQL`update transactions set total_fees = ${fees}`);
        await raiseIndexVersion(transaction);
      });
      versions.saw(await readVersion());
    };
    for (const url of [cluster.url, cluster.nodes[0]!]) {
      const standby = await startStandby(url);
      onTestFinished(() => standby.stop());
      const open = () => openReadServer(standby.url, { isPooled: false, commits: database.commits });
      const door = open();
      onTestFinished(() => door.close());
      const answers = door.sql({ statementTimeoutMs: patientMs, atOnce: 2 });
      const app = await startIndexApp(database, { answers });
      onTestFinished(() => app.close());
      const fees = async () => {
        const [status, { transactions = [] }] = await app.get<{ transactions?: { total_fees: string }[] }>(
          "transactions?limit=100",
        );
        return [status, ...new Set(transactions.map(({ total_fees }) => total_fees))];
      };
      const replica = new Replica(open(), {
        versions,
        maxLagMs: patientMs,
        hedgeMs: patientMs,
        statementTimeoutMs: patientMs,
        atOnce: 1,
        readId: async () => (await readVersion()).id,
      });
      onTestFinished(() => replica.close());
      const isChosen = async () => {
        await replica.look(never);
        expect([replica.refusal, replica.state]).toEqual([undefined, "used"]);
        return replica.reaches();
      };

      await pay(2);
      await until("the replay", isChosen);
      expect(await fees()).toEqual([200, "2"]);
      await standby.pause();
      await pay(3);
      expect(await isChosen()).toBe(false);
      expect(await fees()).toEqual([503]);
      await standby.resume();
      await until("the replay", isChosen);
      expect(await fees()).toEqual([200, "3"]);
    }
  },
);
