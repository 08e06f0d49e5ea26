import { createHash } from "node:crypto";
import type { z } from "zod";
import type { Call } from "../../../shared/methods/define.js";
import { cacheKey } from "../../../shared/rpc/cache-key.js";
import { faultOf } from "../../../shared/schema/input.js";
import {
  type DebuggedMessage,
  type DebuggedMethod,
  type MadeBy,
  messageParams,
  methodParams,
  traceLimits,
} from "../../../shared/schema/v3/debug-params.js";
import type { DebugRun } from "../../../shared/ton/run/debug-run.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { ifJson } from "../../../shared/values/json.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { Abis } from "../../artifacts/store.js";
import type { DebugRuns } from "../../chain/retrace/debug-runs.js";
import { type MessageRuns, runMessage, runMethod } from "../../chain/retrace/emulated-runs.js";
import type { MethodRunner } from "../../chain/run/method-runner.js";
import type { TraceEmulator } from "../../chain/run/trace-emulator.js";
import { ServiceError } from "../../errors.js";
import { chainWith, runOn } from "../input/overrides.js";
import { readAccount } from "../v2/read-account.js";
import { bundledMessage, inBlock, type MessageReads, messageIn, placeOf } from "./emulated-messages.js";
import { inBundle, type RefusalDeps, refusalError } from "./emulation-errors.js";
import { methodRunOn } from "./get-method-run.js";
import type { RunSources } from "./run-sources.js";

export type MadeRunDeps = MessageReads &
  RefusalDeps & {
    emulator: TraceEmulator;
    runner: MethodRunner;
    artifacts: Pick<Abis, "abisOf">;
    debugRuns: DebugRuns;
    runSources: Pick<RunSources, "given">;
  };

type Detail = { withStacks: boolean };

/** Points of a run that is not cached; that of the call itself covers one. */
export const runPoints = 3;

/** The runs of a message and of those of its bundle, up to the first one without a transaction. */
export async function makeMessageRuns(
  asked: DebuggedMessage,
  detail: Detail,
  deps: MadeRunDeps,
  call: Call,
): Promise<MessageRuns[]> {
  const { boc, ignore_chksig: ignoreSignatures, bundle = [], follow, limit } = asked;
  const first = { message: messageIn(boc), ignoreSignatures };
  const place = await placeOf(asked, deps, call);
  const { block, chain } = place;
  const madeBy = { message: { ...asked, mc_block_seqno: block.seqno } };
  const name = inputsName("message", { ...asked, follow: undefined, limit: undefined }, block);
  // The messages of a bundle see the whole traces before them.
  const maxTransactions = follow ? limit : bundle.length > 0 ? traceLimits.max : 1;
  const made: MessageRuns[] = [];
  const run = async (index: number, message: typeof first) => {
    const idOf = (number: number) => runId(`${name} ${index} ${number}`);
    const request = { ...message, master: block, chain, maxTransactions, idOf };
    const done = await inBlock(asked, runOn(chain, runMessage(request, detail, deps, call)));
    if (done.runs.length === 0)
      throw await refusalError(done.trace.refusal, { ...message, block, chain }, deps, call);
    for (const each of done.runs) deps.debugRuns.keep({ ...each, madeBy }, detail.withStacks);
    call.charge?.(runPoints * done.runs.length - (index === 0 ? 1 : 0));
    made.push(done);
    return done.trace.transactions.length > 0;
  };
  let goesOn = await run(0, first);
  for (const [index, bundled] of bundle.entries()) {
    if (!goesOn) break;
    try {
      goesOn = await run(index + 1, await bundledMessage(bundled, place, asked, deps, call));
    } catch (error) {
      throw inBundle(index, error);
    }
  }
  return made;
}

/** The run of a get-method. */
export async function makeMethodRun(
  asked: DebuggedMethod,
  detail: Detail,
  deps: MadeRunDeps,
  call: Call,
): Promise<DebugRun> {
  const { address, overrides, seqno } = asked;
  const { artifacts, runSources } = deps;
  const runFor = await methodRunOn(asked, { artifacts, byAbi: asked.abi !== undefined, runSources }, call);
  const chain = overrides && chainWith(overrides, deps.reader);
  const master = await deps.reader.blockAt(seqno, call);
  const account = await readAccount(chain ?? deps.reader, master, address, call);
  const { methodId, stack } = await runFor(account);
  const id = runId(inputsName("getMethod", asked, master));
  const known = deps.debugRuns.known(id, detail.withStacks);
  if (known) return known;
  const request = { id, master, chain, methodId, stack };
  const run = await runOn(chain, runMethod(account, request, detail, deps, call));
  const made = { ...run, madeBy: { get_method: { ...asked, seqno: master.seqno } } };
  deps.debugRuns.keep(made, detail.withStacks);
  call.charge?.(runPoints - 1);
  return made;
}

/** The parameters that made a run, if a call has them. */
export function readMadeBy({
  message,
  get_method,
}: {
  message?: string | undefined;
  get_method?: string | undefined;
}): MadeBy | undefined {
  if (message !== undefined) return { message: readParams("message", messageParams, message) };
  if (get_method !== undefined) return { get_method: readParams("get_method", methodParams, get_method) };
  return undefined;
}

function readParams<Params>(name: string, schema: z.ZodType<Params>, text: string): Params {
  const read = schema.safeParse(ifJson(text));
  if (read.success) return read.data;
  const issue = itemAt(read.error.issues, 0);
  const reason = faultOf(issue).message(String(issue.path[0] ?? name));
  throw new ServiceError("invalid-params", `${name} makes no run: ${reason}`, { data: { param: name } });
}

/** All runs that parameters make. */
export async function makeRuns(
  asked: MadeBy,
  detail: Detail,
  deps: MadeRunDeps,
  call: Call,
): Promise<DebugRun[]> {
  if ("get_method" in asked) return [await makeMethodRun(asked.get_method, detail, deps, call)];
  return (await makeMessageRuns(asked.message, detail, deps, call)).flatMap(({ runs }) => runs);
}

/** Names all inputs of a run: the block's hash stands for the state, the configuration and the time. */
function inputsName(method: string, asked: object, block: BlockIdExt): string {
  const { mc_block_seqno: _, seqno: __, ...inputs } = asked as Partial<DebuggedMessage & DebuggedMethod>;
  return cacheKey(method, { ...inputs, block: block.rootHash });
}

function runId(name: string): string {
  return `r1.${createHash("sha256").update(name).digest("hex")}`;
}
