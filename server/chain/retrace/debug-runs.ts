import { LRUCache } from "lru-cache";
import type { MadeBy } from "../../../shared/schema/v3/debug-params.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { ConfigView } from "../../../shared/ton/proofs/read/config.js";
import type { LogDetail, RunEnvironment } from "../../../shared/ton/run/method-request.js";
import type { ContractState, MethodOutcome } from "../../../shared/ton/run/run-get-method.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { type LogFacts, type MachineLog, MachineLogReader } from "../../../shared/ton/tvm/machine-log.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { ExecutorError } from "../executor/executor-error.js";
import type { CallOptions } from "../executor/threads/executor-threads.js";
import { paidTurns } from "../paid-turns.js";
import type { ProofLevel, RepeatedTransaction, Retrace, RetracedBlock } from "./retrace.js";

type RunParts = {
  /** As answers name it. */
  id: string;
  address: Address;
  /** The masterchain block whose configuration the run saw. */
  master: BlockIdExt;
  config: ConfigView;
  /** What the machine saw besides the contract. */
  environment: RunEnvironment;
  log: MachineLog;
  /** The parameters that made it, with the block; absent for a transaction of the chain, whose id is enough. */
  madeBy?: MadeBy;
};

/** A transaction and its run; the level is `none` if the chain has no such transaction. */
export type RunTransaction = Omit<RepeatedTransaction, "level"> & { level: ProofLevel | "none" };

export type TransactionRun = RunParts & {
  kind: "transaction";
  /** The account's transactions in the block up to this one; absent if it was emulated. */
  block: RetracedBlock | undefined;
  own: RunTransaction;
  /** The logical time that the machine was given; that of the transaction may be later. */
  givenLt: bigint;
};

/** The run of an external message that its receiver did not accept. */
export type RefusedRun = RunParts & {
  kind: "refused";
  message: Cell;
  exitCode: number;
  /** Gas until it would have accepted. */
  gasCredit: number;
  /** The account, as ShardAccount. */
  before: Cell;
  /** The logical time that the machine was given. */
  givenLt: bigint;
};

export type MethodDebugRun = RunParts & {
  kind: "method";
  account: ContractState;
  methodId: number;
  gasLimit: number;
  outcome: MethodOutcome;
};

/** A run of the machine, with its steps. */
export type DebugRun = TransactionRun | RefusedRun | MethodDebugRun;

/** `block`: that of the transaction, if it is known. */
export type RunPlace = { address: Address; lt: bigint; block?: BlockIdExt };
export type DebugCall = LiteCall & Pick<CallOptions, "caller" | "spent">;

const maxBytes = 128 * 1024 * 1024;
/** Cells and states of a run, about. */
const bytesPerRun = 64 * 1024;
/** Characters of a log that are read at once. */
const pieceLength = 64 * 1024;
/** Details of a log, each cheaper than the one before: a contract can print what takes longer than the run. */
const details = ["stack", "gas", "quiet", "none"] as const satisfies readonly LogDetail[];

/** Runs transactions for debugging. Runs are deterministic, so those that are used again are cached. */
export class DebugRuns {
  readonly #retrace: Pick<Retrace, "find" | "block">;
  readonly #known = new LRUCache<string, DebugRun>({
    maxSize: maxBytes,
    sizeCalculation: ({ log }) => bytesPerRun + log.bytes,
  });

  constructor(retrace: Pick<Retrace, "find" | "block">) {
    this.#retrace = retrace;
  }

  /** A run that is still known, by its id. */
  known(id: string, withStacks: boolean): DebugRun | undefined {
    return this.#known.get(keyOf(id, withStacks));
  }

  keep(run: DebugRun, withStacks: boolean): void {
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
    const { result: block, isLost } = await loggedWithin(withStacks, (log) =>
      this.#retrace.block({ ...place, block: id }, { signal, caller, spent, force, log, ...longRun }),
    );
    const own = itemAt(block.transactions, -1);
    const { cell, transaction } = own.found;
    const { master, config, previousBlocks, libraries, randSeed } = block.inputs;
    const environment = {
      ...{ config: config.root, libraries: libraries.root, previousBlocks, randSeed },
      now: transaction.now,
    };
    const ran = own.result && decode(Transaction, own.result.transaction);
    const run: TransactionRun = {
      kind: "transaction",
      id: transactionRunId(cell.hash()),
      ...{ address: place.address, master, config, environment, block, own },
      givenLt: transaction.lt,
      log: await readLog(own.result?.vmLog ?? "", { ...factsOf(ran), isLost }, call),
    };
    // A chain that was reverted may have another transaction at the place, but not of the same hash.
    if (block.level !== "different") this.keep(run, withStacks);
    return run;
  }
}

/** Runs for debugging take long: they wait with others like them, and have a limit of their own. */
export const longRun = { pace: "long", maxCpuMs: 3000 } as const satisfies CallOptions;

/** Runs with a log, or with less of it if that takes too long; `isLost`: at last without one. */
export async function loggedWithin<T>(
  withStacks: boolean,
  run: (log: LogDetail) => Promise<T>,
): Promise<{ result: T; isLost: boolean }> {
  for (let at = withStacks ? 0 : 1; ; at++) {
    const log = itemAt(details, at);
    try {
      return { result: await run(log), isLost: log === "none" };
    } catch (error) {
      if (log === "none" || !isTooDear(error)) throw error;
    }
  }
}

/** Whether a run took too long, or its log too much memory. */
function isTooDear(error: unknown): boolean {
  return error instanceof ExecutorError && (error.stoppedAfterMs !== undefined || error.brokeEmulator);
}

export function transactionRunId(hash: Uint8Array): string {
  return `tx:${bytesToHex(hash)}`;
}

function keyOf(id: string, withStacks: boolean): string {
  return withStacks ? `${id} with stacks` : id;
}

/** Reads a log piece by piece, so that other calls are answered meanwhile. */
export async function readLog(log: string, facts: LogFacts, call: DebugCall): Promise<MachineLog> {
  const reader = new MachineLogReader(log, facts);
  const paid = paidTurns(call);
  while (await paid(() => reader.read(pieceLength)));
  return reader.finish();
}

/** What the transaction of a run says about its log. */
export function factsOf(transaction: Transaction | undefined): LogFacts {
  const compute = transaction && computePhaseOf(transaction);
  return {
    steps: compute?.vmSteps ?? 0,
    gas: Number((compute?.gasLimit ?? 0n) + BigInt(compute?.gasCredit ?? 0n)),
    gasUsed: compute === undefined || isFixed(compute) ? undefined : Number(compute.gasUsed),
  };
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
