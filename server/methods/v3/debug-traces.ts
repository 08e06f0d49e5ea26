import type { Call, ParamsOf } from "../../../shared/methods/define.js";
import type { debugRunMethods } from "../../../shared/methods/v3/debug-runs.js";
import { traceLimits } from "../../../shared/schema/v3/debug-params.js";
import type { DebugTrace } from "../../../shared/schema/v3/debug-trace.js";
import { type TransactionRun, transactionRunId } from "../../../shared/ton/run/debug-run.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { base64ToBytes, bytesOfBase64, bytesToHex } from "../../../shared/values/bytes.js";
import type { GivenArtifacts } from "../../artifacts/given-files.js";
import { longRun } from "../../chain/retrace/debug-runs.js";
import type { MessageRuns } from "../../chain/retrace/emulated-runs.js";
import { ServiceError } from "../../errors.js";
import { addressOf } from "../../present/v3/address-book.js";
import type { IndexDeps } from "../../present/v3/answer-extras.js";
import { readContracts } from "../../present/v3/failed-contracts.js";
import { hasFailed, presentFailures } from "../../present/v3/failure.js";
import { sidesOf } from "../../present/v3/run-words.js";
import { knownNames } from "../../present/v3/texts.js";
import { isTooLarge } from "../../present/v3/trace.js";
import { readTransaction, type TransactionRecord } from "../../present/v3/transaction.js";
import type { Queries } from "../../store/database.js";
import type { FailedTransactions } from "../../store/queries/messages/message-status.js";
import type { TraceRow } from "../../store/queries/traces/traces.js";
import { reads } from "../../store/reads/index-reads.js";
import { type RunOfDeps, transactionRunOf } from "./debug-run-of.js";
import { type DebugWordsDeps, presentInWords } from "./debug-words.js";

export type DebugTraceDeps = DebugWordsDeps & Pick<IndexDeps, "index">;

/** Time, and CPU time, after which a page ends with the run that was running then. */
const longPage = { ms: 4000, cpuMs: 2 * longRun.maxCpuMs } as const;

type Asked = ParamsOf<typeof debugRunMethods.trace>;

/** The trace of the index whose transactions are run again, one after the other. */
export async function runStoredTrace(asked: Asked, deps: DebugTraceDeps, call: Call): Promise<DebugTrace> {
  const { row, records, failed } = await readTrace(asked, deps, call);
  const { limit, cursor: start = 0 } = asked;
  const wanted = records.slice(Math.max(0, start), Math.max(0, start) + limit);
  const runs: DebugTrace["runs"] = [];
  const missing: DebugTrace["missing"] = [];
  let next = Math.max(0, start);
  for await (const { run, call: own } of runsWithin(wanted, deps, call)) {
    next++;
    if ("reason" in run) missing.push(run);
    else runs.push(await presentInWords(run, deps, own));
  }
  return {
    trace_id: row.trace_id,
    runs,
    missing,
    transactions: row.transactions,
    ...(await presentFailure(failed, deps, call)),
    gas: sum(records, gasUsedIn),
    fees: sum(records, ({ total_fees: fees }) => fees),
    cursor: next < records.length ? next : null,
    is_incomplete: row.trace_state !== "complete" || isTooLarge(row),
  };
}

/** The runs of a trace's first transactions, and whether there are others, which cannot be run or would take too long. */
export async function runsOfTrace(
  trace_id: Uint8Array,
  deps: DebugTraceDeps,
  call: Call,
): Promise<{ runs: TransactionRun[]; isIncomplete: boolean }> {
  const { row, records } = await readTrace({ trace_id }, deps, call);
  const runs: TransactionRun[] = [];
  for await (const { run } of runsWithin(records.slice(0, traceLimits.max), deps, call))
    if (!("reason" in run)) runs.push(run);
  return { runs, isIncomplete: row.trace_state !== "complete" || runs.length < row.transactions };
}

async function readTrace(asked: Partial<Asked>, { hasIndex, index }: DebugTraceDeps, call: Call) {
  if (!hasIndex) throw new ServiceError("invalid-params", "traces need an index", { status: 422 });
  return index.read(call, (queries) => readTraceIn(queries, asked));
}

async function readTraceIn(queries: Queries, { trace_id, tx_hash, msg_hash }: Partial<Asked>) {
  const filter = {
    ...(trace_id && { trace_id: [trace_id] }),
    ...(tx_hash && { tx_hash: [tx_hash] }),
    ...(msg_hash && { msg_hash: [msg_hash] }),
  };
  const [row] = await reads.listTraces(queries, filter, { limit: 1, offset: 0, sort: "desc" });
  if (!row) throw new ServiceError("absent", "trace was not found", { data: { kind: "transaction" } });
  if (isTooLarge(row)) throw new ServiceError("too-large", "trace is too large");
  const texts = await reads.transactionsOfTraces(queries, [row], { rows: row.transactions });
  return { row, records: texts.map(readTransaction), failed: await readFailure(queries, row) };
}

function readFailure(
  queries: Queries,
  { id, from, to, external_hash }: TraceRow,
): Promise<FailedTransactions> {
  const external = external_hash === null ? undefined : base64ToBytes(external_hash);
  const trace = { trace_id: id, start_lt: from, end_lt: to, external_hash: external };
  return reads.failedTransactions(queries, trace, 1);
}

function runIdOf({ hash }: TransactionRecord): string {
  return transactionRunId(bytesOfBase64(hash));
}

type Missing = DebugTrace["missing"][number];

type RunWithin = {
  /** A transaction's run, or the reason why it cannot be run. */
  run: TransactionRun | Missing;
  /** For what else the run needs: its time is that of the page, too. */
  call: Call;
};

/** Runs transactions one after the other, until they have taken as long as a page may. */
export async function* runsWithin(
  records: readonly TransactionRecord[],
  deps: RunOfDeps,
  call: Call,
): AsyncGenerator<RunWithin> {
  const began = performance.now();
  let cpuMs = 0;
  const spent = (ms: number) => {
    cpuMs += ms;
    call.spent?.(ms);
  };
  const own = { ...call, spent };
  let made = 0;
  for (const record of records) {
    // The call itself covers a point of the first run.
    if (!deps.debugRuns.known(runIdOf(record), false) && made++ > 0) call.charge?.(1);
    yield { run: await runOrReason(record, deps, own), call: own };
    if (performance.now() - began > longPage.ms || cpuMs > longPage.cpuMs) return;
  }
}

async function runOrReason(
  { hash: transaction, account, lt }: TransactionRecord,
  deps: RunOfDeps,
  call: Call,
): Promise<TransactionRun | Missing> {
  const asked = {
    hash: bytesOfBase64(transaction),
    account: addressOf(account),
    lt: BigInt(lt),
    force: false,
  };
  try {
    return await transactionRunOf(asked, { withStacks: false }, deps, call);
  } catch (error) {
    const kind = error instanceof ServiceError ? kindOf(error) : undefined;
    if (kind === undefined) throw error;
    return { transaction, account, lt, kind, reason: (error as ServiceError).message };
  }
}

const kinds: readonly Missing["kind"][] = ["transaction", "state-unavailable", "different", "unsupported"];

function kindOf({ data }: ServiceError): Missing["kind"] | undefined {
  return kinds.find((kind) => kind === data["kind"]);
}

function gasUsedIn({ description }: TransactionRecord): string {
  const compute = description.compute_ph;
  return compute && "gas_used" in compute ? compute.gas_used : "0";
}

function sum<T>(items: readonly T[], amountOf: (item: T) => string | bigint): string {
  return items.reduce((total, item) => total + BigInt(amountOf(item)), 0n).toString();
}

/** The trace of a message that was not sent. `given`: files about its receiver. */
export async function presentMessageTrace(
  { runs, trace }: MessageRuns,
  deps: DebugTraceDeps,
  call: Call,
  given?: GivenArtifacts,
): Promise<DebugTrace> {
  return {
    trace_id: null,
    runs: await Promise.all(
      runs.map((run, at) => presentInWords(run, deps, call, at === 0 ? given : undefined)),
    ),
    missing: [],
    transactions: trace.transactions.length,
    ...(await presentFailure(failureAmong(runs, deps), deps, call, (hash) => runWith(runs, hash))),
    gas: trace.gasUsed.toString(),
    fees: sum(trace.transactions, ({ transaction }) => transaction.value.totalFees.coins),
    cursor: null,
    is_incomplete: trace.isCut,
  };
}

function runWith(runs: MessageRuns["runs"], hash: string): string | null {
  const found = runs.find((run) => run.kind === "transaction" && run.own.found.cell.hashHex() === hash);
  return found?.id ?? null;
}

function failureAmong(runs: MessageRuns["runs"], { rowOf }: DebugTraceDeps): FailedTransactions {
  for (const [at, run] of runs.entries()) {
    if (run.kind !== "transaction") continue;
    const { cell, transaction } = run.own.found;
    const row = rowOf(CellOf.in(Transaction, cell), { ...run.master, workchain: run.address.workchain });
    const isExternal = transaction.messages.value.inMsg?.value.info.kind === "externalIn";
    if (!hasFailed(row, at === 0 && isExternal)) continue;
    return { transactions: [row], messages: sidesOf(transaction, row.hash), total: 1 };
  }
  return { transactions: [], messages: [], total: 0 };
}

/** `runOf`: the run of a transaction by its hash in hex. */
async function presentFailure(
  failed: FailedTransactions,
  { index, hasIndex, artifacts, book }: DebugTraceDeps,
  call: Call,
  runOf = (hash: string): string | null => `tx:${hash}`,
): Promise<Pick<DebugTrace, "failure" | "failed_run">> {
  const [first] = failed.transactions;
  if (!first) return { failure: null, failed_run: null };
  const contractOf = hasIndex
    ? await index.read(call, (queries) => readContracts(queries, failed, artifacts))
    : () => ({ interfaces: [] });
  const [failure = null] = presentFailures(failed, contractOf, await knownNames(book.texts));
  return { failure, failed_run: runOf(bytesToHex(first.hash)) };
}
