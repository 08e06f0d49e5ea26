import { expect, it, onTestFinished } from "vitest";
import { confirmLayout } from "../../../server/store/toncenter/layout.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { schemaScript } from "../../helpers/toncenter/schema.js";

describePostgres("The version of a database of TON Center", (_fresh, server) => {
  /** An empty database of it, changed by statements. */
  const made = async (...changes: string[]) => {
    const database = openPatiently(await server().database());
    onTestFinished(() => database.close());
    const sql = queriesOf(database);
    await sql.transaction((transaction) => transaction.script([schemaScript(), ...changes].join(";\n")));
    return sql;
  };
  const accounts = [new Uint8Array(33)];
  const withoutFlags = "drop table address_metadata_flags";

  it("is that of a schema with all tables that are read", async () => {
    const { reads } = await confirmLayout(await made());
    expect(await reads.readExtras(await made(), accounts, ["tokens"])).toEqual({ tokens: [] });
    await expect(reads.readExtras(await made(withoutFlags), accounts, ["tokens"])).rejects.toThrow(
      "address_metadata_flags",
    );
  });

  it("may be one without flags of tokens", async () => {
    const older = await made(withoutFlags, "update ton_db_version set patch = 9");
    const { reads } = await confirmLayout(older);
    expect(await reads.readExtras(older, accounts, ["tokens"])).toEqual({ tokens: [] });
  });

  it("is refused if it is another one, or none as in other databases", async () => {
    const sql = await made();
    for (const [version, change] of [
      ["1.2.6", "patch = 6"],
      ["1.3.0", "minor = 3, patch = 0"],
      ["2.2.10", "major = 2, minor = 2, patch = 10"],
    ]) {
      await sql.query({ text: `update ton_db_version set ${change}`, values: [] });
      await expect(confirmLayout(sql)).rejects.toThrow(
        `the database of ton-indexer has version ${version} of its schema: 1.2.7 and later ones of 1.2 can be read`,
      );
    }
    await sql.query({ text: "drop table ton_db_version", values: [] });
    await expect(confirmLayout(sql)).rejects.toThrow("has no table ton_db_version");
  });
});
