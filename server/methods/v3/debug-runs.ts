import type { Call, Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { debugRunMethods } from "../../../shared/methods/v3/debug-runs.js";
import { isNotFound } from "../../../shared/ton/lite/not-found.js";
import { placeOf } from "../../../shared/ton/proofs/read/locate-transaction.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { DebugRun, DebugRuns, RunPlace } from "../../chain/retrace/debug-runs.js";
import { RetraceError } from "../../chain/retrace/retrace-error.js";
import { ServiceError } from "../../errors.js";
import { addressOf } from "../../present/v3/address-book.js";
import type { IndexDeps } from "../../present/v3/answer-extras.js";
import { presentRun, runId } from "../../present/v3/debug-run.js";
import { StepPage } from "../../present/v3/debug-steps.js";
import { takeTransaction } from "../../present/v3/transaction.js";
import { reads } from "../../store/reads/index-reads.js";
import { type AnswerTurns, inTurn } from "../devnet/long-answers.js";

export type DebugRunDeps = Pick<IndexDeps, "index"> & {
  hasIndex: boolean;
  reader: Pick<ChainReader, "lookup">;
  debugRuns: DebugRuns;
  debugTurns: AnswerTurns;
  executorVersion(): Promise<number>;
};

type Asked = { hash?: Uint8Array | undefined; account?: Address | undefined; lt?: bigint | undefined };
type Options = { force: boolean; withStacks: boolean };

export const debugRunHandlers: Handlers<typeof debugRunMethods, DebugRunDeps> = {
  async transaction({ force, ...asked }, deps, call) {
    const run = await runOf(asked, { force, withStacks: false }, deps, call);
    return presentRun(run, await deps.executorVersion());
  },

  async steps({ run: hash, force, include, ...params }, deps, call) {
    const parts = {
      stack: include.includes("stack"),
      fullStack: include.includes("full_stack"),
      cells: include.includes("cells"),
    };
    const withStacks = parts.stack || parts.fullStack;
    const { log } = await runOf({ ...params, hash }, { force, withStacks }, deps, call);
    const page = new StepPage(log, parts);
    const next = fill(page, params, log);
    return {
      run: runId(hash),
      steps: page.steps,
      ...(parts.cells && { cells: page.cells }),
      next,
      total: log.total,
      first_step: log.first,
      truncated: log.isCut,
    };
  },
};

type PageParams = Pick<ParamsOf<typeof debugRunMethods.steps>, "from" | "limit" | "backward">;

/** Adds steps to a page; returns where the next one begins, or null at the end. */
function fill(
  page: StepPage,
  { from, limit, backward }: PageParams,
  { first, end }: DebugRun["log"],
): number | null {
  if (backward) {
    const last = Math.min(from ?? end - 1, end - 1);
    let n = last;
    while (n >= first && last - n < limit && !page.isFull) page.add(n--);
    page.steps.reverse();
    return n >= first ? n : null;
  }
  const start = Math.max(from ?? first, first);
  let n = start;
  while (n < end && n - start < limit && !page.isFull) page.add(n++);
  return n < end ? n : null;
}

async function runOf(asked: Asked, options: Options, deps: DebugRunDeps, call: Call): Promise<DebugRun> {
  const known = asked.hash && deps.debugRuns.known(asked.hash, options.withStacks);
  if (known) return known;
  const place = await placeOfRun(asked, deps, call);
  return inTurn(deps.debugTurns, call, async () => {
    try {
      const run = await deps.debugRuns.run(place, options, call);
      if (asked.hash && !bytesEqual(run.own.found.cell.hash(), asked.hash)) throw absent();
      return run;
    } catch (error) {
      throw error instanceof RetraceError ? refusalOf(error) : error;
    }
  });
}

async function placeOfRun({ hash, account, lt }: Asked, deps: DebugRunDeps, call: Call): Promise<RunPlace> {
  const place = account && lt !== undefined ? { address: account, lt } : await indexed(hash, deps, call);
  try {
    const block = await deps.reader.lookup({ ...placeOf(place.address), lt: place.lt }, call);
    return { ...place, block };
  } catch (error) {
    throw isNotFound(error) ? absent(error) : error;
  }
}

/** The account and logical time of a transaction by its hash. */
async function indexed(hash: Uint8Array | undefined, { index, hasIndex }: DebugRunDeps, call: Call) {
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
