import SQL from "sql-template-tag";
import { expect, it, onTestFinished } from "vitest";
import { holdSchema } from "../../../server/store/queries/cluster/divided-clauses.js";
import { Partitions } from "../../../server/store/slots/partitions.js";
import { handledLater } from "../../../shared/values/promises.js";
import { describeCitus } from "../../helpers/store/citus.js";
import { openDivided } from "../../helpers/store/cluster-databases.js";
import { grownContent } from "../../helpers/store/growing-index.js";
import { until } from "../../helpers/until.js";

const later = 10n ** 12n;

describeCitus("On a cluster, who makes a slot", () => {
  it("waits for a writer of several tables, and keeps no lock that this one needs", async () => {
    const { database, close } = await openDivided(grownContent(2, 10));
    onTestFinished(close);
    const sql = database.sql();
    const isWaiting = async () => {
      const [row] = await sql.query<{ waits: boolean }>(SQL`
        select exists (
          select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())) as waits`);
      return row!.waits;
    };
    const making = await sql.transaction(async (transaction) => {
      await holdSchema(transaction);
      await transaction.query(SQL`update messages set value = value`);
      const made = handledLater(new Partitions(sql).cover(later, later));
      await until("the maker of a slot", isWaiting);
      await transaction.query(SQL`update transactions set total_fees = total_fees`);
      await transaction.query(SQL`update account_states set balance = balance`);
      return { made };
    });
    expect(await making.made).toBe(true);
  });
});
