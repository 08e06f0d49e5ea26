import type { Call } from "../../../../shared/methods/define.js";
import type { TraceFailure } from "../../../../shared/schema/v3/message-status.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../../shared/ton/tlb/codec.js";
import { Message } from "../../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../../shared/ton/tlb/msg-address.js";
import type { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../../shared/values/address.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { isLackOfCoins, isOutOfGas } from "../../../../shared/values/exit-codes/kinds.js";
import { type ChainReads, nothingSupposed, SupposedChain } from "../../../chain/run/supposed-chain.js";
import type { ExpectedTrace, ExpectedTransaction, TraceEmulator } from "../../../chain/run/trace-emulator.js";
import type { Fallback } from "../../../observe/fallback.js";
import type { IndexDeps } from "../../../present/v3/answer-extras.js";
import { hasFailed, withHint } from "../../../present/v3/failure.js";
import { knownNames } from "../../../present/v3/texts.js";
import { searchAmount } from "./amount-search.js";
import type { HistoryDeps } from "./chain-status.js";
import { failedActionOf } from "./failed-action.js";

export type TrialDeps = Pick<IndexDeps, "book"> &
  Pick<HistoryDeps, "rowOf"> & {
    emulator: Pick<TraceEmulator, "on">;
    /** Runs the work of a call within the time limit of an emulation. */
    emulation: { limited<T>(call: Call, work: (call: Call) => Promise<T>): Promise<T> };
    fallback: Fallback;
  };

/** What a trace began with: its first transaction, and the chain on which that is run again. */
export type TraceOrigin = {
  readonly first: CellOf<Transaction>;
  readonly chain: ChainReads;
  readonly block: BlockIdExt;
  /** Whether its first contract accepts every signature. Default: false. */
  readonly ignoreSignatures?: boolean;
};

type Found = Partial<Pick<TraceFailure, "needed" | "failed_action">>;

/** Messages of the first transaction that are tried, to find the one that leads to the failure. */
const maxMessages = 4;
/** CPU time of all runs of a call, when no further trace is tried, and limits of a run. */
const maxCpuMs = 1000;
const maxMs = 3000;
const runLimits = { maxTransactions: 64, maxGas: 5_000_000n, maxCpuMs: 300 } as const;

/** Runs messages of a call's failed traces again. All its trials share their limits: traces beyond them are not tried. */
export class FailureTrials {
  readonly #deps: TrialDeps;
  readonly #call: Call;
  readonly #startedAt = performance.now();
  #cpuMs = 0;

  constructor(deps: TrialDeps, call: Call) {
    this.#deps = deps;
    this.#call = call;
  }

  /**
   * The failures of a trace, of which the first has what runs show: the action that failed and, if the failure is about coins,
   * the amount with which nothing fails. The runs begin with the message that the first transaction sent, or with its own one
   * if it failed itself.
   */
  async of(
    failures: readonly TraceFailure[],
    origin: (call: Call) => Promise<TraceOrigin | undefined>,
  ): Promise<TraceFailure[]> {
    const [first, ...others] = failures;
    if (!first || (first.phase !== "action" && !isAboutCoins(first)) || this.#isOver) return [...failures];
    const { book, emulation, fallback } = this.#deps;
    const found = await emulation
      .limited(this.#call, async (call) => {
        const known = await origin(call);
        return known ? this.#tryAgain(first, known, call) : {};
      })
      .catch((error) => {
        if (this.#call.signal.aborted) throw error;
        fallback("hint-trial", error);
        return {};
      });
    return [withHint({ ...first, ...found }, await knownNames(book.texts)), ...others];
  }

  get #isOver(): boolean {
    return this.#cpuMs > maxCpuMs || performance.now() - this.#startedAt > maxMs;
  }

  async #tryAgain(failure: TraceFailure, origin: TraceOrigin, call: Call): Promise<Found> {
    for (const subject of await subjectsOf(failure, origin, call)) {
      const trace = await this.#emulate(subject, undefined, call);
      const failed = this.#failureIn(trace, subject);
      if (failed?.address.toRawUpper() !== failure.account) continue;
      const action = failedActionOf(failed);
      let { gasUsed } = trace;
      // A contract that spends its gas with more coins as well has reached the limit of the network.
      let isHopeless = false;
      const succeeds = async (amount: bigint) => {
        if (isHopeless || this.#cpuMs > maxCpuMs) return false;
        const next = await this.#emulate(subject, amount, call);
        isHopeless = hasSpentGas(failure) && next.gasUsed === gasUsed;
        gasUsed = next.gasUsed;
        return !next.isCut && next.transactions.length > 0 && !this.#failureIn(next, subject);
      };
      const needed =
        isAboutCoins(failure) && !isTooLarge(failure, action)
          ? await searchAmount(subject.amount, succeeds)
          : undefined;
      return {
        ...(action && { failed_action: action }),
        ...(needed !== undefined && { needed: needed.toString() }),
      };
    }
    return {};
  }

  /** `amount`: of the value of an internal message; of the balance of the receiver of one from outside. */
  async #emulate(
    { message, receiver, origin, isFirst }: Subject,
    amount: bigint | undefined,
    call: Call,
  ): Promise<ExpectedTrace> {
    const { info } = message.value;
    const isInternal = info.kind === "internal";
    const accounts = new Map(
      isInternal || amount === undefined ? [] : [[receiver.toRaw(), { balance: amount }] as const],
    );
    const chain = new SupposedChain(origin.chain, { ...nothingSupposed, accounts });
    const cell: Cell =
      isInternal && amount !== undefined
        ? encode(Message, { ...message.value, info: { ...info, value: { ...info.value, coins: amount } } })
        : message.cell;
    const { block, ignoreSignatures } = origin;
    const emulation = {
      block,
      end: chain.end,
      ignoreSignatures: isFirst && ignoreSignatures,
      ...runLimits,
    };
    const trace = await this.#deps.emulator.on(chain).emulate(cell, emulation, call);
    this.#cpuMs += trace.cpuMs;
    return trace;
  }

  /** The first transaction that failed. */
  #failureIn(
    { transactions }: Pick<ExpectedTrace, "transactions">,
    { message, origin }: Subject,
  ): ExpectedTransaction | undefined {
    const isExternal = message.value.info.kind !== "internal";
    return transactions.find(({ transaction }, at) =>
      hasFailed(this.#deps.rowOf(transaction, origin.block), isExternal && at === 0),
    );
  }
}

/** A message that is run again, with another value or on another balance of its receiver. */
type Subject = {
  message: CellOf<Message>;
  receiver: Address;
  origin: TraceOrigin;
  amount: bigint;
  /** Whether the trace began with it. */
  isFirst: boolean;
};

async function subjectsOf(failure: TraceFailure, origin: TraceOrigin, call: Call): Promise<Subject[]> {
  const { first, chain, block } = origin;
  const { inMsg, outMsgs } = first.value.messages.value;
  const isFirst = failure.hash === bytesToBase64(first.cell.hash());
  const sent = isFirst ? [inMsg] : [...outMsgs.values()].slice(0, maxMessages);
  const subjects: Subject[] = [];
  for (const message of sent) {
    const info = message?.value.info;
    const receiver = info && info.kind !== "externalOut" ? accountOf(info.dest) : undefined;
    if (!message || !info || !receiver) continue;
    const amount =
      info.kind === "internal" ? info.value.coins : (await chain.account(block, receiver, call)).balance;
    subjects.push({ message, receiver, origin, amount, isFirst });
  }
  return subjects;
}

/** Whether more coins may help. */
function isAboutCoins(failure: TraceFailure): boolean {
  const {
    phase,
    exit_code: code,
    exit_name: name,
    skipped_reason: reason,
    skipped_actions: leftOut,
  } = failure;
  if (phase === "credit" || reason === "no_gas") return true;
  if (code === null || reason !== null) return false;
  if (phase === "action") return isLackOfCoins(code) || (code === 0 && leftOut > 0);
  return hasSpentGas(failure) || /coins|too-low|not-paid/.test(name ?? "");
}

const messageTooLarge = 40;
/** More than the fee for the size of any message that a network allows. */
const dearestSize = 1_000_000_000n;

/** Whether a message is too large for any coins: the result code is that of too few coins for its size. */
function isTooLarge(
  { phase, exit_code: code }: TraceFailure,
  action: TraceFailure["failed_action"],
): boolean {
  return phase === "action" && code === messageTooLarge && BigInt(action?.available ?? 0) > dearestSize;
}

function hasSpentGas({ phase, exit_code: code }: TraceFailure): boolean {
  return phase === "compute" && code !== null && isOutOfGas(code);
}
