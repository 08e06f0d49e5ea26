import type { Call } from "../../../../shared/methods/define.js";
import type { MessageStatus, TraceFailure } from "../../../../shared/schema/v3/message-status.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../../shared/ton/tlb/codec.js";
import { Message } from "../../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../../shared/ton/tlb/msg-address.js";
import { Address } from "../../../../shared/values/address.js";
import { bytesOfBase64 } from "../../../../shared/values/bytes.js";
import { isLackOfFunds, isOutOfGas } from "../../../../shared/values/exit-codes/kinds.js";
import { type ChainReads, nothingSupposed, SupposedChain } from "../../../chain/run/supposed-chain.js";
import type { ExpectedTransaction, TraceEmulator } from "../../../chain/run/trace-emulator.js";
import type { Fallback } from "../../../observe/fallback.js";
import type { IndexDeps } from "../../../present/v3/answer-extras.js";
import { hasFailed, withHint } from "../../../present/v3/failure.js";
import { knownNames } from "../../../present/v3/texts.js";
import { searchAmount } from "./amount-search.js";
import type { HistoryDeps } from "./chain-status.js";
import { failedActionOf } from "./failed-action.js";

export type TrialDeps = Pick<IndexDeps, "book"> &
  Pick<HistoryDeps, "rowOf"> & {
    reader: ChainReads;
    emulator: Pick<TraceEmulator, "on">;
    /** Runs the work of a call within the time limit of an emulation. */
    emulation: { limited<T>(call: Call, work: (call: Call) => Promise<T>): Promise<T> };
    fallback: Fallback;
  };

type InTrace = Extract<MessageStatus, { failures: TraceFailure[] }>;
type Found = Partial<Pick<TraceFailure, "needed" | "failed_action">>;

/** Messages of the first transaction that are tried, to find the one that leads to the failure. */
const maxMessages = 4;
/** CPU time of all runs, and limits of one. */
const maxCpuMs = 1000;
const runLimits = { maxTransactions: 64, maxGas: 5_000_000n, maxCpuMs: 300, maxMs: 1000 } as const;

/**
 * A status whose first failure has what runs of its message show: the action that failed and, if the failure is about coins,
 * the amount with which nothing fails. The runs begin with the state before the trace: with the message that the first
 * transaction sent, or with its own one if it failed itself.
 */
export async function withTrial(status: MessageStatus, deps: TrialDeps, call: Call): Promise<MessageStatus> {
  if (!("failures" in status) || status.failures.length === 0) return status;
  const [first, ...others] = status.failures as [TraceFailure, ...TraceFailure[]];
  if (first.phase !== "action" && !isAboutCoins(first)) return status;
  const found = await deps.emulation
    .limited(call, (call) => tryAgain(status, first, deps, call))
    .catch((error) => {
      if (call.signal?.aborted) throw error;
      deps.fallback("hint-trial", error);
      return {};
    });
  const failure = withHint({ ...first, ...found }, await knownNames(deps.book.texts));
  return { ...status, ...("failure" in status && { failure }), failures: [failure, ...others] };
}

async function tryAgain(status: InTrace, failure: TraceFailure, deps: TrialDeps, call: Call): Promise<Found> {
  for (const subject of await subjectsOf(status, failure, deps, call)) {
    const trace = await emulate(subject, undefined, deps, call);
    const failed = failureIn(trace, subject, deps);
    if (failed?.address.toRawUpper() !== failure.account) continue;
    const action = failedActionOf(failed);
    let { cpuMs, gasUsed } = trace;
    // A contract that spends its gas with more coins as well has reached the limit of the network.
    let isHopeless = false;
    const succeeds = async (amount: bigint) => {
      if (isHopeless || cpuMs > maxCpuMs) return false;
      const next = await emulate(subject, amount, deps, call);
      cpuMs += next.cpuMs;
      isHopeless = hasSpentGas(failure) && next.gasUsed === gasUsed;
      gasUsed = next.gasUsed;
      return !next.isCut && next.transactions.length > 0 && !failureIn(next, subject, deps);
    };
    const needed = isAboutCoins(failure) ? await searchAmount(subject.amount, succeeds) : undefined;
    return {
      ...(action && { failed_action: action }),
      ...(needed !== undefined && { needed: needed.toString() }),
    };
  }
  return {};
}

/** A message that is run again on a block, with another value or on another balance of its receiver. */
type Subject = { message: CellOf<Message>; receiver: Address; block: BlockIdExt; amount: bigint };

async function subjectsOf(
  { transaction, mc_block_seqno: seqno }: InTrace,
  failure: TraceFailure,
  { reader }: TrialDeps,
  call: Call,
): Promise<Subject[]> {
  const { address } = Address.read(transaction.account)!;
  const from = { lt: BigInt(transaction.lt), hash: bytesOfBase64(transaction.hash) };
  const { transactions } = await reader.transactions({ address, from, limit: 1, toLt: 0n }, call);
  const { inMsg, outMsgs } = transactions[0]?.transaction.messages.value ?? {};
  const block = seqno ? await reader.blockAt(seqno - 1, call) : reader.last;
  const sent =
    failure.hash === transaction.hash ? [inMsg] : [...(outMsgs?.values() ?? [])].slice(0, maxMessages);
  const subjects: Subject[] = [];
  for (const message of sent) {
    const info = message?.value.info;
    const receiver = info && info.kind !== "externalOut" ? accountOf(info.dest) : undefined;
    if (!message || !info || !receiver) continue;
    const amount =
      info.kind === "internal" ? info.value.coins : (await reader.account(block, receiver, call)).balance;
    subjects.push({ message, receiver, block, amount });
  }
  return subjects;
}

/** `amount`: of the value of an internal message; of the balance of the receiver of one from outside. */
function emulate(
  { message, receiver, block }: Subject,
  amount: bigint | undefined,
  { reader, emulator }: TrialDeps,
  call: Call,
) {
  const { info } = message.value;
  const isInternal = info.kind === "internal";
  const accounts = new Map(
    isInternal || amount === undefined ? [] : [[receiver.toRaw(), { balance: amount }] as const],
  );
  const chain = new SupposedChain(reader, { ...nothingSupposed, accounts });
  const cell: Cell =
    isInternal && amount !== undefined
      ? encode(Message, { ...message.value, info: { ...info, value: { ...info.value, coins: amount } } })
      : message.cell;
  return emulator.on(chain).emulate(cell, { block, end: chain.end, ...runLimits }, call);
}

/** The first transaction that failed. */
function failureIn(
  { transactions }: { transactions: readonly ExpectedTransaction[] },
  { message, block }: Subject,
  { rowOf }: TrialDeps,
): ExpectedTransaction | undefined {
  const isExternal = message.value.info.kind !== "internal";
  return transactions.find(({ transaction }, at) =>
    hasFailed(rowOf(transaction, block), isExternal && at === 0),
  );
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
  if (phase === "action") return isLackOfFunds(code) || (code === 0 && leftOut > 0);
  return hasSpentGas(failure) || /coins|too-low|not-paid/.test(name ?? "");
}

function hasSpentGas({ phase, exit_code: code }: TraceFailure): boolean {
  return phase === "compute" && code !== null && isOutOfGas(code);
}
