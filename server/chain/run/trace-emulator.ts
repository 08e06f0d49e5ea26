import type { Cell } from "../../../shared/ton/cells/cell.js";
import { shardAccountOf } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { findReceiver } from "../../../shared/ton/proofs/read/receiver.js";
import type { TransactionRequest, TransactionResult } from "../../../shared/ton/run/account-request.js";
import type { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import type { LogDetail } from "../../../shared/ton/run/method-request.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { StateInit } from "../../../shared/ton/tlb/state-init.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../shared/values/address.js";
import { compareBytes } from "../../../shared/values/bytes.js";
import { firstPassing } from "../../../shared/values/first-passing.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { ExecutorError } from "../executor/executor-error.js";
import type { CallOptions, ExecutorThreads } from "../executor/threads/executor-threads.js";
import { type BlockEnd, type ComingBlock, ComingBlocks, isInMasterchain } from "./coming-blocks.js";
import { type RunCall, runOptions } from "./method-runner.js";
import { partsOn, type SupposedChain } from "./supposed-chain.js";

/** An emulated or actual transaction, with the account before and after it if known. */
export type ExpectedTransaction = {
  address: Address;
  transaction: CellOf<Transaction>;
  before: CellOf<Account> | undefined;
  after: CellOf<Account> | undefined;
  /** The block that contains the transaction; absent if it is emulated. */
  block: BlockIdExt | undefined;
  /** Root of the output action list; only of an emulated one whose code ran. */
  actions?: Cell | undefined;
  /** Only with a log. */
  run?: LoggedRun<TransactionResult & { outcome: "done" }> | undefined;
};

/** A run with the log that an emulation asks for. */
type LoggedRun<Result> = { request: TransactionRequest; result: Result };

/** The reason why a message causes no transaction. */
export type Refusal = Exclude<TransactionResult, { outcome: "done" }>;

/** Actual and emulated transactions that follow a message. */
export type ExpectedTrace = {
  /** Senders come before receivers. */
  transactions: ExpectedTransaction[];
  /** Messages that were not followed: beyond the limits, or without effect on an account. */
  unfollowed: number;
  /** Whether messages are left that are beyond the limits, or that could not be run in time. */
  isCut: boolean;
  /** The reason why there are no transactions. */
  refusal: Refusal | undefined;
  /** The run of a message that was not accepted; only with a log. */
  refused?: LoggedRun<Refusal & { outcome: "refused" }> | undefined;
  /** Logical time up to which the receiver has not processed the message. */
  waitsSinceLt: bigint;
  /**
   * The receiver after the first transaction; absent if that is not emulated, or not on the state given as `receiver`.
   */
  receiver: EmulatedAccount | undefined;
  /** The end of its last emulated block; absent if there is none. */
  end: BlockEnd | undefined;
  /** Gas and CPU time of its emulated transactions. */
  gasUsed: bigint;
  cpuMs: number;
};

/** An account as changed by emulated transactions. Its next transaction has at least the logical time `nextLt`. */
export type EmulatedAccount = { state: ShardAccount; cell: Cell; nextLt: bigint };

type Emulation = {
  /** The trace begins with the state after this masterchain block. Default: the last block. */
  block?: BlockIdExt | undefined;
  /**
   * Logical time up to which the receiver has not processed the message. Default: the message is received after the
   * block, regardless of earlier transactions.
   */
  sinceLt?: bigint | undefined;
  /**
   * State of the receiver after the messages before this one. Default, and if it refuses the message: the state at the
   * block.
   */
  receiver?: EmulatedAccount | undefined;
  /** Replaces the end of the block that the trace follows, or a part of it. */
  end?: Partial<BlockEnd> | undefined;
  /** Messages at this depth are not followed; the first message has depth 0. Default: 32. */
  maxDepth?: number | undefined;
  /** Lets the receiver of the message accept every signature. */
  ignoreSignatures?: boolean | undefined;
  /** Must not be zero. Default: a constant, so that equal requests give equal answers. */
  randSeed?: Uint8Array | undefined;
  /** Default: 256. */
  maxTransactions?: number | undefined;
  /** Gas limit of the transactions together. Default: no limit. */
  maxGas?: bigint | undefined;
  /** CPU time limit of the transactions together. Default: no limit. */
  maxCpuMs?: number | undefined;
  /** Time limit of the emulation, including waiting. Default: no limit. */
  maxMs?: number | undefined;
  /** Detail of the machine's log of each run. Default: runs are not part of the trace. */
  log?: LogDetail | undefined;
};

/** Transactions of an emulated trace. It is cut there. */
export const maxTransactions = 256;
const defaultDepth = 32;
const defaultSeed = new Uint8Array(32).fill(1);

type EmulatorParts = {
  reader: Pick<
    ChainReader,
    "last" | "account" | "config" | "header" | "previousBlocks" | "transactions" | "lookup"
  >;
  executor: Pick<ExecutorThreads, "runTransaction">;
  libraries: CodeLibraries;
  isSupposed?: boolean;
};

/** `to`: the account that receives the message; absent if none can. */
type Delivery = { message: CellOf<Message>; to: Address | undefined; depth: number };

/**
 * Follows a message: reads transactions up to a block, and emulates further ones on a copy of that block's state, as if
 * the later blocks contained nothing else. Limits: depth 32, 256 transactions, and gas and CPU time if the caller sets
 * them.
 */
export class TraceEmulator {
  readonly #parts: EmulatorParts;

  constructor(parts: EmulatorParts) {
    this.#parts = parts;
  }

  /** The same on a chain with changes. */
  on(chain: SupposedChain): TraceEmulator {
    return new TraceEmulator({ ...this.#parts, ...partsOn(chain) });
  }

  async emulate(message: Cell, emulation: Emulation, call: RunCall): Promise<ExpectedTrace> {
    const trace = await this.#follow(message, emulation, call);
    if (!emulation.receiver || !trace.refusal) return trace;
    const alone = await this.#follow(message, { ...emulation, receiver: undefined }, call);
    return { ...alone, receiver: undefined, cpuMs: trace.cpuMs + alone.cpuMs };
  }

  async #follow(message: Cell, emulation: Emulation, call: RunCall): Promise<ExpectedTrace> {
    const first = deliveryOf(CellOf.in(Message, message), 0);
    if (!first.to) return nothing(emulation);
    const run = await TraceRun.start(this.#parts, first.to, emulation, call);
    return run.follow(first, first.to);
  }
}

type ChainContext = Awaited<ReturnType<typeof readContext>>;
type RunSetting = {
  parts: EmulatorParts;
  call: RunCall;
  block: BlockIdExt;
  emulation: Emulation;
  context: ChainContext;
  blocks: ComingBlocks;
};

/** State of one emulation, with the accounts that its transactions changed. */
class TraceRun {
  readonly #setting: RunSetting;
  readonly #accounts = new Map<string, EmulatedAccount>();
  readonly #transactions: ExpectedTransaction[] = [];
  #unfollowed = 0;
  #gasUsed = 0n;
  #cpuMs = 0;
  #isCut = false;
  /** Whether the executor refused a transaction for lack of time. */
  #isOutOfTime = false;
  readonly #startedAt = performance.now();
  #refusal: Refusal | undefined;
  #refused: ExpectedTrace["refused"];
  #receiver: EmulatedAccount | undefined;
  #end: BlockEnd | undefined;

  private constructor(setting: RunSetting) {
    this.#setting = setting;
  }

  static async start(
    parts: EmulatorParts,
    receiver: Address,
    emulation: Emulation,
    call: RunCall,
  ): Promise<TraceRun> {
    const { reader } = parts;
    const { block = reader.last, end } = emulation;
    const [context, blocks] = await Promise.all([
      readContext(reader, block),
      ComingBlocks.after(block, receiver, reader, call, end),
    ]);
    return new TraceRun({ parts, call, block, emulation, context, blocks });
  }

  async follow(first: Delivery, receiver: Address): Promise<ExpectedTrace> {
    const { sinceLt, receiver: changed } = this.#setting.emulation;
    const waiting = sinceLt === undefined ? [first] : await this.#followHappened(first, sinceLt);
    if (changed && waiting.includes(first)) this.#accounts.set(receiver.toRaw(), changed);
    await this.#followExpected(waiting);
    return {
      transactions: this.#transactions,
      unfollowed: this.#unfollowed,
      isCut: this.#isCut,
      refusal: this.#transactions.length > 0 ? undefined : this.#refusal,
      refused: this.#refused,
      waitsSinceLt: sinceLt === undefined ? 0n : await this.#waitsSince(receiver, sinceLt),
      receiver: this.#receiver,
      end: this.#end,
      gasUsed: this.#gasUsed,
      cpuMs: this.#cpuMs,
    };
  }

  /** Adds the transactions that are already in blocks. Returns the messages that are not processed yet. */
  async #followHappened(first: Delivery, sinceLt: bigint): Promise<Delivery[]> {
    const waiting: Delivery[] = [];
    const queue = [{ delivery: first, sinceLt }];
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { delivery, sinceLt } = next;
      const happened = delivery.to && (await this.#happened(delivery.message, delivery.to, sinceLt));
      if (!happened) waiting.push(delivery);
      else if (this.#mayFollow(delivery))
        for (const sent of this.#add(happened, delivery.depth))
          queue.push({ delivery: sent, sinceLt: ltOf(sent) });
    }
    return waiting;
  }

  /** Emulates the messages block by block. */
  async #followExpected(deliveries: readonly Delivery[]): Promise<void> {
    let waiting = deliveries;
    for (let number = 1; waiting.length > 0; number++) {
      const { blocks } = this.#setting;
      const step = blocks.step(number);
      this.#end = blocks.endOf(number);
      const toMasterchain = ({ to }: Delivery) => to !== undefined && isInMasterchain(to);
      const early = waiting.filter(toMasterchain);
      const sent = await this.#fill(
        step.shards,
        waiting.filter((delivery) => !toMasterchain(delivery)),
        (delivery) => !toMasterchain(delivery),
      );
      waiting = await this.#fill(step.masterchain, [...early, ...sent], toMasterchain);
    }
  }

  /**
   * Delivers messages in a block: the inbound ones, then those sent in it to the same chain, in the order of logical
   * times. Returns the messages to the other chain.
   */
  async #fill(
    block: ComingBlock,
    inbound: readonly Delivery[],
    isOwn: (delivery: Delivery) => boolean,
  ): Promise<Delivery[]> {
    const leaving: Delivery[] = [];
    const own = new SendOrder();
    const deliver = async (delivery: Delivery) => {
      for (const sent of await this.#deliver(delivery, block)) (isOwn(sent) ? own : leaving).push(sent);
    };
    for (const delivery of [...inbound].sort(byTime)) await deliver(delivery);
    for (let next = own.shift(); next; next = own.shift()) await deliver(next);
    return leaving;
  }

  /** Returns the messages that the transaction sent. */
  async #deliver(delivery: Delivery, block: ComingBlock): Promise<Delivery[]> {
    if (!this.#mayFollow(delivery)) return [];
    const expected = await this.#emulateInTime(delivery, block);
    if (expected) {
      this.#gasUsed += gasUsedBy(expected.transaction.value);
      return this.#add(expected, delivery.depth);
    }
    this.#unfollowed++;
    return [];
  }

  #mayFollow({ depth }: Delivery): boolean {
    const {
      maxGas,
      maxCpuMs = Number.POSITIVE_INFINITY,
      maxDepth = defaultDepth,
      maxTransactions: most = maxTransactions,
    } = this.#setting.emulation;
    const isWithin = depth < maxDepth && this.#transactions.length < most;
    const mayBurn = (maxGas === undefined || this.#gasUsed < maxGas) && this.#cpuMs < maxCpuMs;
    if (isWithin && mayBurn && !this.#isOutOfTime && this.#msLeft() > 0) return true;
    this.#unfollowed++;
    this.#isCut = true;
    return false;
  }

  #msLeft(): number {
    const { maxMs = Number.POSITIVE_INFINITY } = this.#setting.emulation;
    return maxMs - (performance.now() - this.#startedAt);
  }

  #add(expected: ExpectedTransaction, depth: number): Delivery[] {
    this.#transactions.push(expected);
    const sent = [...expected.transaction.value.messages.value.outMsgs.values()];
    return sent
      .filter(({ value }) => value.info.kind === "internal")
      .map((message) => deliveryOf(message, depth + 1));
  }

  async #waitsSince(receiver: Address, sinceLt: bigint): Promise<bigint> {
    const { parts, block, call } = this.#setting;
    if (this.#transactions[0]?.block) return sinceLt;
    return (await parts.reader.account(block, receiver, call)).lastTransaction.lt;
  }

  async #happened(
    message: CellOf<Message>,
    address: Address,
    sinceLt: bigint,
  ): Promise<ExpectedTransaction | undefined> {
    const { parts, block, call } = this.#setting;
    const search = { block, address, messageHash: message.cell.hash(), sinceLt };
    const found = await findReceiver(parts.reader, search, call);
    if (!found) return undefined;
    const { cell, lastTransaction } = await parts.reader.account(block, address, call);
    const isLast = lastTransaction.lt === found.transaction.lt;
    return {
      address,
      transaction: CellOf.in(Transaction, found.cell),
      before: undefined,
      after: isLast && cell ? CellOf.in(Account, cell) : undefined,
      block: found.block,
    };
  }

  /** If the executor refuses further runs for lack of time, the trace ends there, unless it has no transaction yet. */
  async #emulateInTime(delivery: Delivery, block: ComingBlock): Promise<ExpectedTransaction | undefined> {
    try {
      return await this.#emulate(delivery, block);
    } catch (error) {
      const isLate = error instanceof ExecutorError && (error.code === "busy" || error.code === "timeout");
      if (!isLate || this.#transactions.length === 0) throw error;
      this.#isOutOfTime = true;
      this.#isCut = true;
      return undefined;
    }
  }

  async #emulate(
    { message, to, depth }: Delivery,
    { startLt, now }: ComingBlock,
  ): Promise<ExpectedTransaction | undefined> {
    if (!to) return undefined;
    const { parts, call, emulation, context } = this.#setting;
    const before = await this.#accountAt(to);
    if (!before) return this.#refuse({ outcome: "impossible", reason: "no shard found for message" });
    const sentLt = ltOf({ message });
    const request = {
      ...context,
      randSeed: emulation.randSeed ?? defaultSeed,
      libraries: await parts.libraries.of(contractOf(before.state, message), call),
      now,
      shardAccount: before.cell,
      message: message.cell,
      lt: [startLt, sentLt].reduce(latest, before.nextLt - 1n) + 1n,
      ignoreSignatures: depth === 0 && emulation.ignoreSignatures,
      isSupposed: parts.isSupposed,
      log: emulation.log,
    };
    const subject = contractOf(before.state, message).code;
    const result = await parts.executor.runTransaction(request, this.#optionsOf(subject));
    this.#cpuMs += result.cpuMs;
    const isShown = emulation.log !== undefined;
    if (isShown && result.outcome === "refused") this.#refused = { request, result };
    if (result.outcome !== "done") return this.#refuse(result);
    const transaction = CellOf.in(Transaction, result.transaction);
    const after = decode(ShardAccount, result.shardAccount);
    const { lt, outMsgCount } = transaction.value;
    const nextLt = lt + 1n + BigInt(outMsgCount);
    const changed = { state: after, cell: result.shardAccount, nextLt };
    this.#accounts.set(to.toRaw(), changed);
    if (depth === 0) this.#receiver = changed;
    return {
      address: to,
      transaction,
      before: before.state.account,
      after: after.account,
      block: undefined,
      actions: result.actions,
      ...(isShown && { run: { request, result } }),
    };
  }

  #optionsOf(subject: Cell | undefined): CallOptions {
    const { maxMs, log } = this.#setting.emulation;
    // A run with a log does not predict the cost of others.
    const options = runOptions(this.#setting.call, log === undefined ? subject : undefined);
    return maxMs === undefined ? options : { ...options, deadlineMs: this.#msLeft() };
  }

  #refuse(refusal: Refusal): undefined {
    this.#refusal = refusal;
    return undefined;
  }

  /** Undefined if there is no such workchain. */
  async #accountAt(address: Address): Promise<EmulatedAccount | undefined> {
    const known = this.#accounts.get(address.toRaw());
    if (known) return known;
    const { parts, block, call } = this.#setting;
    const snapshot = await parts.reader.account(block, address, call);
    if (!snapshot.shardBlock) return undefined;
    const state = shardAccountOf(snapshot);
    return { state, cell: encode(ShardAccount, state), nextLt: 0n };
  }
}

function nothing({ sinceLt = 0n }: Emulation): ExpectedTrace {
  return {
    transactions: [],
    unfollowed: 1,
    isCut: false,
    refusal: undefined,
    waitsSinceLt: sinceLt,
    receiver: undefined,
    end: undefined,
    gasUsed: 0n,
    cpuMs: 0,
  };
}

function deliveryOf(message: CellOf<Message>, depth: number): Delivery {
  const { info } = message.value;
  return { message, to: info.kind === "externalOut" ? undefined : accountOf(info.dest), depth };
}

/** Logical time of a message; 0 for an external one. */
function ltOf({ message }: Pick<Delivery, "message">): bigint {
  const { info } = message.value;
  return info.kind === "internal" ? info.createdLt : 0n;
}

/** The code that runs the message, with the libraries of the account. */
function contractOf({ account }: ShardAccount, message: CellOf<Message>) {
  const state = account.value?.storage.state;
  const own: StateInit | undefined = state?.kind === "active" ? state.init : undefined;
  const { code, library: libraries } = own ?? message.value.init?.value ?? { code: undefined };
  return { code, libraries };
}

function gasUsedBy({ description: { value } }: Transaction): bigint {
  return "computePh" in value && value.computePh.kind === "vm" ? value.computePh.gasUsed : 0n;
}

function latest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function byTime(a: Delivery, b: Delivery): number {
  const difference = ltOf(a) - ltOf(b);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return compareBytes(a.message.cell.hash(), b.message.cell.hash());
}

/** Messages in the order in which they were sent. */
class SendOrder {
  readonly #sorted: Delivery[] = [];
  #next = 0;

  push(delivery: Delivery): void {
    const isLater = (n: number) => byTime(itemAt(this.#sorted, n), delivery) > 0;
    this.#sorted.splice(firstPassing(this.#next, this.#sorted.length, isLater), 0, delivery);
  }

  shift(): Delivery | undefined {
    return this.#sorted[this.#next++];
  }
}

async function readContext(reader: EmulatorParts["reader"], block: BlockIdExt) {
  const [{ root }, previousBlocks] = await Promise.all([reader.config(block), reader.previousBlocks(block)]);
  return { config: root, previousBlocks };
}
