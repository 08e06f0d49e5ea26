import type { RetraceReads } from "../../../shared/ton/run/retrace/block-inputs.js";
import {
  BlockRetrace,
  type RetracedBlock,
  type RetraceOptions,
} from "../../../shared/ton/run/retrace/block-retrace.js";
import { ExecutorError } from "../executor/executor-error.js";
import type { CallOptions, ExecutorThreads } from "../executor/threads/executor-threads.js";

type Parts = { reader: RetraceReads; executor: Pick<ExecutorThreads, "runTransaction" | "runTickTock"> };

/** Runs transactions of the chain again in the threads of the executor, which gets the options of each call. */
export class Retrace extends BlockRetrace {
  constructor(parts: Parts) {
    super({ ...parts, isRefusal });
  }

  override block(
    place: Parameters<BlockRetrace["block"]>[0],
    options: RetraceOptions & CallOptions = {},
  ): Promise<RetracedBlock> {
    return super.block(place, options);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ExecutorError && ["invalid", "crashed", "too-large"].includes(error.code);
}
