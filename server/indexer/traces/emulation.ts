import { setMaxListeners } from "node:events";
import type { Call } from "../../../shared/methods/define.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { externalReceiver, Message } from "../../../shared/ton/tlb/message.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { handledLater } from "../../../shared/values/promises.js";
import { ExecutorError } from "../../chain/executor/executor-error.js";
import { type AccountsAhead, notRunInTime } from "../../chain/run/accounts-ahead.js";
import {
  type EmulationRequest,
  limitsLeft,
  nothingUsed,
  type Used,
  usedWith,
} from "../../chain/run/emulation-request.js";
import type { RunCall } from "../../chain/run/method-runner.js";
import type { SupposedChain } from "../../chain/run/supposed-chain.js";
import { type ExpectedTrace, maxTransactions, type TraceEmulator } from "../../chain/run/trace-emulator.js";
import { ServiceError } from "../../errors.js";
import { Deadline } from "../../os/deadline.js";
import type { Queries } from "../../store/database.js";
import type { ActionRow } from "../../store/tables/actions.js";
import type { TraceClassifier } from "../classify/trace-classifier.js";
import type { FinalAccountState } from "../decode/account.js";
import { type Recognition, recogniseWithin } from "./bounded-recognition.js";
import {
  contractsOfTrace,
  type EmulatedContract,
  type EmulatedDetection,
  lastStates,
} from "./emulated-contracts.js";
import { classifiable, firstMessage, rowsOfTrace, type TraceOfRows } from "./expected-rows.js";

/** Result of emulating a message. */
type EmulatedTrace = TraceOfRows &
  Pick<ExpectedTrace, "isCut" | "refusal"> &
  Pick<EmulationRequest, "chain" | "messages"> & {
    block: BlockIdExt;
    used: Used;
    randSeed: Uint8Array;
    /** The last account states. */
    accounts: readonly FinalAccountState[];
    /** Code and data cells of the accounts in all their states, without duplicates. */
    codes: readonly Cell[];
    data: readonly Cell[];
  };

/** Time limit of a whole emulation, as in TON Center. */
const defaultTimeoutMs = 3000;
/** Limits for the transactions of a trace, as fractions of an emulation's time limit. The trace is cut beyond them. */
const maxGas = 20_000_000n;
const partsOfTime = { cpu: 1 / 3, trace: 0.5, recognition: 0.2 } as const;

type EmulationParts = {
  reader: Pick<ChainReader, "config">;
  emulator: Pick<TraceEmulator, "emulate" | "on">;
  /** Absent if the waiting messages are unknown. */
  ahead: Pick<AccountsAhead, "before"> | undefined;
  detection: EmulatedDetection;
  /** Detection on a chain with changes. */
  detectionOn: (chain: SupposedChain) => EmulatedDetection;
  classifier: Pick<TraceClassifier, "classify">;
  randomBytes: (count: number) => Uint8Array;
  timeoutMs?: number | undefined;
  /** The time limit of a caller, if it is not that of others. */
  patienceOf?: ((caller: string | undefined) => number | undefined) | undefined;
};

/** Emulates messages without sending them. */
export class MessageEmulation {
  readonly #parts: EmulationParts;

  constructor(parts: EmulationParts) {
    this.#parts = parts;
  }

  /**
   * Runs the work of a call. After the time limit of an emulation it throws `rate-limited`, or `timeout` if no contract
   * has run by then.
   */
  async limited<T>(call: Call, work: (call: Call) => Promise<T>): Promise<T> {
    const { asked, caller, unlimited = false, options } = call;
    let cpuMs = 0;
    const spent = (ms: number) => {
      cpuMs += ms;
      call.spent?.(ms);
    };
    const timeoutMs = this.#timeoutOf(call);
    const deadline = new Deadline(
      Math.min(options.timeoutMs ?? timeoutMs, timeoutMs),
      call.signal as AbortSignal,
    );
    const { signal } = deadline;
    setMaxListeners(0, signal);
    const isOver = new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () =>
        reject(cpuMs > 0 ? tooDear(signal.reason) : timedOut(signal.reason)),
      ),
    );
    // Failures after the timeout have no caller to report to.
    const working = handledLater(work({ signal, asked, caller, spent, unlimited, options }));
    try {
      return await Promise.race([working, isOver]);
    } catch (error) {
      throw error instanceof ExecutorError && error.code === "timeout" ? tooDear(error) : error;
    } finally {
      deadline.clear();
    }
  }

  /** A message that cannot be received yields no transactions. */
  async trace(request: EmulationRequest, call: RunCall): Promise<EmulatedTrace> {
    const { randomBytes } = this.#parts;
    const { message, block, ignoreSignatures, chain, used = nothingUsed } = request;
    const emulator = chain ? this.#parts.emulator.on(chain) : this.#parts.emulator;
    const startedAt = performance.now();
    const first = firstMessage(message);
    const randSeed = randomBytes(32);
    const before = await this.#receiverOf(request, call);
    const receiver = before === "late" ? undefined : before;
    const limits = limitsLeft({ maxGas, maxTransactions, ...this.#timeOfTrace(call) }, used);
    const emulation = { block, receiver, ignoreSignatures, randSeed, end: chain?.end, ...limits };
    const trace = await emulator.emulate(message, emulation, call);
    if (before === "late" && trace.refusal) throw notRunInTime();
    const { isCut, refusal } = trace;
    const rows = await rowsOfTrace(first, trace, block, chain ?? this.#parts.reader);
    chain?.follow(trace);
    const { messages } = request;
    const found = { isCut, refusal, accounts: lastStates(trace), ...contentsOf(trace) };
    const spent = usedWith(used, trace, performance.now() - startedAt);
    return { ...rows, ...found, block, randSeed, chain, messages, used: spent };
  }

  /** The receiver's state after the messages waiting for it, see `AccountsAhead`. */
  async #receiverOf({ message, block, isNext }: EmulationRequest, call: RunCall) {
    if (!isNext) return undefined;
    const external = decode(Message, message);
    const address = externalReceiver(external);
    return address && this.#parts.ahead?.before({ address, body: external.body }, block, call);
  }

  /** Recognises contracts among a trace's final account states; none if that takes too long. */
  recognise(trace: EmulatedTrace, call: RunCall): Promise<Recognition> {
    const { chain, messages = 1 } = trace;
    const detection = chain ? this.#parts.detectionOn(chain) : this.#parts.detection;
    const ms = (partsOfTime.recognition * this.#timeoutOf(call)) / messages;
    return recogniseWithin(detection, trace, call, { cpuMs: ms, ms });
  }

  #timeoutOf({ caller }: Pick<RunCall, "caller">): number {
    const { patienceOf, timeoutMs = defaultTimeoutMs } = this.#parts;
    return patienceOf?.(caller) ?? timeoutMs;
  }

  #timeOfTrace(call: Pick<RunCall, "caller">): { maxCpuMs: number; maxMs: number } {
    const timeoutMs = this.#timeoutOf(call);
    return { maxCpuMs: partsOfTime.cpu * timeoutMs, maxMs: partsOfTime.trace * timeoutMs };
  }

  /** The actions of a trace. Contracts recognised in it take precedence over stored ones. */
  async actions(
    queries: Queries,
    trace: EmulatedTrace,
    found: readonly EmulatedContract[],
  ): Promise<readonly ActionRow[]> {
    const unstored = contractsOfTrace(trace.accounts, found);
    const result = itemAt(
      await this.#parts.classifier.classify(queries, [classifiable(trace)], {
        horizon: "now",
        unstored,
      }),
      0,
    );
    return result.actions;
  }
}

function timedOut(cause: unknown): ServiceError {
  return new ServiceError("timeout", undefined, { cause });
}

function tooDear(cause: unknown): ServiceError {
  const text = "The emulation takes too long";
  return new ServiceError("rate-limited", text, { data: { retry_after: 1 }, cause });
}

function contentsOf({ transactions }: ExpectedTrace): Pick<EmulatedTrace, "codes" | "data"> {
  const codes = new Map<string, Cell>();
  const data = new Map<string, Cell>();
  for (const account of transactions.flatMap(({ before, after }) => [before, after])) {
    const state = account?.value?.storage.state;
    const init = state?.kind === "active" ? state.init : undefined;
    if (init?.code) codes.set(init.code.hashHex(), init.code);
    if (init?.data) data.set(init.data.hashHex(), init.data);
  }
  return { codes: [...codes.values()], data: [...data.values()] };
}
