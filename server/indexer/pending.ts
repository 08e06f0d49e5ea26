import { LRUCache } from "lru-cache";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { parseBocRoot } from "../cells/boc.js";
import type { Cell } from "../cells/cell.js";
import type { PendingMessages } from "../chain/chain-events.js";
import type { LiteCall } from "../chain/lite-api.js";
import type { ChainReader } from "../chain/read/reader.js";
import type { RunCall } from "../chain/run/method-runner.js";
import type {
  EmulatedAccount,
  Emulation,
  ExpectedTrace,
  TraceEmulator,
} from "../chain/run/trace-emulator.js";
import type { Queries } from "../store/database.js";
import type { ActionRow } from "../store/tables/actions.js";
import type { AccountStatus } from "../tlb/account.js";
import { decode } from "../tlb/codec.js";
import { Message } from "../tlb/message.js";
import { accountOf } from "../tlb/msg-address.js";
import { recogniseWithin } from "./bounded-recognition.js";
import type { UnstoredContracts } from "./classify/known-contracts.js";
import type { TraceClassifier } from "./classify/trace-classifier.js";
import type { FinalAccountState } from "./decode/account.js";
import { contractsOfTrace, type EmulatedDetection, lastStates } from "./emulated-contracts.js";
import {
  classifiable,
  type FirstMessage,
  firstMessage,
  rowsOfTrace,
  type TraceOfRows,
} from "./expected-rows.js";

/** An external message whose trace may not have ended. */
export type PendingMessage = FirstMessage;

/** Only the newest messages are followed. */
const maxMessages = 100;
const keptTraces = 1000;
/** Each trace is emulated once in a block for all callers, so it has no deadline of its own. Most need far less. */
const maxGas = 20_000_000n;
/** CPU time in milliseconds: of each trace, of those of a block together, and a part of all time for those of many blocks. */
const maxCpuMs = { trace: 250, block: 500, part: 0.25 } as const;
/** What a trace is expected to take that was not emulated before. */
const unknownMs = 5;
/** Longest time in which the contracts that a trace deploys are recognised. */
const recognitionMs = 3000;
/** Traces that are emulated at once. */
const concurrency = 4;
/** Contracts that a trace deploys and that are looked at; a payment to strangers deploys one or two. */
const maxDeployed = 32;

type PendingParts = {
  mempool: Pick<PendingMessages, "pending">;
  emulator: Pick<TraceEmulator, "emulate">;
  reader: Pick<ChainReader, "last" | "config">;
  classifier: Pick<TraceClassifier, "classify">;
  detection: EmulatedDetection;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
};

/** A message and the state of following it. */
class Followed implements PendingMessage {
  readonly external: Cell;
  readonly hash: Uint8Array;
  readonly hashNorm: Uint8Array;
  /** Its receiver has not accepted it up to this logical time. */
  waitsSinceLt = 0n;
  hasEnded = false;
  /** CPU time that its last emulation took. */
  cpuMs: number | undefined;
  /** As of the last block in which it was emulated. */
  trace: TraceOfRows | undefined;
  /** Its account, if it can have one. */
  readonly receiver: string | undefined;
  /** The message that its account receives before it. */
  before: Followed | undefined;

  constructor(message: Uint8Array) {
    this.external = parseBocRoot(message);
    const { hash, hashNorm } = firstMessage(this.external);
    this.hash = hash;
    this.hashNorm = hashNorm;
    const { info } = decode(Message, this.external);
    this.receiver = info.kind === "externalIn" ? accountOf(info.dest)?.toRaw() : undefined;
  }
}

/** The receiver of a message after it, as of a block; absent if it refused the message or has received it. */
type ReceiverAfter = { block: string; account: EmulatedAccount | undefined };

/**
 * Traces of known messages as of the last block, until the index has all of their transactions. The CPU time of a block is
 * bounded: dear and old messages come last, and those that it has no time for have their traces as of an earlier block.
 */
export class PendingTraces {
  readonly #parts: PendingParts;
  /** By identity: a waiting message keeps its byte array. */
  readonly #followed = new WeakMap<Uint8Array, Followed>();
  /** Cached traces by block and message. */
  readonly #known = new LRUCache<string, Promise<TraceOfRows>>({ max: keptTraces });
  /** Contracts that traces deploy, so that the index does not have them. */
  readonly #deployed = new WeakMap<TraceOfRows, UnstoredContracts>();
  readonly #receivers = new WeakMap<TraceOfRows, ReceiverAfter>();
  readonly #budget = { block: "", leftMs: maxCpuMs.block as number, since: 0 };

  constructor(parts: Omit<PendingParts, "now"> & Partial<Pick<PendingParts, "now">>) {
    this.#parts = { now: () => performance.now(), ...parts };
  }

  /** Newest first. */
  async messages(): Promise<PendingMessage[]> {
    const all = (await this.#parts.mempool.pending()).map((message) => this.#follow(message));
    const open = all.filter(({ hasEnded }) => !hasEnded);
    linkByReceiver(open);
    return open.slice(-maxMessages).reverse();
  }

  /** Marks a message whose trace the index has completely. */
  end(message: PendingMessage): void {
    if (message instanceof Followed) message.hasEnded = true;
  }

  /** Traces of messages, given newest first; a message without a transaction has none. */
  async traces(messages: readonly PendingMessage[], call: LiteCall): Promise<TraceOfRows[]> {
    const block = bytesToBase64(this.#parts.reader.last.rootHash);
    this.#beginBlock(block);
    const followed = messages.filter((message) => message instanceof Followed);
    const costs = new Map(followed.map((message) => [message, expectedMsWith(message)]));
    const waiting = [...followed].sort((a, b) => costs.get(a)! - costs.get(b)!).values();
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

  /** The actions of traces, with contracts as the index has them, or as traces deploy them. */
  async actions(queries: Queries, traces: readonly TraceOfRows[]): Promise<ActionRow[][]> {
    // What one trace deploys may look otherwise in another.
    const [alone, together] = [new Set<TraceOfRows>(), new Set<TraceOfRows>()];
    for (const trace of traces) (this.#deployed.has(trace) ? alone : together).add(trace);
    const actions = new Map<TraceOfRows, ActionRow[]>();
    for (const group of [[...together], ...Array.from(alone, (trace) => [trace])]) {
      const unstored = group[0] && this.#deployed.get(group[0]);
      const results = await this.#parts.classifier.classify(queries, group.map(classifiable), {
        horizon: "now",
        ...(unstored && { unstored }),
      });
      for (const [at, trace] of group.entries()) actions.set(trace, [...results[at]!.actions]);
    }
    return traces.map((trace) => actions.get(trace)!);
  }

  /** Block after block, time adds to the budget. */
  #beginBlock(block: string): void {
    const budget = this.#budget;
    if (budget.block === block) return;
    const now = this.#parts.now();
    const gained = maxCpuMs.part * (now - budget.since);
    Object.assign(budget, { block, since: now, leftMs: Math.min(maxCpuMs.block, budget.leftMs + gained) });
  }

  #follow(message: Uint8Array): Followed {
    const known = this.#followed.get(message) ?? new Followed(message);
    this.#followed.set(message, known);
    return known;
  }

  /** Undefined if there was no time for it yet. */
  async #traceOf(block: string, message: Followed, call: LiteCall): Promise<TraceOfRows | undefined> {
    const key = `${block} ${message.external.hashHex()}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const receiver = await this.#receiverOf(block, message, call);
    const known = this.#known.get(key);
    if (known) return known;
    // What has happened already is read, which takes no time of the executor.
    const isLate = this.#budget.leftMs <= 0 && message.cpuMs !== 0;
    if (isLate || receiver === "late" || this.#budget.block !== block) return message.trace;
    const trace = this.#spendOn(message, receiver, call);
    this.#known.set(key, trace);
    trace.catch(() => this.#known.delete(key));
    return trace;
  }

  /** The receiver as the messages before this one leave it; undefined if it is as of the block. */
  async #receiverOf(
    block: string,
    { before }: Followed,
    call: LiteCall,
  ): Promise<EmulatedAccount | "late" | undefined> {
    if (!before || before.hasEnded) return undefined;
    const trace = await this.#traceOf(block, before, call);
    const after = trace && this.#receivers.get(trace);
    if (after?.block !== block) return "late";
    if (after.account || trace!.happened.size > 0) return after.account;
    return this.#receiverOf(block, before, call);
  }

  /** Takes what is expected from the budget first, because several are emulated at once. */
  async #spendOn(
    message: Followed,
    receiver: EmulatedAccount | undefined,
    call: LiteCall,
  ): Promise<TraceOfRows> {
    const expected = expectedMs(message);
    this.#budget.leftMs -= expected;
    let cpuMs = expected;
    try {
      const { rows, spentMs } = await this.#expect(message, receiver, call);
      cpuMs = spentMs;
      message.trace = rows;
      return rows;
    } finally {
      message.cpuMs = cpuMs;
      this.#budget.leftMs += expected - cpuMs;
    }
  }

  async #expect(message: Followed, receiver: EmulatedAccount | undefined, { signal, asked }: LiteCall) {
    const { reader, detection } = this.#parts;
    const call: RunCall = { signal, asked, lane: "pending" };
    const block = reader.last;
    const trace = await this.#emulate(message, { block, receiver }, call);
    message.waitsSinceLt = trace.waitsSinceLt;
    const rows = await rowsOfTrace(message, trace, block, reader);
    this.#receivers.set(rows, { block: bytesToBase64(block.rootHash), account: trace.receiver });
    const accounts = deployedBy(trace);
    if (accounts.length === 0) return { rows, spentMs: trace.cpuMs };
    const limits = { cpuMs: maxCpuMs.trace, ms: recognitionMs };
    const { contracts, cpuMs } = await recogniseWithin(detection, { accounts, block }, call, limits);
    this.#deployed.set(rows, contractsOfTrace(accounts, contracts));
    return { rows, spentMs: trace.cpuMs + cpuMs };
  }

  /** What its account refuses behind other messages may come before them. */
  async #emulate(
    { external, waitsSinceLt }: Followed,
    { block, receiver }: Pick<Emulation, "block" | "receiver">,
    call: RunCall,
  ): Promise<ExpectedTrace> {
    const { emulator } = this.#parts;
    const emulation = { block, sinceLt: waitsSinceLt, maxGas, maxCpuMs: maxCpuMs.trace };
    const trace = await emulator.emulate(external, { ...emulation, receiver }, call);
    if (!receiver || !trace.refusal) return trace;
    const alone = await emulator.emulate(external, emulation, call);
    return { ...alone, cpuMs: trace.cpuMs + alone.cpuMs };
  }
}

/** Messages to an account are received in their order, oldest first. */
function linkByReceiver(messages: readonly Followed[]): void {
  const last = new Map<string, Followed>();
  for (const message of messages) {
    if (message.receiver === undefined) continue;
    message.before = last.get(message.receiver);
    last.set(message.receiver, message);
  }
}

function expectedMs({ cpuMs = unknownMs }: Followed): number {
  return cpuMs;
}

/** With the messages that its account receives before it. */
function expectedMsWith(message: Followed): number {
  let sum = 0;
  for (let each: Followed | undefined = message; each; each = each.before) sum += expectedMs(each);
  return sum;
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
