import { z } from "zod";
import type { DebugRunRecord } from "../../shared/schema/v3/debug.js";
import type { DebugTrace } from "../../shared/schema/v3/debug-trace.js";
import { readArguments } from "./arguments.js";
import { type AskedRun, DebuggedRun } from "./debugged-run.js";
import type { LocalSources } from "./local-sources.js";
import { type CallService, RequestError } from "./service-calls.js";

const params = z.record(z.string(), z.unknown());

const launchArguments = z.object({
  transaction: z.union([z.string(), params]).optional(),
  trace: z.union([z.string(), params]).optional(),
  message: params.optional(),
  getMethod: params.optional(),
  force: z.boolean().optional(),
  stopOn: z.enum(["entry", "failure", "none"]).default("failure"),
  pathMap: z.record(z.string().max(1000), z.string().max(1000)).default({}),
  service: z.string().optional(),
  key: z.string().optional(),
});

export type LaunchArguments = z.output<typeof launchArguments>;

/** Runs of a session, and what is missing of them. */
type Launched = {
  readonly runs: readonly DebuggedRun[];
  /** The run that failed first; the first one if none has. */
  readonly failed: DebuggedRun | undefined;
  readonly notes: readonly string[];
};

const kinds = ["transaction", "trace", "message", "getMethod"] as const;
/** Transactions of a trace that are debugged. */
const maxRuns = 64;

export function readLaunch(given: unknown): LaunchArguments {
  const read = readArguments(launchArguments, given);
  if (kinds.filter((kind) => read[kind] !== undefined).length !== 1)
    throw new RequestError(`exactly one of ${kinds.join(", ")} is needed`);
  return read;
}

type Deps = { readonly call: CallService; readonly local: LocalSources };
type Message = DebugRunRecord & { trace?: DebugTrace; bundle?: Message[] };

/** Runs what is to be debugged. */
export async function launch(given: LaunchArguments, deps: Deps): Promise<Launched> {
  const { transaction, trace, message, getMethod } = given;
  if (transaction !== undefined) return launchTransaction(transaction, given.force, deps);
  if (trace !== undefined) return launchTrace(trace, deps);
  if (message !== undefined) return launchMessage(message, deps);
  const run = (await deps.call("v3.debug.getMethod", getMethod ?? {})) as DebugRunRecord;
  const pinned = { ...getMethod, seqno: run.proof.inputs.master.seqno };
  return launchedOf([new DebuggedRun(run, { run: run.run, get_method: JSON.stringify(pinned) }, deps)]);
}

async function launchTransaction(
  transaction: NonNullable<LaunchArguments["transaction"]>,
  force: boolean | undefined,
  deps: Deps,
): Promise<Launched> {
  const place = typeof transaction === "string" ? { hash: transaction } : transaction;
  const forced = force ? { force } : {};
  const run = (await deps.call("v3.debug.transaction", { ...place, ...forced })) as DebugRunRecord;
  return launchedOf([new DebuggedRun(run, askedOf(run, forced), deps)]);
}

async function launchTrace(trace: NonNullable<LaunchArguments["trace"]>, deps: Deps): Promise<Launched> {
  const asked = typeof trace === "string" ? { trace_id: trace } : trace;
  const runs: DebuggedRun[] = [];
  const notes: string[] = [];
  let failed: string | null = null;
  for (let cursor: number | null | undefined; cursor !== null && runs.length < maxRuns; ) {
    const page = (await deps.call("v3.debug.trace", {
      ...asked,
      ...(cursor !== undefined && { cursor }),
    })) as DebugTrace;
    runs.push(...page.runs.map((run) => new DebuggedRun(run, askedOf(run, {}), deps)));
    notes.push(...page.missing.map(({ account, lt, reason }) => `${account} ${lt}: ${reason}`));
    if (page.cursor === null && page.is_incomplete) notes.push("the trace has transactions after these");
    failed = page.failed_run;
    cursor = page.cursor;
  }
  return launchedOf(runs.slice(0, maxRuns), failed, notes);
}

async function launchMessage(message: Record<string, unknown>, deps: Deps): Promise<Launched> {
  const made = (await deps.call("v3.debug.message", message)) as Message;
  const all = [made, ...(made.bundle ?? [])];
  const pinned = { ...message, mc_block_seqno: made.proof.inputs.master.seqno };
  const text = JSON.stringify(pinned);
  const runs = all
    .flatMap(({ trace, bundle: _, ...run }) => trace?.runs ?? [run])
    .slice(0, maxRuns)
    .map((run) => new DebuggedRun(run, { run: run.run, message: text }, deps));
  return launchedOf(runs, all.find(({ trace }) => trace?.failed_run)?.trace?.failed_run);
}

/** A transaction by its hash and place: services without an index need the place. */
function askedOf({ run, account, lt }: DebugRunRecord, forced: Pick<AskedRun, "force">): AskedRun {
  return { run, ...forced, ...(lt !== null && { account, lt }) };
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
