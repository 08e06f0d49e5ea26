import { LRUCache } from "lru-cache";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { type MachineLog, MachineLogReader } from "../../../shared/ton/tvm/machine-log.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { CallOptions } from "../executor/threads/executor-threads.js";
import { TimeSlice } from "../time-slice.js";
import type { RepeatedTransaction, Retrace, RetracedBlock } from "./retrace.js";

/** A transaction that was run again, with the steps of the machine. */
export type DebugRun = {
  block: RetracedBlock;
  /** The transaction; the others of the block lead to it. */
  own: RepeatedTransaction;
  log: MachineLog;
};

export type RunPlace = { block: BlockIdExt; address: Address; lt: bigint };
type DebugCall = LiteCall & Pick<CallOptions, "caller" | "spent">;

const maxBytes = 128 * 1024 * 1024;
/** Cells and states of a run, about. */
const bytesPerRun = 64 * 1024;
/** Characters of a log that are read at once. */
const pieceLength = 64 * 1024;

/** Runs transactions for debugging. Runs are deterministic, so those that are used again are cached. */
export class DebugRuns {
  readonly #retrace: Pick<Retrace, "block">;
  readonly #known = new LRUCache<string, DebugRun>({
    maxSize: maxBytes,
    sizeCalculation: ({ log }) => bytesPerRun + log.bytes,
  });

  constructor(retrace: Pick<Retrace, "block">) {
    this.#retrace = retrace;
  }

  /** A run that is still known. */
  known(hash: Uint8Array, withStacks: boolean): DebugRun | undefined {
    return this.#known.get(keyOf(hash, withStacks));
  }

  /** Throws a RetraceError, and the errors of the executor. */
  async run(
    place: RunPlace,
    { force, withStacks }: { force: boolean; withStacks: boolean },
    { signal, caller, spent }: DebugCall,
  ): Promise<DebugRun> {
    const log = withStacks ? "stack" : "gas";
    const block = await this.#retrace.block(place, { signal, caller, spent, force, log });
    const own = itemAt(block.transactions, -1);
    const run = { block, own, log: await readLog(own, { signal, spent }) };
    // A chain that was reverted may have another transaction at the place, but not of the same hash.
    if (block.level !== "different") this.#known.set(keyOf(own.found.cell.hash(), withStacks), run);
    return run;
  }
}

function keyOf(hash: Uint8Array, withStacks: boolean): string {
  return `${bytesToHex(hash)}${withStacks ? " with stacks" : ""}`;
}

/** Reads a log piece by piece, so that other calls are answered meanwhile. */
async function readLog({ result }: RepeatedTransaction, { signal, spent }: DebugCall): Promise<MachineLog> {
  const compute = result && computePhaseOf(decode(Transaction, result.transaction));
  const reader = new MachineLogReader(result?.vmLog ?? "", {
    steps: compute?.vmSteps ?? 0,
    gas: Number((compute?.gasLimit ?? 0n) + BigInt(compute?.gasCredit ?? 0n)),
    gasUsed: compute === undefined || isFixed(compute) ? undefined : Number(compute.gasUsed),
  });
  const slice = new TimeSlice();
  let usedMs = 0;
  for (let more = true; more; ) {
    await slice.yieldIfDue();
    signal?.throwIfAborted();
    const began = performance.now();
    more = reader.read(pieceLength);
    usedMs += performance.now() - began;
  }
  spent?.(usedMs);
  return reader.finish();
}

/** The compute phase of a transaction whose code ran. */
export function computePhaseOf({ description }: Transaction) {
  const { value } = description;
  const phase = "computePh" in value ? value.computePh : undefined;
  return phase?.kind === "vm" ? phase : undefined;
}

/** Whether the gas is that of a precompiled contract: the chain counts no steps. */
export function isFixed({ vmSteps }: { vmSteps: number }): boolean {
  return vmSteps === 0;
}
