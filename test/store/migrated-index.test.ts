import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate.js";
import { knownMigrations } from "../../server/store/schemas.js";
import { describeDatabases } from "../helpers/describe-databases.js";
import { type OldColumns, turnBack } from "../helpers/old-index.js";
import { queriesOf } from "../helpers/queries-of.js";
import { blockRow, bytesOf, hashOf, type Rows, storeRows, wholeShard } from "../helpers/rows.js";
import { sampleAccounts, sampleBodies, sampleIndex } from "../helpers/sample-index.js";
import { dumpTables } from "../helpers/tables.js";

/** The traces of the sample; every third is not complete. */
function sampleTraces(): NonNullable<Rows["traces"]> {
  const { transactions } = sampleIndex();
  const ids = new Map(transactions.map((row) => [Buffer.from(row.trace_id).toString("hex"), row.trace_id]));
  return [...ids.values()].map((trace_id, i) => ({
    trace_id,
    external_hash: hashOf(`external ${i}`),
    mc_seqno_start: 1,
    mc_seqno_end: 1,
    start_lt: 1n,
    start_utime: 100,
    end_lt: BigInt(10 + i),
    end_utime: 110,
    state: i % 3 === 0 ? 0 : 1,
    pending_edges_: 0,
    edges_: 1,
    nodes_: 1,
    classification_state: 0,
  }));
}

/** Accounts of which two share a code, and one has none. */
function sampleStates(): Pick<Rows, "latestAccountStates" | "contractCodes"> {
  const codes = ["one", "one", "two", "lost", undefined].map((name) => name && hashOf(`code ${name}`));
  return {
    latestAccountStates: sampleAccounts.map((account, i) => ({
      account: bytesOf(account),
      hash: hashOf(`state ${i}`),
      balance: 5n,
      account_status: 3,
      timestamp: 100,
      last_trans_lt: 60n,
      code_hash: codes[i] || undefined,
    })),
    contractCodes: ["one", "two"].map((name) => ({
      code_hash: hashOf(`code ${name}`),
      boc: hashOf(`cells of ${name}`),
    })),
  };
}

/** The states that every other transaction left, and one that the first of them met. */
function accountStatesOf(
  transactions: NonNullable<Rows["transactions"]>,
): NonNullable<Rows["accountStates"]> {
  const left = transactions.filter((_, i) => i % 2 === 0);
  const stateRow = (account: Uint8Array, lt: bigint, hash: Uint8Array) => ({
    account,
    lt,
    hash,
    balance: lt,
    account_status: 3,
  });
  const [first] = left;
  return [
    stateRow(first!.account, first!.prev_trans_lt, first!.account_state_hash_before),
    ...left.map(({ account, lt, account_state_hash_after: hash }) => stateRow(account, lt, hash)),
  ];
}

/** The sample, whose transactions change the states of their accounts. */
function sampleChain(): Rows {
  const { transactions, blocks, ...others } = sampleIndex();
  const changing = transactions.map((row, i) => ({
    ...row,
    account_state_hash_before: hashOf(`state before ${i}`),
    account_state_hash_after: hashOf(`state after ${i}`),
  }));
  return {
    ...others,
    blocks: [...blocks!, lateBlock],
    shardState: [{ mc_seqno: 7, workchain: -1, shard: wholeShard, seqno: 7, start_lt: lateBlock.start_lt }],
    transactions: changing,
    accountStates: accountStatesOf(changing),
    messageContents: [sampleBodies[0]!, sampleBodies[1]!].map((hash) => ({ hash, body: hash })),
  };
}

/** So that the sample is in several slots. */
const slotWidth = 16n;

/** In a slot without transactions. */
const lateBlock = blockRow({ seqno: 7, start_lt: 70n, end_lt: 71n });

/** What later migrations have moved elsewhere. */
const oldColumns: OldColumns = {
  latest_account_states: {
    code_boc: "(select boc from contract_codes c where c.code_hash = r.code_hash)",
  },
};

/** The steps of the migrations behind one, by their titles. */
function stepsAfter(upTo: number): string[] {
  return knownMigrations()
    .filter(({ number }) => number > upTo)
    .flatMap(({ script }) => [...script().matchAll(/^-- step: (.*)$/gm)].map(([, title]) => title!));
}

async function dump(database: Database) {
  const slots = await queriesOf(database).query(SQL`select from_lt, to_lt from slots order by from_lt`);
  return { slots, ...(await dumpTables(database)) };
}

/** Slots that have something beyond the bounds that they note. */
function slotsOutOfBounds(database: Database) {
  return queriesOf(database).query(SQL`
    select s.from_lt from slots s where exists (
      select from transactions t where t.lt >= s.from_lt and t.lt < s.to_lt
        and not (t.lt between s.first_lt and s.last_lt and t.now between s.first_utime and s.last_utime))
    or exists (
      select from traces t where t.sort_lt >= s.from_lt and t.sort_lt < s.to_lt
        and not t.end_utime between s.first_utime and s.last_utime)
    or exists (
      select from blocks b where b.start_lt >= s.from_lt and b.start_lt < s.to_lt
        and not (b.gen_utime between s.first_utime and s.last_utime
          and b.mc_block_seqno between s.first_mc_seqno and s.last_mc_seqno))`);
}

describeDatabases("An index of an earlier version", (fresh) => {
  const versions: [string, number][] = [
    ["0.1.0", 10],
    ["the directories", 12],
    ["the actions", 26],
  ];
  test.each(versions)("of %s becomes what this version would have made of the chain", async (_, upTo) => {
    const database = await fresh();
    await queriesOf(database).query(
      SQL`update index_meta set value = ${String(slotWidth)} where key = 'lt_grid'`,
    );
    await storeRows(database, { ...sampleChain(), ...sampleStates(), traces: sampleTraces() });
    const expected = await dump(database);
    const filled = Object.entries(expected).filter(([, rows]) => rows.length > 0);
    expect(filled.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        "tx_locator",
        "msg_locator",
        "account_slots",
        "account_traces",
        "contract_codes",
        "body_slots",
        "block_locator",
        "shard_state",
        "shard_slots",
        "message_contents",
      ]),
    );
    // Earlier versions made slots for transactions only.
    await queriesOf(database).query(SQL`delete from slots where from_lt > ${lateBlock.start_lt - slotWidth}`);
    await turnBack(database, upTo, oldColumns);
    const progress: string[] = [];
    await migrate(database.sql({ connections: 1 }), { onProgress: (text) => progress.push(text) });
    expect(await dump(database)).toEqual(expected);
    expect(await slotsOutOfBounds(database)).toEqual([]);
    expect(progress.flatMap((text) => text.split(": ").slice(1))).toEqual(stepsAfter(upTo));
  });
});
