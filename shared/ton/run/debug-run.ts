import type { Address } from "../../values/address.js";
import { bytesToHex } from "../../values/bytes.js";
import { itemAt } from "../../values/lookups.js";
import type { Cell } from "../cells/cell.js";
import type { ConfigView } from "../proofs/read/config.js";
import type { BlockIdExt } from "../tlb/block-id.js";
import { decode } from "../tlb/codec.js";
import { Transaction } from "../tlb/transaction.js";
import { type LogFacts, type MachineLog, MachineLogReader } from "../tvm/machine-log.js";
import type { LogDetail, RunEnvironment } from "./method-request.js";
import type { ProofLevel, RepeatedTransaction, RetracedBlock } from "./retrace/block-retrace.js";
import type { ContractState, MethodOutcome } from "./run-get-method.js";

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

/** Details of a log, each cheaper than the one before: a contract can print what takes longer than the run. */
const details = ["stack", "gas", "quiet", "none"] as const satisfies readonly LogDetail[];

/** Runs with a log, or with less of it if that takes too much; `isLost`: at last without one. */
export async function loggedWithin<T>(
  { withStacks, isTooDear }: { withStacks: boolean; isTooDear: (error: unknown) => boolean },
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

/** Does a part of a long work, in turns with others in the thread. */
export type Turns = <T>(work: () => T) => Promise<T>;

/** Characters of a log that are read at once. */
const pieceLength = 64 * 1024;

export async function readLog(text: string, facts: LogFacts, turns: Turns): Promise<MachineLog> {
  const reader = new MachineLogReader(text, facts);
  while (await turns(() => reader.read(pieceLength)));
  return reader.finish();
}

/** The run of the last transaction of a block that was run again. */
export async function runOfBlock(
  block: RetracedBlock,
  address: Address,
  isLost: boolean,
  turns: Turns,
): Promise<TransactionRun> {
  const own = itemAt(block.transactions, -1);
  const { cell, transaction } = own.found;
  const { master, config, previousBlocks, libraries, randSeed } = block.inputs;
  const environment = {
    ...{ config: config.root, libraries: libraries.root, previousBlocks, randSeed },
    now: transaction.now,
  };
  const ran = own.result && decode(Transaction, own.result.transaction);
  return {
    kind: "transaction",
    id: transactionRunId(cell.hash()),
    ...{ address, master, config, environment, block, own },
    givenLt: transaction.lt,
    log: await readLog(own.result?.vmLog ?? "", { ...factsOf(ran), isLost }, turns),
  };
}

export function transactionRunId(hash: Uint8Array): string {
  return `tx:${bytesToHex(hash)}`;
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
