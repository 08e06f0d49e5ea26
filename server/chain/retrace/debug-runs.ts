import { LRUCache } from "lru-cache";
import type { MadeBy } from "../../../shared/schema/v3/debug-params.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import {
  type DebugRun,
  loggedWithin,
  runOfBlock,
  type TransactionRun,
} from "../../../shared/ton/run/debug-run.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { ExecutorError } from "../executor/executor-error.js";
import type { CallOptions } from "../executor/threads/executor-threads.js";
import { paidTurns } from "../paid-turns.js";
import type { Retrace } from "./retrace.js";

/** A run, with the parameters that made it and its block; those are absent for a transaction of the chain, whose id is enough. */
type KnownRun = DebugRun & { madeBy?: MadeBy };

/** `block`: that of the transaction, if it is known. */
export type RunPlace = { address: Address; lt: bigint; block?: BlockIdExt };
export type DebugCall = LiteCall & Pick<CallOptions, "caller" | "spent">;

const maxBytes = 128 * 1024 * 1024;
/** Cells and states of a run, about. */
const bytesPerRun = 64 * 1024;

/** Runs transactions for debugging. Runs are deterministic, so those that are used again are cached. */
export class DebugRuns {
  readonly #retrace: Pick<Retrace, "find" | "block">;
  readonly #known = new LRUCache<string, KnownRun>({
    maxSize: maxBytes,
    sizeCalculation: ({ log }) => bytesPerRun + log.bytes,
  });

  constructor(retrace: Pick<Retrace, "find" | "block">) {
    this.#retrace = retrace;
  }

  /** A run that is still known, by its id. */
  known(id: string, withStacks: boolean): KnownRun | undefined {
    return this.#known.get(keyOf(id, withStacks));
  }

  keep(run: KnownRun, withStacks: boolean): void {
    this.#known.set(keyOf(run.id, withStacks), run);
  }

  /** Runs a transaction of the chain. Throws a RetraceError, a LiteError, and the errors of the executor. */
  async transaction(
    place: RunPlace,
    { force, withStacks }: { force: boolean; withStacks: boolean },
    call: DebugCall,
  ): Promise<TransactionRun> {
    const { signal, caller, spent } = call;
    const id = place.block ?? (await this.#retrace.find(place, { signal }));
    const { result: block, isLost } = await loggedWithin({ withStacks, isTooDear }, (log) =>
      this.#retrace.block({ ...place, block: id }, { signal, caller, spent, force, log, ...longRun }),
    );
    const run = await runOfBlock(block, place.address, isLost, paidTurns(call));
    // A chain that was reverted may have another transaction at the place, but not of the same hash.
    if (block.level !== "different") this.keep(run, withStacks);
    return run;
  }
}

/** Runs for debugging take long: they wait with others like them, and have a limit of their own. */
export const longRun = { pace: "long", maxCpuMs: 3000 } as const satisfies CallOptions;

/** Whether a run took too long, or its log too much memory. */
export function isTooDear(error: unknown): boolean {
  return error instanceof ExecutorError && (error.stoppedAfterMs !== undefined || error.brokeEmulator);
}

function keyOf(id: string, withStacks: boolean): string {
  return withStacks ? `${id} with stacks` : id;
}
