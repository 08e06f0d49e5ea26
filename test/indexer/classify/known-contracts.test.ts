import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { KnownContracts, type UnstoredContracts } from "../../../server/indexer/classify/known-contracts.js";
import { learnContracts } from "../../../server/indexer/classify/learned-contracts.js";
import { TraceQuestion } from "../../../server/indexer/classify/trace-question.js";
import { addressFromBytes } from "../../../server/store/address-bytes.js";
import { accountStatuses, classificationStates, codeOf } from "../../../server/store/codes.js";
import type { Database } from "../../../server/store/database.js";
import { selectRows } from "../../../server/store/queries/rows.js";
import { traces } from "../../../server/store/tables/traces.js";
import { unknownContracts } from "../../../server/store/tables/unknown-contracts.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { madeRow } from "../../helpers/store/made-row.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import {
  accountOf,
  bytesOf,
  hashOf,
  type Rows,
  storeRows,
  traceRow,
  transactionRow,
} from "../../helpers/store/rows.js";

const status = (word: (typeof accountStatuses)[number]) => codeOf(accountStatuses, word);
const [wallet, other] = [bytesOf(accountOf("w")), bytesOf(accountOf("o"))];
const textOf = (account: Uint8Array) => addressFromBytes(account).toRawUpper();

type Statuses = { from: (typeof accountStatuses)[number]; to: (typeof accountStatuses)[number] };

/** A transaction of the wallet in a masterchain block. */
const change = (seqno: number, { from, to }: Statuses, account = wallet) =>
  transactionRow({
    account,
    lt: BigInt(seqno * 10),
    mc_block_seqno: seqno,
    orig_status: status(from),
    end_status: status(to),
  });
const deployedIn = (seqno: number) => change(seqno, { from: "uninit", to: "active" });

const walletRow = madeRow("jettonWallets", { address: wallet, last_transaction_lt: 1000n, timestamp: 1000 });

/** A trace that ends in a masterchain block and requests accounts. */
function question(seqno: number, { asks = [wallet], has = [] as Rows["transactions"] & object } = {}) {
  const trace = {
    trace_id: hashOf(`trace ${seqno}`),
    start_lt: BigInt(seqno * 10),
    start_utime: 1,
    end_lt: BigInt(seqno * 10),
    end_utime: 1,
    mc_seqno_end: seqno,
  };
  const asking = new TraceQuestion({ trace, transactions: has, messages: [], messageContents: [] });
  asking.take({
    state: 0,
    actions: [],
    missing: { contracts: asks.map(textOf), data: [] },
    unknown: asks.map(textOf),
    error: undefined,
    cpuMs: 0,
  });
  return asking;
}

/** Stores rows, and the runs of stored masterchain blocks. */
async function stored(
  database: Database,
  { runs = [[1, 100]], ...rows }: Rows & { runs?: readonly (readonly [from: number, to: number])[] },
): Promise<Database> {
  await storeRows(database, { jettonWallets: [walletRow], ...rows });
  await setRuns(database, runs);
  return database;
}

async function setRuns(
  database: Database,
  runs: readonly (readonly [from: number, to: number])[],
): Promise<void> {
  await database.sql().transaction(async (transaction) => {
    await transaction.query(SQL`delete from index_ranges`);
    for (const [from, to] of runs)
      await transaction.query(SQL`
        insert into index_ranges (from_seqno, to_seqno, done_to, state) values (${from}, ${to}, ${to}, 2)`);
  });
}

describeDatabases("A contract", (fresh) => {
  const isKnown = async (
    database: Database,
    asking: TraceQuestion,
    unstored?: UnstoredContracts,
    horizon: "now" | "end of trace" = "end of trace",
  ) => {
    const known = await KnownContracts.open(queriesOf(database), horizon, unstored);
    await known.load([asking]);
    return known.jobOf(asking).contracts.get(textOf(wallet))!.jettonWallet !== undefined;
  };

  test("counts for traces that end once it is active", async () => {
    const database = await stored(await fresh(), {
      transactions: [
        change(3, { from: "nonexist", to: "uninit" }),
        deployedIn(5),
        change(9, { from: "active", to: "active" }),
      ],
    });
    expect(await isKnown(database, question(4))).toBe(false);
    expect(await isKnown(database, question(5))).toBe(true);
    expect(await isKnown(database, question(6))).toBe(true);
    expect(await isKnown(database, question(4), undefined, "now")).toBe(true);
  });

  test("counts if the trace used it, also up to its end", async () => {
    const database = await stored(await fresh(), { transactions: [deployedIn(9)] });
    const destroyed = change(4, { from: "active", to: "nonexist" });
    expect(await isKnown(database, question(4))).toBe(false);
    expect(await isKnown(database, question(4, { has: [destroyed] }))).toBe(true);
  });

  test("of the zero state has always counted", async () => {
    const untouched = await stored(await fresh(), {});
    expect(await isKnown(untouched, question(2))).toBe(true);
  });

  test("that was active before its first transaction has counted since the zero state, if all is stored", async () => {
    const transactions = [change(5, { from: "active", to: "active" })];
    const database = await stored(await fresh(), { transactions });
    expect(await isKnown(database, question(2))).toBe(true);
    await setRuns(database, [[2, 100]]);
    expect(await isKnown(database, question(4))).toBe(false);
    expect(await isKnown(database, question(5))).toBe(true);
  });

  test("counts from an unstored batch, as of its own blocks", async () => {
    const database = await stored(await fresh(), { transactions: [deployedIn(9)] });
    const { account: _, hash: __, ...transaction } = deployedIn(4);
    const unstored: UnstoredContracts = {
      chainFrom: 1,
      contracts: [],
      isQueued: () => false,
      dataOf: () => undefined,
      historyOf: () => ({ ...transaction, activated_at: 4 }),
    };
    expect(await isKnown(database, question(3), unstored)).toBe(false);
    expect(await isKnown(database, question(4), unstored)).toBe(true);
  });

  test("is looked up again only if earlier blocks are missing, and the stored ones do not show it", async () => {
    const seen = change(7, { from: "active", to: "active" }, other);
    const gone = change(7, { from: "active", to: "nonexist" });
    const database = await stored(await fresh(), {
      jettonWallets: [],
      transactions: [seen, gone],
      runs: [[5, 100]],
    });
    const unknownOf = async (asking: TraceQuestion) => {
      const known = await KnownContracts.open(queriesOf(database), "end of trace");
      await known.load([asking]);
      const { mayLearn } = known.jobOf(asking);
      const [rows] = await known.unknownOf([asking]);
      return [mayLearn, rows!.map(({ account }) => textOf(account))];
    };
    const asks = [wallet, other];
    expect(await unknownOf(question(6, { asks }))).toEqual([true, asks.map(textOf)]);
    expect(await unknownOf(question(8, { asks }))).toEqual([true, [textOf(wallet)]]);
    expect(await unknownOf(question(8, { asks, has: [gone] }))).toEqual([true, [textOf(wallet)]]);
    await setRuns(database, [[1, 100]]);
    const [mayLearn] = await unknownOf(question(8, { asks }));
    expect(mayLearn).toBe(false);
  });
});

describeDatabases("What traces asked for in vain", (fresh) => {
  const unknown = (seqno: number, account = wallet) => ({
    trace_id: hashOf(`trace ${seqno}`),
    account,
    chain_from: 5,
    mc_seqno: seqno,
  });
  const classified = (seqno: number) =>
    traceRow({
      trace_id: hashOf(`trace ${seqno}`),
      mc_seqno_start: seqno,
      classification_state: codeOf(classificationStates, "ok"),
    });
  const left = (database: Database) =>
    selectRows(queriesOf(database), unknownContracts, "u", SQL`unknown_contracts u order by u.mc_seqno`);
  const unclassified = async (database: Database) => {
    const rows = await selectRows(
      queriesOf(database),
      traces,
      "t",
      SQL`traces t where t.classification_state = 0 order by t.mc_seqno_start`,
    );
    return rows.map((row) => row.mc_seqno_end);
  };
  const participant = (seqno: number) =>
    transactionRow({
      account: bytesOf(accountOf("p")),
      lt: BigInt(seqno),
      mc_block_seqno: seqno,
      trace_id: hashOf(`trace ${seqno}`),
    });
  const prepared = async ({ transactions = [], ...rows }: Rows, database: Promise<Database>) =>
    stored(await database, {
      jettonWallets: [],
      transactions: [...transactions, participant(6), participant(7)],
      traces: [classified(6), classified(7)],
      unknownContracts: [unknown(6), unknown(7, other)],
      runs: [[5, 100]],
      ...rows,
    });

  test("waits until earlier blocks are joined", async () => {
    const database = await prepared({ transactions: [deployedIn(3)] }, fresh());
    expect(await learnContracts(database.sql())).toBe(0);
    await setRuns(database, [
      [1, 3],
      [5, 100],
    ]);
    expect(await learnContracts(database.sql())).toBe(0);
    expect(await left(database)).toHaveLength(2);
    expect(await unclassified(database)).toEqual([]);
  });

  test("reclassifies the traces whose contracts the earlier blocks identify", async () => {
    const database = await prepared({ transactions: [deployedIn(3)] }, fresh());
    await setRuns(database, [[2, 100]]);
    expect(await learnContracts(database.sql())).toBe(2);
    expect(await unclassified(database)).toEqual([6]);
    expect((await left(database)).map(({ chain_from }) => chain_from)).toEqual([2, 2]);
    expect(await learnContracts(database.sql())).toBe(0);
  });

  test("is forgotten once all blocks are stored", async () => {
    const database = await prepared({ transactions: [deployedIn(6)] }, fresh());
    await setRuns(database, [[1, 100]]);
    expect(await learnContracts(database.sql())).toBe(2);
    expect(await unclassified(database)).toEqual([]);
    expect(await left(database)).toEqual([]);
  });

  test("may be a contract of the zero state", async () => {
    const database = await prepared({ jettonWallets: [walletRow] }, fresh());
    await setRuns(database, [[1, 100]]);
    await learnContracts(database.sql());
    expect(await unclassified(database)).toEqual([6]);
  });
});
