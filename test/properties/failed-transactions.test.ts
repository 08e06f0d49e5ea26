import fc from "fast-check";
import SQL, { empty } from "sql-template-tag";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Transaction as ClientTransaction } from "../../client/api.js";
import { transactionRow } from "../../server/indexer/decode/transaction-row.js";
import type { TraceReport } from "../../server/inspect/report.js";
import { Names } from "../../server/inspect/text/names.js";
import { treeLines } from "../../server/inspect/text/tree.js";
import { transactionRow as answeredRow } from "../../server/mcp/answers/transactions.js";
import { hasFailed } from "../../server/present/v3/failure.js";
import type { Sql } from "../../server/store/database.js";
import { failedSql } from "../../server/store/queries/messages/message-status.js";
import type { Fragment } from "../../server/store/sql/where.js";
import { inOurForm } from "../../server/store/toncenter/rows.js";
import { foreign } from "../../server/store/toncenter/tables.js";
import { outcomeOf } from "../../server/web/explorer/parts/outcome.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { type PlainRun, presentTransactionRun } from "../../shared/ton/present/v3/debug-run.js";
import { v3Transaction } from "../../shared/ton/present/v3/transaction.js";
import { readLog } from "../../shared/ton/run/debug-run.js";
import { transactionsOf } from "../../shared/ton/tlb/account-block.js";
import { Block } from "../../shared/ton/tlb/block.js";
import { CellOf } from "../../shared/ton/tlb/cell-of.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { onlyCoins } from "../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../shared/ton/tlb/message.js";
import { TrActionPhase, type TrComputePhase } from "../../shared/ton/tlb/phases.js";
import { Transaction, TransactionMessages } from "../../shared/ton/tlb/transaction.js";
import { TransactionDescr } from "../../shared/ton/tlb/transaction-descr.js";
import { Address } from "../../shared/values/address.js";
import { transaction } from "../helpers/chain/tlb-arbitraries.js";
import { sized } from "../helpers/effort.js";
import { describeDatabase, describePostgres } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import { storeRows, wholeShard } from "../helpers/store/rows.js";
import { describeWithChain } from "../helpers/test-data.js";
import { exportIndex } from "../helpers/toncenter/export.js";

const block = { workchain: 0, shard: wholeShard, seqno: 1 };
const [account, sender] = [1, 2].map((byte) => new Address(0, new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
];

/** What a transaction says of its outcome, with the outcome that it should have. */
type Facts = {
  /** `out of gas` has committed its data before. */
  run:
    | "succeeds"
    | "throws"
    | "throws later"
    | "out of gas"
    | "no_state"
    | "bad_state"
    | "no_gas"
    | "suspended";
  actions: "none" | "done" | "left out" | "failed";
  bounces: boolean;
  debt: "none" | "left" | "collected" | "took all";
  isOrder: boolean;
};

/** The rule anew, case by case. */
function shouldFail({ run, actions, bounces, debt, isOrder }: Facts): boolean {
  switch (run) {
    case "no_state":
      return bounces;
    case "no_gas":
      return bounces || debt === "left" || debt === "took all";
    case "bad_state":
    case "suspended":
    case "throws":
      return true;
    case "throws later":
    case "out of gas":
      return isOrder || actions === "failed";
    case "succeeds":
      return actions === "failed" || (isOrder && actions === "left out");
  }
}

const runs = {
  succeeds: [true, 0],
  throws: [false, 777],
  "throws later": [true, 777],
  "out of gas": [true, -14],
} as const;
const skipReasons = {
  no_state: "noState",
  bad_state: "badState",
  no_gas: "noGas",
  suspended: "suspended",
} as const;
const noHash = new Uint8Array(32);

function computeOf(run: Facts["run"]): TrComputePhase {
  if (run in skipReasons) return { kind: "skipped", reason: skipReasons[run as keyof typeof skipReasons] };
  const [success, exitCode] = runs[run as keyof typeof runs];
  return {
    ...{ kind: "vm", success, exitCode, msgStateUsed: false, accountActivated: false },
    ...{ gasFees: 1n, gasUsed: 1n, gasLimit: 2n, gasCredit: undefined, mode: 0, exitArg: undefined },
    ...{ vmSteps: 3, vmInitStateHash: noHash, vmFinalStateHash: noHash },
  };
}

function actionOf(actions: Facts["actions"]): CellOf<TrActionPhase> | undefined {
  if (actions === "none") return undefined;
  const success = actions !== "failed";
  return CellOf.of(TrActionPhase, {
    ...{ success, valid: true, noFunds: !success, statusChange: "unchanged" },
    ...{ totalFwdFees: undefined, totalActionFees: undefined, resultCode: success ? 0 : 37 },
    ...{ resultArg: undefined, totActions: 1, specActions: 0, msgsCreated: 0, actionListHash: noHash },
    ...{ skippedActions: actions === "left out" ? 1 : 0, totMsgSize: { cells: 0n, bits: 0n } },
  });
}

const credits = {
  none: [undefined, 7n],
  left: [undefined, 7n],
  collected: [5n, 2n],
  "took all": [5n, 0n],
} as const;

function descriptionOf({ run, actions, bounces, debt }: Facts): TransactionDescr {
  const [dueFeesCollected, coins] = credits[debt];
  return {
    ...{
      kind: "ord",
      creditFirst: true,
      destroyed: false,
      computePh: computeOf(run),
      action: actionOf(actions),
    },
    storagePh: {
      ...{ storageFeesCollected: 1n, storageFeesDue: debt === "left" ? 9n : undefined },
      statusChange: "unchanged",
    },
    creditPh: { dueFeesCollected, credit: onlyCoins(coins) },
    bounce: bounces ? { kind: "negFunds" } : undefined,
    aborted: run === "throws" || run in skipReasons || actions === "failed",
  };
}

function receivedBy({ isOrder, bounces }: Facts): CellOf<Message> {
  const internal = {
    kind: "internal" as const,
    ...{ ihrDisabled: true, bounce: bounces, bounced: false, src: sender, dest: account },
    ...{ value: onlyCoins(7n), extraFlags: 0n, fwdFee: 0n, createdLt: 1n, createdAt: 1 },
  };
  const external = { kind: "externalIn", src: undefined, dest: account, importFee: 0n } as const;
  const parts = { info: isOrder ? external : internal, init: undefined, body: beginCell().endCell() };
  return CellOf.of(Message, composeMessage(parts));
}

const [pattern] = fc.sample(transaction, { numRuns: 1, seed: 1 });

type Case = { name: string; isOrder: boolean; fails: boolean | undefined; value: CellOf<Transaction> };

function made(facts: Facts, at: number): Case {
  const { outMsgs } = TransactionMessages.load(beginCell().storeUint(0, 2).endCell().parse());
  const value: Transaction = {
    ...pattern!,
    ...{ accountAddr: account.hash, lt: BigInt(at + 1), now: 100, totalFees: onlyCoins(1n), prevTransLt: 0n },
    origStatus: "active",
    endStatus: "active",
    messages: CellOf.of(TransactionMessages, { inMsg: receivedBy(facts), outMsgs }),
    description: CellOf.of(TransactionDescr, descriptionOf(facts)),
  };
  const { isOrder } = facts;
  return {
    ...{ name: JSON.stringify(facts), isOrder, fails: shouldFail(facts) },
    value: CellOf.of(Transaction, value),
  };
}

function* everyFacts(): Generator<Facts> {
  for (const isOrder of [false, true])
    for (const bounces of isOrder ? [false] : [false, true])
      for (const debt of ["none", "left", "collected", "took all"] as const) {
        for (const run of Object.keys(skipReasons) as (keyof typeof skipReasons)[])
          yield { run, actions: "none", bounces, debt, isOrder };
        yield { run: "throws", actions: "none", bounces, debt, isOrder };
        for (const run of ["succeeds", "throws later", "out of gas"] as const)
          for (const actions of ["none", "done", "left out", "failed"] as const)
            yield { run, actions, bounces: bounces && actions === "failed", debt, isOrder };
      }
}

const cases = Array.from(everyFacts(), made);

/** How each place that shows a transaction tells of its end. */
async function toldOf({ value, isOrder }: Case): Promise<Record<string, boolean>> {
  const { cell, value: transaction } = value;
  const found = { address: account, cell, transaction };
  const record = v3Transaction(found, { block, mcSeqno: 1, globalVersion: 12 });
  const { outcome } = await debugged(value);
  return {
    row: hasFailed(transactionRow(value, block, 1), isOrder),
    explorer: outcomeOf(record as unknown as ClientTransaction).kind === "bad",
    "answers to models": answeredRow(record, {})["outcome"] === "failed",
    report: reported(record).endsWith("failed"),
    run: !outcome.success,
    "phase of a run": outcome.phase !== null,
  };
}

function reported(record: { hash: string }): string {
  const report = {
    ...{ transactions: { [record.hash]: record }, transactions_order: [record.hash], actions: [] },
    ...{ address_book: {}, metadata: {} },
  } as unknown as TraceReport;
  const [line] = treeLines(report, new Names(report, "TON")).lines;
  return line!.map((span) => (typeof span === "string" ? span : span[1])).join("");
}

/** The transaction as a debugged run that has no log. */
async function debugged({ cell, value: transaction }: CellOf<Transaction>): Promise<PlainRun> {
  const run = {
    ...{
      kind: "transaction",
      id: "",
      address: account,
      environment: { now: 100 },
      block: undefined,
      givenLt: 1n,
    },
    ...{ master: { ...block, rootHash: noHash, fileHash: noHash }, config: { params: new Map() } },
    log: await readLog("", { steps: 0, gas: 0, gasUsed: undefined, isLost: true }, async (work) => work()),
    own: {
      level: "none",
      found: { address: account, cell, transaction },
      before: undefined,
      result: undefined,
    },
  };
  return presentTransactionRun(run as unknown as Parameters<typeof presentTransactionRun>[0], 12);
}

const everyPlaceSays = (told: Record<string, boolean>, fails: boolean) =>
  Object.fromEntries(Object.keys(told).map((place) => [place, fails]));

describe("Whether a transaction failed", () => {
  it("is the same in every place, for each way in which one can end", async () => {
    for (const each of cases) {
      const told = await toldOf(each);
      expect([each.name, told]).toEqual([each.name, everyPlaceSays(told, each.fails!)]);
    }
  });

  it("is told of a message that was received without being run", async () => {
    const facts: Facts = { run: "no_gas", actions: "none", bounces: false, debt: "none", isOrder: false };
    const { value } = made(facts, 0);
    const found = { address: account, cell: value.cell, transaction: value.value };
    const record = v3Transaction(found, { block, mcSeqno: 1, globalVersion: 12 });
    expect(outcomeOf(record as unknown as ClientTransaction)).toEqual({
      kind: "none",
      text: "received without being run: too little balance for gas",
      brief: "no gas",
    });
    expect(answeredRow(record, {})).toMatchObject({ outcome: "ok", received_without_being_run: "no_gas" });
    expect(reported(record)).toMatch(/ received without being run: no_gas ok$/);
    expect((await debugged(value)).outcome).toMatchObject({
      ...{ success: true, phase: null, skipped_reason: "no_gas" },
    });
  });
});

/** The transactions of a table that failed by the rule as SQL. */
async function failedIn(queries: Sql, table: Fragment): Promise<Set<string>> {
  const all = await Promise.all(
    [false, true].map(async (isExternal) => {
      const rows = await queries.query<{ lt: string }>(
        SQL`select t.lt::text as lt from ${table} t where ${failedSql(isExternal)}`,
      );
      return rows.map(({ lt }) => lt).filter((lt) => cases[Number(lt) - 1]!.isOrder === isExternal);
    }),
  );
  return new Set(all.flat());
}

const failing = () => new Set(cases.flatMap(({ fails }, at) => (fails ? [String(at + 1)] : [])));
const rows = () => ({ transactions: cases.map(({ value }) => transactionRow(value, block, 1)) });

describeDatabase("Whether a stored transaction failed", (fresh) => {
  it("is the same by the rule as SQL", async () => {
    const database = await fresh();
    await storeRows(database, rows());
    expect(await failedIn(queriesOf(database), SQL`transactions`)).toEqual(failing());
  });
});

describePostgres("Whether a transaction of TON Center's index failed", (fresh, server) => {
  it("is the same by the rule as SQL", async () => {
    const own = await fresh();
    await storeRows(own, rows());
    const theirs = openPatiently(await server().database());
    onTestFinished(() => theirs.close());
    await exportIndex(queriesOf(own), queriesOf(theirs));
    expect(await failedIn(queriesOf(theirs), inOurForm(foreign.transactions, empty))).toEqual(failing());
  });
});

describeWithChain("Whether a recorded transaction failed", (chain) => {
  it("is the same in every place", async () => {
    let failed = 0;
    let unrun = 0;
    const blocks = chain.where({ kind: "block" }).filter((_, at) => at % sized(8, 1) === 0);
    for (const entry of blocks) {
      const { extra } = decode(Block, parseBocRoot(entry.read()));
      for (const value of transactionsOf(extra.value.accountBlocks.value)) {
        const isOrder = value.value.messages.value.inMsg?.value.info.kind === "externalIn";
        const name = value.cell.hashHex();
        const told = await toldOf({ name, isOrder, fails: undefined, value });
        expect([name, told]).toEqual([name, everyPlaceSays(told, told["row"]!)]);
        const { value: descr } = value.value.description;
        if (told["row"]) failed++;
        else if ("aborted" in descr && descr.aborted) unrun++;
      }
    }
    expect(failed).toBeGreaterThan(0);
    expect(unrun).toBeGreaterThan(0);
  });
});
