import { LRUCache } from "lru-cache";
import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { isNotFound } from "../../../shared/ton/lite/not-found.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { AccountStatus } from "../../../shared/ton/tlb/account.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { itemAt, valueAt } from "../../../shared/values/lookups.js";
import type { RunCall } from "../../chain/run/method-runner.js";
import type { EmulatedAccount, ExpectedTrace, TraceEmulator } from "../../chain/run/trace-emulator.js";
import {
  type WaitingMessage,
  type WaitingMessages,
  waitingBefore,
} from "../../chain/run/waiting-messages.js";
import type { Queries } from "../../store/database.js";
import type { ActionRow } from "../../store/tables/actions.js";
import type { UnstoredContracts } from "../classify/known-contracts.js";
import type { TraceClassifier } from "../classify/trace-classifier.js";
import type { FinalAccountState } from "../decode/account.js";
import { TimeShare, type TimeShareSetting } from "../time-share.js";
import { recogniseWithin } from "./bounded-recognition.js";
import { contractsOfTrace, type EmulatedDetection, lastStates } from "./emulated-contracts.js";
import {
  classifiable,
  type FirstMessage,
  firstMessage,
  rowsOfTrace,
  type TraceOfRows,
} from "./expected-rows.js";

/** An external message whose trace may not have ended. */
type PendingMessage = FirstMessage;

/** Only the newest messages are followed. */
const maxMessages = 100;
const keptTraces = 1000;
/** Each trace is emulated once per block for all callers, so it has no deadline. Most need far less gas. */
const maxGas = 20_000_000n;
/** CPU time limit per trace, in milliseconds. */
const traceMs = 250;
/** CPU time limit for all traces together. */
const allTime = { share: 0.25, savedMs: 500 } as const;
/** Expected CPU time of a trace without an earlier emulation. */
const unknownMs = 5;
/** Time limit for recognising the contracts that a trace deploys. */
const recognitionMs = 3000;
/** Traces emulated concurrently. */
const concurrency = 4;
/** Deployed contracts examined per trace; a payment to new accounts deploys one or two. */
const maxDeployed = 32;

type PendingParts = {
  waiting: Pick<WaitingMessages, "list">;
  emulator: Pick<TraceEmulator, "emulate">;
  reader: Pick<ChainReader, "last" | "config">;
  classifier: Pick<TraceClassifier, "classify">;
  detection: EmulatedDetection;
};

/** A followed message with its state. */
class Followed implements PendingMessage {
  readonly waiting: WaitingMessage;
  readonly hash: Uint8Array;
  readonly hashNorm: Uint8Array;
  hasEnded = false;
  /** CPU time of its last emulation. */
  cpuMs: number | undefined;
  /** The trace as of the last block on which it was emulated. */
  trace: TraceOfRows | undefined;

  constructor(waiting: WaitingMessage) {
    this.waiting = waiting;
    const { hash, hashNorm } = firstMessage(waiting.external);
    this.hash = hash;
    this.hashNorm = hashNorm;
  }
}

/** The receiver's account after the message, as of a block; absent if it refused or already received the message. */
type ReceiverAfter = { block: string; account: EmulatedAccount | undefined };

/**
 * Traces of known messages as of the last block, until the index has all their transactions. CPU time per block is
 * limited: expensive and old messages come last, and those over the limit keep their traces as of an earlier block.
 */
export class PendingTraces {
  readonly #parts: PendingParts;
  readonly #followed = new WeakMap<WaitingMessage, Followed>();
  /** Cached traces by block and message. */
  readonly #known = new LRUCache<string, Promise<TraceOfRows>>({ max: keptTraces });
  /** Contracts deployed by traces, which are not in the index. */
  readonly #deployed = new WeakMap<TraceOfRows, UnstoredContracts>();
  readonly #receivers = new WeakMap<TraceOfRows, ReceiverAfter>();
  readonly #time: TimeShare;
  /** The block on which traces are emulated. */
  #block = "";

  constructor({ now, ...parts }: PendingParts & Pick<TimeShareSetting, "now">) {
    this.#parts = parts;
    this.#time = new TimeShare({ ...allTime, now });
  }

  /** Newest first. */
  async messages(): Promise<PendingMessage[]> {
    const all = (await this.#parts.waiting.list()).map((message) => this.#follow(message));
    return all
      .filter(({ hasEnded }) => !hasEnded)
      .slice(-maxMessages)
      .reverse();
  }

  /** Marks a message whose trace is completely indexed. */
  end(message: PendingMessage): void {
    if (message instanceof Followed) message.hasEnded = true;
  }

  /** Traces of messages, given newest first; messages without a transaction have none. */
  async traces(messages: readonly PendingMessage[], call: LiteCall): Promise<TraceOfRows[]> {
    const block = this.#parts.reader.last;
    try {
      return await this.#tracesAt(block, messages, call);
    } catch (error) {
      if (!isNotFound(error) || this.#parts.reader.last === block) throw error;
    }
    // The chain went back behind a block that was read, which may have removed messages too.
    const known = new Set(await this.messages());
    return this.traces(
      messages.filter((message) => known.has(message)),
      call,
    );
  }

  async #tracesAt(
    block: BlockIdExt,
    messages: readonly PendingMessage[],
    call: LiteCall,
  ): Promise<TraceOfRows[]> {
    this.#beginBlock(nameOf(block));
    const followed = messages.filter((message) => message instanceof Followed);
    const costs = new Map(followed.map((message) => [message, this.#expectedMsWith(message, block)]));
    const waiting = [...followed].sort((a, b) => valueAt(costs, a) - valueAt(costs, b)).values();
    const traces = new Map<PendingMessage, TraceOfRows | undefined>();
    const work = async () => {
      for (const message of waiting) traces.set(message, await this.#traceOf(block, message, call));
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return followed.flatMap((message) => {
      const trace = traces.get(message);
      return trace && trace.rows.transactions.length > 0 ? [trace] : [];
    });
  }

  /** The actions of traces, with contracts from the index and those that the traces deploy. */
  async actions(queries: Queries, traces: readonly TraceOfRows[]): Promise<ActionRow[][]> {
    // Contracts deployed by a trace apply to that trace only.
    const [alone, together] = [new Set<TraceOfRows>(), new Set<TraceOfRows>()];
    for (const trace of traces) (this.#deployed.has(trace) ? alone : together).add(trace);
    const actions = new Map<TraceOfRows, ActionRow[]>();
    for (const group of [[...together], ...Array.from(alone, (trace) => [trace])]) {
      const unstored = group[0] && this.#deployed.get(group[0]);
      const results = await this.#parts.classifier.classify(queries, group.map(classifiable), {
        horizon: "now",
        ...(unstored && { unstored }),
      });
      for (const [at, trace] of group.entries()) actions.set(trace, [...itemAt(results, at).actions]);
    }
    return traces.map((trace) => valueAt(actions, trace));
  }

  /** Each new block adds to the time budget. */
  #beginBlock(block: string): void {
    if (this.#block === block) return;
    this.#block = block;
    this.#time.refill();
  }

  #follow(message: WaitingMessage): Followed {
    const known = this.#followed.get(message) ?? new Followed(message);
    this.#followed.set(message, known);
    return known;
  }

  /** Undefined if there was no time for it yet. */
  async #traceOf(block: BlockIdExt, message: Followed, call: LiteCall): Promise<TraceOfRows | undefined> {
    const key = `${nameOf(block)} ${message.waiting.external.hashHex()}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const receiver = await this.#receiverOf(block, message, call);
    const known = this.#known.get(key);
    if (known) return known;
    // Transactions already in a block are read, which takes no executor time.
    const isLate = this.#time.leftMs <= 0 && message.cpuMs !== 0;
    if (isLate || receiver === "late" || this.#block !== nameOf(block)) return message.trace;
    const trace = this.#spendOn(message, receiver, call);
    this.#known.set(key, trace);
    trace.catch(() => this.#known.delete(key));
    return trace;
  }

  /** The receiver after the messages before this one; undefined if it is unchanged since the block. */
  async #receiverOf(
    block: BlockIdExt,
    { waiting }: Followed,
    call: LiteCall,
  ): Promise<EmulatedAccount | "late" | undefined> {
    for (const earlier of waitingBefore(waiting, block)) {
      const followed = this.#follow(earlier);
      if (followed.hasEnded) return undefined;
      const trace = await this.#traceOf(block, followed, call);
      const after = trace && this.#receivers.get(trace);
      if (after?.block !== nameOf(block)) return "late";
      if (after.account || trace!.happened.size > 0) return after.account;
    }
    return undefined;
  }

  /** Includes the messages that its account receives before it. */
  #expectedMsWith(message: Followed, block: BlockIdExt): number {
    let sum = expectedMs(message);
    for (const earlier of waitingBefore(message.waiting, block)) {
      const followed = this.#follow(earlier);
      if (followed.hasEnded) break;
      sum += expectedMs(followed);
    }
    return sum;
  }

  /** Reserves the expected time first, because several traces are emulated concurrently. */
  async #spendOn(
    message: Followed,
    receiver: EmulatedAccount | undefined,
    call: LiteCall,
  ): Promise<TraceOfRows> {
    const expected = expectedMs(message);
    this.#time.take(expected);
    let cpuMs = expected;
    try {
      const { rows, spentMs } = await this.#expect(message, receiver, call);
      cpuMs = spentMs;
      message.trace = rows;
      return rows;
    } finally {
      message.cpuMs = cpuMs;
      this.#time.take(cpuMs - expected);
    }
  }

  async #expect(message: Followed, receiver: EmulatedAccount | undefined, { signal, asked }: LiteCall) {
    const { reader, detection } = this.#parts;
    const call: RunCall = { signal, asked, lane: "pending" };
    const block = reader.last;
    const { waiting } = message;
    const limits = { maxGas, maxCpuMs: traceMs };
    const { waitsSinceLt: sinceLt, ignoresSignatures: ignoreSignatures } = waiting;
    const emulation = { block, receiver, sinceLt, ignoreSignatures, ...limits };
    const trace = await this.#parts.emulator.emulate(waiting.external, emulation, call);
    waiting.waitsSinceLt = trace.waitsSinceLt;
    const rows = await rowsOfTrace(message, trace, block, reader);
    this.#receivers.set(rows, { block: nameOf(block), account: trace.receiver });
    const accounts = deployedBy(trace);
    if (accounts.length === 0) return { rows, spentMs: trace.cpuMs };
    const bounds = { cpuMs: traceMs, ms: recognitionMs };
    const { contracts, cpuMs } = await recogniseWithin(detection, { accounts, block }, call, bounds);
    this.#deployed.set(rows, contractsOfTrace(accounts, contracts));
    return { rows, spentMs: trace.cpuMs + cpuMs };
  }
}

function nameOf({ rootHash }: BlockIdExt): string {
  return bytesToBase64(rootHash);
}

function expectedMs({ cpuMs = unknownMs }: Followed): number {
  return cpuMs;
}

/** The accounts that were not active before a trace. */
function deployedBy(trace: ExpectedTrace): FinalAccountState[] {
  const before = new Map<string, AccountStatus>();
  for (const { address, transaction } of trace.transactions) {
    const raw = address.toRaw();
    if (!before.has(raw)) before.set(raw, transaction.value.origStatus);
  }
  return lastStates(trace)
    .filter(({ address, code }) => code !== undefined && before.get(address.toRaw()) !== "active")
    .slice(0, maxDeployed);
}
