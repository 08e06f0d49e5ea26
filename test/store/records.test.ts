import fc from "fast-check";
import SQL, { raw } from "sql-template-tag";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { TimeSlice } from "../../server/chain/time-slice.js";
import { decodeBlock, openBlock } from "../../server/indexer/decode/decode-block.js";
import { presentMessage, withBodies } from "../../server/present/v3/message.js";
import { presentTransactions, readTransaction } from "../../server/present/v3/transaction.js";
import type { Database, Sql } from "../../server/store/database.js";
import { columnsOf, object, orNull, type Part, textOf } from "../../server/store/declare/record.js";
import type { Columns, Table } from "../../server/store/declare/table.js";
import { listRecords, selectJoined } from "../../server/store/queries/rows.js";
import { withContents } from "../../server/store/queries/transactions/transaction-text.js";
import { transactionsOfTraces } from "../../server/store/queries/transactions/transactions.js";
import type { Fragment } from "../../server/store/sql/where.js";
import {
  type AccountStateRow,
  accountRecords,
  accountStateRow,
  balanceRecord,
} from "../../server/store/tables/accounts.js";
import { tables } from "../../server/store/tables/all-tables.js";
import { type BlockRow, blockRecord } from "../../server/store/tables/blocks.js";
import { messageText } from "../../server/store/tables/message-record.js";
import { contentColumns } from "../../server/store/tables/messages.js";
import { nftSaleRecord } from "../../server/store/tables/nft-sale-records.js";
import { traceRecord } from "../../server/store/tables/traces.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { masterchain, wholeShard } from "../../shared/ton/tlb/block-id.js";
import { sized } from "../helpers/effort.js";
import { anyKind, type FreshDatabase } from "../helpers/store/databases.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { type Rows, storeRows } from "../helpers/store/rows.js";
import { describeWithChain } from "../helpers/test-data.js";
import { rowsOf, sampleTransactions } from "./row-arbitraries.js";

const seed = 11;
/** The state of all accounts that do not exist, which the index does not store. */
const nonexist: AccountStateRow = {
  account_key: 0n,
  lt: 0n,
  hash: Buffer.from("90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4", "hex"),
  balance: 0n,
  account_status: 0,
};
const tableNames = Object.keys(tables) as (keyof typeof tables)[];
const storedNames = Object.values<Table>(tables)
  .map(({ name }) => `'${name}'`)
  .join(", ");

/** The order of members counts. */
const canonical = (text: string) => JSON.stringify(JSON.parse(text));

const [, openDatabase] = anyKind;
let fresh: FreshDatabase;
let database: Database;
let sql: Sql;
beforeAll(async () => {
  fresh = await openDatabase();
  ({ database } = fresh);
  sql = database.sql();
  // One slot for the blocks of all times: the tests empty it again and again.
  await queriesOf(database).query(
    SQL`update index_meta set value = ${String(2n ** 62n)} where key = 'lt_grid'`,
  );
});
afterAll(() => fresh.close());
afterEach(() =>
  sql.transaction((transaction) =>
    // Most of the tables are empty.
    transaction.script(`
      do $$ declare filled regclass; begin
        for filled in select oid from pg_class where relkind = 'r' and pg_relation_size(oid) > 0
          and coalesce(pg_partition_root(oid), oid)::regclass::text in (${storedNames})
        loop execute 'truncate ' || filled; end loop;
      end $$`),
  ),
);

/** The same rows by both ways. Returns how many there are. */
async function expectAgreement(
  record: Part<never, unknown>,
  joined: Record<string, Columns>,
  from: Fragment,
): Promise<number> {
  const queries = queriesOf(database);
  const texts = await queries.query<{ text: string }>(
    SQL`select ${raw(textOf(record))} as text from ${from}`,
  );
  const rows = await selectJoined(queries, {}, from, { outer: joined });
  expect(rows.map((row) => JSON.stringify(record.present(row as never)))).toEqual(
    texts.map(({ text }) => canonical(text)),
  );
  return rows.length;
}

/** Any rows, in one slot. */
async function storeSample(name: keyof typeof tables, numRuns: number): Promise<void> {
  const table: Table = tables[name];
  const within = table.partitionBy === undefined ? {} : { [table.partitionBy]: 5n };
  const rows = fc.sample(rowsOf(table), { numRuns, seed }).map((row) => ({ ...row, ...within }));
  // One statement stores no key twice.
  const keyOf = (row: Record<string, unknown>) => table.key.map((column) => String(row[column])).join();
  const unique = [...new Map(rows.map((row) => [keyOf(row), row])).values()];
  await storeRows(database, { [name]: table.uniqueBy === false ? rows : unique } as Rows);
}

describe("Values read from any row of a table agree with the text that SQL makes of it", () => {
  test.each(tableNames)("%s", async (name) => {
    const table: Table = tables[name];
    const size = sized(40, 200);
    await storeSample(name, size);
    const parts = Object.entries(columnsOf("r", table.columns));
    const record = object(
      Object.fromEntries(
        parts.map(([column, part]) => [column, table.columns[column]!.nullable ? orNull(part) : part]),
      ),
    );
    const count = await expectAgreement(record, { r: table.columns }, SQL`${raw(table.name)} r`);
    expect(count).toBeGreaterThan(size / 2);
  });
});

describe("Records of rows and the text that SQL makes of them agree", () => {
  const several = (name: keyof typeof tables) => storeSample(name, 100);

  test("for blocks", async () => {
    const rows = fc.sample(rowsOf(tables.blocks), { numRuns: 100, seed }) as BlockRow[];
    // Both arrays are of the previous blocks.
    const blocks = rows.map((row) => ({
      ...row,
      start_lt: 5n,
      prev_seqnos: row.prev_shards.map((_, i) => i),
    }));
    await storeRows(database, { blocks });
    await expectAgreement(blockRecord, { b: tables.blocks.columns }, SQL`blocks b`);
  });

  test("for accounts", async () => {
    await several("latestAccountStates");
    await several("contractMethods");
    const { columns } = tables.latestAccountStates;
    await several("contractCodes");
    const from = SQL`latest_account_states s
      left join contract_methods c on c.code_hash = s.code_hash
      left join contract_codes k on k.code_hash = s.code_hash`;
    for (const record of Object.values(accountRecords))
      await expectAgreement(
        record,
        {
          s: columns,
          c: { methods: tables.contractMethods.columns.methods },
          k: { boc: tables.contractCodes.columns.boc },
        },
        from,
      );
  });

  test("for traces", async () => {
    await several("traces");
    const columns = { ...tables.traces.columns, ...tables.traces.defaulted };
    await expectAgreement(traceRecord, { t: columns }, SQL`traces t`);
  });

  test("for sales of every kind", async () => {
    for (const name of ["nftSales", "nftAuctions", "telemintItems"] as const) await several(name);
    const { nftSales: s, nftAuctions: a, telemintItems: t } = tables;
    await expectAgreement(
      nftSaleRecord,
      { s: s.columns, a: a.columns, t: t.columns },
      SQL`nft_sales s full join nft_auctions a on a.address = s.address
        full join telemint_items t on t.address = s.address`,
    );
  });

  test("in lists by values of columns, page by page", async () => {
    await several("latestAccountStates");
    const source = { table: tables.latestAccountStates, alias: "s", record: balanceRecord };
    const list = (account_status: number[], offset: number) =>
      listRecords(queriesOf(database), source, {
        where: { account_status, hash: undefined },
        order: [["account", "account", "asc"]],
        page: { limit: 10, offset },
      });
    const columns = tables.latestAccountStates.columns;
    const rows = await selectJoined(
      queriesOf(database),
      { s: columns },
      SQL`latest_account_states s order by account`,
    );
    const of = (statuses: number[]) => rows.filter(({ s }) => statuses.includes(s.account_status));
    for (const statuses of [[1], [0, 2]])
      for (const offset of [0, 7])
        expect(await list(statuses, offset)).toEqual(
          of(statuses)
            .slice(offset, offset + 10)
            .map((row) => balanceRecord.present(row)),
        );
    expect(await list([], 0)).toHaveLength(10);
  });

  test("for transactions of every kind", async () => {
    await expectTransactionsToAgree(sampleTransactions(sized(100, 400), seed));
  });
});

describeWithChain("Records of real blocks and the text that SQL makes of them agree:", (chain) => {
  const blocks = chain.where({ kind: "block" }).filter((_, at) => at % sized(6, 1) === 0);
  test.each(blocks.map((entry) => [entry.file, entry] as const))("%s", async (_, entry) => {
    const rootHash = Buffer.from(entry.rootHash!, "hex");
    const id = { workchain: masterchain, shard: wholeShard, seqno: 1, rootHash, fileHash: rootHash };
    const context = { id, mcSeqno: 1, globalVersion: 12, timeSlice: new TimeSlice() };
    const decoded = await decodeBlock(openBlock(entry.read()), context);
    const trace = new Uint8Array(32).fill(1);
    await expectTransactionsToAgree({
      transactions: decoded.transactions.map(({ row }) => ({ ...row, trace_id: trace })),
      messages: decoded.transactions.flatMap(({ inMessage, outMessages }) => [
        ...(inMessage ? [inMessage] : []),
        ...outMessages,
      ]),
      messageContents: decoded.contents.map((cell) => ({ hash: cell.hash(), body: serializeBoc(cell) })),
      accountStates: decoded.accounts.read
        .map(({ state }) => accountStateRow(state))
        .filter((state) => state.account_status !== nonexist.account_status),
    });
  });
});

/** All transactions must be of one trace. */
async function expectTransactionsToAgree(rows: ReturnType<typeof sampleTransactions>): Promise<void> {
  await storeRows(database, rows);
  const queries = queriesOf(database);
  const [first] = rows.transactions;
  const texts = first
    ? await transactionsOfTraces(queries, [{ id: first.trace_id, from: 0n, to: 2n ** 62n }])
    : [];
  expect(texts).toHaveLength(rows.transactions.length);
  const presented = presentTransactions({ ...rows, accountStates: [...rows.accountStates, nonexist] });
  expect(presented.map(({ record }) => JSON.stringify(record))).toEqual(
    texts.map((text) => JSON.stringify(readTransaction(text))),
  );
  // The address book is sorted, so only the set counts.
  const setOf = (addresses: string) => [...new Set(addresses.split(" "))].sort();
  expect(presented.map(({ addresses }) => setOf(addresses))).toEqual(
    texts.map(({ addresses }) => setOf(addresses)),
  );
  const { columns } = tables.messages;
  const contents = contentColumns;
  const from = SQL`messages m join slots s on s.from_lt <= m.tx_lt and s.to_lt > m.tx_lt
    ${withContents("s.from_lt")}`;
  const lists = await queries.query<{ text: string }>(SQL`select ${raw(messageText())} as text from ${from}`);
  const read = await selectJoined(queries, { m: columns }, from, { outer: { b: contents, i: contents } });
  expect(read.map(({ m, b, i }) => JSON.stringify(presentMessage(m, b, i)))).toEqual(
    lists.map(({ text }) => canonical(withBodies(Buffer.from(text)))),
  );
}
