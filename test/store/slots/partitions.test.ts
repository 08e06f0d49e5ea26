import { expect, test } from "vitest";
import { ServiceError } from "../../../server/errors.js";
import type { Sql } from "../../../server/store/database.js";
import { Partitions } from "../../../server/store/slots/partitions.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";

/** A database in which the first `failures` transactions are cancelled. */
function cancelling(sql: Sql, failures: number, code: string): Sql {
  let runs = 0;
  return {
    query: sql.query.bind(sql),
    isDivided: () => sql.isDivided(),
    transaction: (work, options) => {
      if (++runs > failures) return sql.transaction(work, options);
      const cause = Object.assign(new Error("cancelled"), { severity: "ERROR", code });
      return Promise.reject(new ServiceError("unavailable", "database is not available", { cause }));
    },
  };
}

describePostgres("A slot", (fresh) => {
  const deadlock = "40P01";

  test("is created although the first attempts end in a deadlock", async () => {
    const sql = queriesOf(await fresh());
    const partitions = new Partitions(cancelling(sql, 4, deadlock));
    expect(await partitions.cover(5n, 5n)).toBe(true);
    expect(partitions.slotOf(5n)).toBe(0n);
  });

  test("is not created where deadlocks do not end, or for another failure", async () => {
    const sql = queriesOf(await fresh());
    for (const [failures, code] of [
      [5, deadlock],
      [1, "53300"],
    ] as const)
      await expect(new Partitions(cancelling(sql, failures, code)).cover(5n, 5n)).rejects.toThrow(
        "database is not available",
      );
  });
});
