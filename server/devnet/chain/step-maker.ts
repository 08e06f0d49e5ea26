import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { TimeSlice } from "../../chain/time-slice.js";
import type { BlockPair } from "../collate/block/block-pair.js";
import type { ChainSide } from "../collate/chain-side.js";
import { collateStep, type MadeStep } from "../collate/collate-step.js";
import { Budget } from "../collate/messages/budget.js";
import type { ImportGate } from "../collate/messages/import-gate.js";
import { type BlockWork, endLtsWith } from "../collate/step.js";
import { tryNextStep } from "../collate/trial-step.js";
import type { ValidatorKeys } from "../elections/validator-keys.js";
import type { ValidatorOperator } from "../elections/validator-operator.js";
import type { Genesis } from "../genesis/genesis.js";
import { readExternal } from "../mempool/external-message.js";
import type { ExternalMessage, Mempool } from "../mempool/mempool.js";
import type { TrialRuns } from "../mempool/trial-runs.js";
import type { BlockSeeds } from "../moment/block-seeds.js";
import { type ChainClock, endOfTime } from "../moment/clock.js";
import type { StepRequest } from "../moment/step-request.js";
import { queueSizeOf, type Tip, tipOf, utimeOf } from "../moment/tip.js";
import type { ChainStorage } from "../storage/chain-storage.js";

const stepLimit = { transactions: 600, timeMs: 700 } as const;
/** Budget reserved for the masterchain if messages may wait there. */
const masterchainShare = { transactions: 60, timeMs: 100 } as const;

type StepDeps = {
  storage: Pick<ChainStorage, "endLts">;
  runs: TrialRuns;
  /** Resolves when the executor is loaded. */
  ready: () => Promise<void>;
  clock: ChainClock;
  nowMs: () => number;
  seeds: Pick<BlockSeeds, "of">;
  mempool: Mempool;
  operator: ValidatorOperator | undefined;
  keys: ValidatorKeys;
  /** Only on a fork. */
  fork?: { imports: ImportGate; startLt: bigint } | undefined;
};

/** Makes steps without storing or publishing them. */
export class StepMaker {
  readonly #deps: StepDeps;

  constructor(deps: StepDeps) {
    this.#deps = deps;
  }

  /** Makes the step after `tip`. `unstored`: the last step, if the storage does not have it yet. */
  async make(request: StepRequest, tip: Tip, unstored?: BlockPair): Promise<MadeStep> {
    const { utime, injected = [], edits = [], libraries = [], noTimeLimit = false } = request;
    const hasChanges = edits.length + libraries.length > 0;
    const { noMessages = hasChanges, noTicks = hasChanges } = request;
    const { storage, runs, clock, seeds, mempool, keys, fork } = this.#deps;
    const hasWork = mempool.size + queueSizeOf(tip) > 0;
    // If a message was accepted meanwhile, the executor is already loaded.
    if (!noTicks || injected.length + edits.length > 0 || hasWork) await this.#deps.ready();
    const { masterchain: master, basechain, signatures } = tip;
    const lastUtime = utimeOf(tip);
    const endLts = (mcSeqno: number) => storage.endLts(mcSeqno);
    const wantedUtime = Math.max(lastUtime, utime ?? clock.next(lastUtime));
    const step = {
      seeds,
      utime: Math.min(wantedUtime, endOfTime),
      signers: keys.signers(master),
      executor: runs,
      masterchain: master,
      basechain,
      endLts: unstored ? endLtsWith(unstored, endLts) : endLts,
      timeSlice: new TimeSlice(),
      imports: fork?.imports,
      afterLt: request.afterLt ?? fork?.startLt,
    };
    // A step with edits does nothing else: every transaction starts from a block's state, and an edit can repair a
    // configuration under which no transaction runs.
    const budget = this.#budget(noMessages ? 0 : stepLimit.transactions, noTimeLimit);
    const work = (workchain: number, budget: Budget): BlockWork => ({
      externals: noMessages ? [] : this.#externals(master, workchain, step.utime),
      injected: injected.filter(({ to }) => to.workchain === workchain),
      edits: edits.filter(({ address }) => address.workchain === workchain),
      libraries,
      noTicks,
      noPayments: hasChanges,
      budget,
    });
    const made = await collateStep(step, {
      basechain: work(0, this.#masterchainMayNeed(tip) ? budget.reserving(masterchainShare) : budget),
      masterchain: work(masterchain, budget),
      previousSignatures: signatures,
    });
    if (edits.length > 0 && made.pair.keyBlock) await tryNextStep(step, made);
    for (const fileHash of mempool.takeExpired())
      made.pair.finished.push({ hash: Buffer.from(fileHash, "hex"), included: false });
    return made;
  }

  /** Messages for the next block. The validators' messages come first; they are not in the mempool. */
  *#externals(master: ChainSide, workchain: number, utime: number): Generator<ExternalMessage> {
    const { mempool, operator } = this.#deps;
    const isBusy = (wallet: Address) => mempool.hasFor(wallet);
    if (workchain === masterchain)
      for (const order of operator?.orders(master, utime, isBusy) ?? [])
        yield readExternal(serializeBoc(order));
    yield* mempool.forWorkchain(workchain);
  }

  /** A chain with a fixed clock must be reproducible, so elapsed time must not affect its blocks. */
  #budget(transactions: number, noTimeLimit: boolean): Budget {
    const { clock, nowMs } = this.#deps;
    const timeMs = noTimeLimit || clock.mode === "fixed" ? Number.POSITIVE_INFINITY : stepLimit.timeMs;
    return Budget.of({ transactions, timeMs }, nowMs);
  }

  #masterchainMayNeed(tip: Tip): boolean {
    if (queueSizeOf(tip) > 0) return true;
    return !this.#deps.mempool.forWorkchain(masterchain).next().done;
  }
}

/** The step with which a fork begins anew, after the first one. */
export type Beginning = {
  /** The request, given the time of the first step. */
  request: (firstUtime: number) => StepRequest;
  /** The encoded start of the fork, for the storage. */
  start: Uint8Array;
};

/** The steps of a chain that begins, and begins anew elsewhere if it is such a fork. */
export async function firstSteps(
  steps: StepMaker,
  genesis: Genesis,
  beginning: Beginning | undefined,
): Promise<MadeStep[]> {
  const zero = tipOf(genesis, undefined);
  const first = await steps.make(firstStep(zero), zero);
  if (!beginning) return [first];
  const tip = tipOf(genesis, first.pair);
  return [first, await steps.make(beginning.request(utimeOf(tip)), tip, first.pair)];
}

/** The step after the zero states. */
export function firstStep(zero: Tip): StepRequest {
  return { utime: utimeOf(zero) + 1, noMessages: true };
}
