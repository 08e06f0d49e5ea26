import type { DebugRunRecord } from "../../../shared/schema/v3/debug.js";
import type { DebugTrace } from "../../../shared/schema/v3/debug-trace.js";
import { type AskedRun, DebuggedRun } from "../debugged-run.js";
import type { LocalSources } from "../local-sources.js";
import { type CallService, RequestError } from "../service-calls.js";
import { type GivenContract, readGivenContract } from "./given-contract.js";
import type { LaunchArguments } from "./launch-arguments.js";

/** Runs of a session, and what is missing of them. */
type Launched = {
  readonly runs: readonly DebuggedRun[];
  /** The run that failed first; the first one if none has. */
  readonly failed: DebuggedRun | undefined;
  readonly notes: readonly string[];
};

/** Transactions of a trace that are debugged. */
const maxRuns = 64;

type Deps = { readonly call: CallService; readonly local: LocalSources };
type RunDeps = Deps & { readonly given: GivenContract | undefined };
type Message = DebugRunRecord & { trace?: DebugTrace; bundle?: Message[] };

/** Runs what is to be debugged. */
export async function launch(asked: LaunchArguments, { call, local }: Deps): Promise<Launched> {
  const { transaction, trace, message, getMethod } = asked;
  const given = await readGivenContract(asked, local);
  const deps = { call, local, given };
  if (transaction !== undefined) return launchTransaction(transaction, asked.force, deps);
  if (trace !== undefined) return launchTrace(trace, deps);
  if (message !== undefined) return launchMessage(message, deps);
  // The ABI is one of the inputs that name the run.
  const { abi, source_map } = given?.texts ?? {};
  const inputs = { ...(abi !== undefined && { abi }), ...getMethod };
  const map = source_map === undefined ? {} : { source_map };
  const run = (await call("v3.debug.getMethod", { ...inputs, ...map })) as DebugRunRecord;
  const pinned = { ...inputs, seqno: run.proof.inputs.master.seqno };
  return launchedOf([new DebuggedRun(run, { run: run.run, get_method: JSON.stringify(pinned) }, deps)]);
}

async function launchTransaction(
  transaction: NonNullable<LaunchArguments["transaction"]>,
  force: boolean | undefined,
  deps: RunDeps,
): Promise<Launched> {
  const place = typeof transaction === "string" ? { hash: transaction } : transaction;
  return launchedOf([await transactionRun(place, force ? { force } : {}, deps)]);
}

/** A transaction by its hash and place: services without an index need the place. */
async function transactionRun(
  place: Readonly<Record<string, unknown>>,
  forced: Pick<AskedRun, "force">,
  deps: RunDeps,
): Promise<DebuggedRun> {
  const asked = { ...place, ...forced, ...deps.given?.texts };
  const run = (await deps.call("v3.debug.transaction", asked)) as DebugRunRecord;
  return new DebuggedRun(run, { run: run.run, ...forced, ...placeOf(run) }, deps);
}

async function launchTrace(
  trace: NonNullable<LaunchArguments["trace"]>,
  { given, ...deps }: RunDeps,
): Promise<Launched> {
  if (given?.codeHashes.length === 0)
    throw new RequestError(
      "abi and sourceMap of a trace need a file with the code: whose they are is not known",
    );
  const asked = typeof trace === "string" ? { trace_id: trace } : trace;
  const records: DebugRunRecord[] = [];
  const notes: string[] = [];
  let failed: string | null = null;
  for (let cursor: number | null | undefined; cursor !== null && records.length < maxRuns; ) {
    const page = (await deps.call("v3.debug.trace", {
      ...asked,
      ...(cursor !== undefined && { cursor }),
    })) as DebugTrace;
    records.push(...page.runs);
    notes.push(...page.missing.map(({ account, lt, reason }) => `${account} ${lt}: ${reason}`));
    if (page.cursor === null && page.is_incomplete) notes.push("the trace has transactions after these");
    failed = page.failed_run;
    cursor = page.cursor;
  }
  const runs: DebuggedRun[] = [];
  for (const run of records.slice(0, maxRuns)) {
    runs.push(
      given && hasCode(run, given.codeHashes)
        ? await transactionRun({ ...placeOf(run) }, {}, { ...deps, given })
        : new DebuggedRun(run, { run: run.run, ...placeOf(run) }, { ...deps, given: undefined }),
    );
  }
  return launchedOf(runs, failed, notes);
}

async function launchMessage(
  message: Record<string, unknown>,
  { given, ...deps }: RunDeps,
): Promise<Launched> {
  const made = (await deps.call("v3.debug.message", { ...message, ...given?.texts })) as Message;
  const all = [made, ...(made.bundle ?? [])];
  const pinned = { ...message, mc_block_seqno: made.proof.inputs.master.seqno };
  const text = JSON.stringify(pinned);
  const hashes = given?.codeHashes.length ? given.codeHashes : made.code ? [made.code.hash] : [];
  const runs = all
    .flatMap(({ trace, bundle: _, ...run }) => trace?.runs ?? [run])
    .slice(0, maxRuns)
    .map((run) => {
      const own = hasCode(run, hashes) ? given : undefined;
      return new DebuggedRun(run, { run: run.run, message: text }, { ...deps, given: own });
    });
  return launchedOf(runs, all.find(({ trace }) => trace?.failed_run)?.trace?.failed_run);
}

function placeOf({ account, lt }: DebugRunRecord): Pick<AskedRun, "account" | "lt"> {
  return lt === null ? {} : { account, lt };
}

function hasCode({ code }: DebugRunRecord, hashes: readonly string[]): boolean {
  return code !== null && [code.hash, code.library].some((hash) => hash !== null && hashes.includes(hash));
}

function launchedOf(
  runs: readonly DebuggedRun[],
  failed?: string | null,
  notes: readonly string[] = [],
): Launched {
  if (runs.length === 0) throw new RequestError(["there is no transaction to debug", ...notes].join("; "));
  const named = runs.find(({ run }) => run.run === failed);
  return { runs, failed: named ?? runs.find(({ run }) => !run.outcome.success), notes };
}
