import type { Call } from "../../../shared/methods/define.js";
import { type DebugRun, type TransactionRun, transactionRunId } from "../../../shared/ton/run/debug-run.js";
import { RetraceError } from "../../../shared/ton/run/retrace/retrace-error.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesEqual, bytesOfHex } from "../../../shared/values/bytes.js";
import type { RunPlace } from "../../chain/retrace/debug-runs.js";
import { ServiceError } from "../../errors.js";
import { addressOf } from "../../present/v3/address-book.js";
import type { IndexDeps } from "../../present/v3/answer-extras.js";
import { takeTransaction } from "../../present/v3/transaction.js";
import { reads } from "../../store/reads/index-reads.js";
import { type AnswerTurns, inTurn } from "../devnet/long-answers.js";
import { type MadeRunDeps, makeRuns, readMadeBy, runPoints } from "./debug-made-runs.js";

export type RunOfDeps = MadeRunDeps & Pick<IndexDeps, "index"> & { debugTurns: AnswerTurns };

type AskedPlace = { account?: Address | undefined; lt?: bigint | undefined; force: boolean };

/** A run by its name, with the parameters that made it: see `askedRun`. */
export type AskedRun = AskedPlace & {
  run: string;
  message?: string | undefined;
  get_method?: string | undefined;
};

/**
 * The run of that name, made again if this process does not know it. `withStacks`: with the stack before each step, which
 * takes several times as long.
 */
export async function runOf(
  { run: id, message, get_method, ...asked }: AskedRun,
  { withStacks }: { withStacks: boolean },
  deps: RunOfDeps,
  call: Call,
): Promise<DebugRun> {
  const known = deps.debugRuns.known(id, withStacks);
  if (known) return known;
  const hash = hashOfTransaction(id);
  if (hash) return transactionRunOf({ ...asked, hash }, { withStacks }, deps, call);
  const madeBy = readMadeBy({ message, get_method }) ?? deps.debugRuns.known(id, !withStacks)?.madeBy;
  if (!madeBy) throw forgotten("the run is not known any more: give the parameters that made it, too");
  const runs = await inTurn(deps.debugTurns, call, () => makeRuns(madeBy, { withStacks }, deps, call));
  const found = runs.find((run) => run.id === id);
  if (!found) throw forgotten("the parameters make other runs: give the block of the run, too");
  return found;
}

function forgotten(text: string): ServiceError {
  return new ServiceError("absent", text, { data: { kind: "run-forgotten" } });
}

/** The run of a transaction of the chain, by hash or by place. */
export async function transactionRunOf(
  asked: AskedPlace & { hash?: Uint8Array | undefined },
  { withStacks }: { withStacks: boolean },
  deps: RunOfDeps,
  call: Call,
): Promise<TransactionRun> {
  const { hash, force } = asked;
  const known = hash && deps.debugRuns.known(transactionRunId(hash), withStacks);
  if (known?.kind === "transaction") return known;
  const place = await placeOfRun(asked, deps, call);
  const id = hash === undefined ? undefined : transactionRunId(hash);
  return inTurn(deps.debugTurns, call, async () => {
    const done = id === undefined ? undefined : deps.debugRuns.known(id, withStacks);
    if (done?.kind === "transaction") return done;
    return runAt(place, { hash, force, withStacks }, deps, call);
  });
}

async function runAt(
  place: RunPlace,
  { hash, ...options }: { hash: Uint8Array | undefined; force: boolean; withStacks: boolean },
  { debugRuns }: RunOfDeps,
  call: Call,
): Promise<TransactionRun> {
  call.charge?.(runPoints - 1);
  try {
    const run = await debugRuns.transaction(place, options, call);
    if (hash && !bytesEqual(run.own.found.cell.hash(), hash)) throw absent();
    return run;
  } catch (error) {
    throw error instanceof RetraceError ? refusalOf(error) : error;
  }
}

function hashOfTransaction(id: string): Uint8Array | undefined {
  return id.startsWith("tx:") ? bytesOfHex(id.slice(3)) : undefined;
}

async function placeOfRun(
  { hash, account, lt }: AskedPlace & { hash?: Uint8Array | undefined },
  deps: RunOfDeps,
  call: Call,
): Promise<RunPlace> {
  return account && lt !== undefined ? { address: account, lt } : indexed(hash, deps, call);
}

/** The account and logical time of a transaction by its hash. */
async function indexed(
  hash: Uint8Array | undefined,
  { index, hasIndex }: RunOfDeps,
  call: Call,
): Promise<RunPlace> {
  if (!hasIndex)
    throw new ServiceError("invalid-params", "without an index account and lt are needed", { status: 422 });
  const [found] = await index.read(call, (queries, bookmarks) =>
    reads.listTransactions(
      queries,
      { hash: hash ? [hash] : [] },
      { limit: 1, offset: 0, sort: "desc" },
      bookmarks,
      takeTransaction,
    ),
  );
  if (!found) throw absent();
  const { account, lt } = found.record;
  return { address: addressOf(account), lt: BigInt(lt) };
}

function absent(cause?: unknown): ServiceError {
  return new ServiceError("absent", "transaction was not found", { data: { kind: "transaction" }, cause });
}

function refusalOf(error: RetraceError): ServiceError {
  const { kind, message } = error;
  if (kind === "absent") return absent(error);
  const code = kind === "state-unavailable" ? "absent" : "conflict";
  return new ServiceError(code, `the transaction cannot be run again: ${message}`, {
    data: { kind },
    cause: error,
  });
}
