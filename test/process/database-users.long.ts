import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { examplesIn } from "../helpers/readmes.js";
import { devnetWithGateway, startApi, startIndex } from "../helpers/services/role-processes.js";
import { describeOwnPostgres } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { until } from "../helpers/until.js";

const slow = { timeout: 600_000 };

const account = `0:${"5A".repeat(32)}`;

const rowsOf = (database: Database, text: string) => queriesOf(database).query<object>({ text, values: [] });

function as(url: string, user: string): string {
  const changed = new URL(url);
  changed.username = user;
  return changed.href;
}

function opened(url: string): Database {
  const database = openPatiently(url);
  onTestFinished(() => database.close());
  return database;
}

describeOwnPostgres("A database in production", (_fresh, server) => {
  test("has a writer and a reader with the rights that the README grants", slow, async () => {
    const [create, grant] = examplesIn("server/README.md", "sql");
    const url = await server().database();
    const name = new URL(url).pathname.slice(1);
    // Users are of the whole server, which may have them from another run.
    const [writer, reader] = [`writer_${name}`, `reader_${name}`];
    const named = (text: string) =>
      text
        .replaceAll("tonwire_writer", writer)
        .replaceAll("tonwire_reader", reader)
        .replace("create database tonwire owner", `alter database ${name} owner to`);
    const owner = opened(url);
    for (const statement of named(`${create}${grant}`)
      .split(";")
      .filter((each) => each.trim() !== ""))
      await rowsOf(owner, statement);

    const { devnet, globalConfig } = await devnetWithGateway();
    const index = await startIndex({ databaseUrl: as(url, writer), globalConfig });
    await until("the index", async () => (await index.health())[0] === 200);
    const api = await startApi({ databaseUrl: as(url, reader), globalConfig });
    await devnet.run("devnet.faucet", { address: account });
    const seqno = await devnet.mine();
    await until("the block in the index", async () => (await api.lastSeqno()) === seqno);
    expect(await api.ask(`/api/v3/transactions?account=${account}`)).toMatchObject([
      200,
      { transactions: [{ account }] },
    ]);
    const body = JSON.stringify({ kind: "transactions", accounts: [account], url: "http://127.0.0.1:9/" });
    expect(await api.ask("/api/v3/webhooks/create", { method: "POST", body })).toMatchObject([
      200,
      { url: "http://127.0.0.1:9/" },
    ]);
    expect((await api.status()).index).toMatchObject({ role: "reader", failure: null });
    await until("sizes of tables", async () =>
      /^tonwire_database_table_bytes\{table="blocks"\} [1-9]/m.test(await index.metrics()),
    );
    expect(await index.metrics()).toMatch(/^tonwire_database_waits_total [1-9]/m);
    expect(await api.metrics()).toMatch(
      /^tonwire_caller_calls_total\{plan="unlimited",key="devnet",outcome="ok"\} \d/m,
    );
    const asReader = opened(as(url, reader));
    for (const text of ["delete from transactions", "drop table blocks", "create table mine (id integer)"])
      await expect(rowsOf(asReader, text)).rejects.toThrow(/permission denied|must be owner/);
  });
});
