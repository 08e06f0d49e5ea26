import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { TransactionResult } from "../../../../shared/ton/run/account-request.js";
import type { RunEnvironment } from "../../../../shared/ton/run/method-request.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { InMsg } from "../../../../shared/ton/tlb/in-msg.js";
import { InMsgDescr } from "../../../../shared/ton/tlb/in-msg-descr.js";
import { Message } from "../../../../shared/ton/tlb/message.js";
import type { InternalInfo } from "../../../../shared/ton/tlb/message-info.js";
import { accountOf } from "../../../../shared/ton/tlb/msg-address.js";
import { envelopedInfo, MsgEnvelope } from "../../../../shared/ton/tlb/msg-envelope.js";
import type { OutMsg } from "../../../../shared/ton/tlb/out-msg.js";
import { OutMsgDescr } from "../../../../shared/ton/tlb/out-msg-descr.js";
import type { OutMsgQueue } from "../../../../shared/ton/tlb/out-msg-queue.js";
import type { ShardAccounts } from "../../../../shared/ton/tlb/shard-account.js";
import { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../../shared/values/address.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Executor } from "../../../chain/executor/executor.js";
import { ExecutorError } from "../../../chain/executor/executor-error.js";
import type { ExternalMessage } from "../../mempool/mempool.js";
import { type ImportGate, LibrariesMissing } from "../messages/import-gate.js";
import { type NewMessage, NewMessages } from "../messages/new-messages.js";
import { type QueueEntry, queueKey } from "../messages/out-queue.js";
import { type TouchedAccount, TouchedAccounts } from "./touched-accounts.js";

/** Initial state of a draft. */
type DraftOptions = {
  workchain: number;
  startLt: bigint;
  accounts: ShardAccounts;
  queue: OutMsgQueue;
  queueSize: number;
  executor: Pick<Executor, "runTransaction" | "runTickTock">;
  environment: RunEnvironment;
  /** Whether dequeue records contain only the hash of the envelope. */
  shortDequeue: boolean;
  /** Only on a fork. */
  imports?: ImportGate | undefined;
};

/** A message delivered in this block, and its transaction. */
export type Delivery = { message: Cell; destination: Address; transaction: CellOf<Transaction> };

type RunChoices = {
  ignoreSignatures?: boolean | undefined;
  /** Whether the run is repeated once missing libraries are imported. Default: yes. */
  needsLibraries?: boolean;
};

/** Envelope routing bits of a message at its destination, and of one that must still leave its workchain. */
const arrived = 96;
const departing = 0;

/** The transactions and messages of a block in progress. Each method keeps all records consistent. */
export class BlockDraft {
  readonly accounts: TouchedAccounts;
  readonly newMessages = new NewMessages();
  readonly deliveries: Delivery[] = [];
  queue: OutMsgQueue;
  queueSize: number;
  maxLt: bigint;
  /** The last internal message delivered. */
  lastDelivered: { lt: bigint; hash: Uint8Array } | undefined;
  transactionCount = 0;

  readonly #options: DraftOptions;
  readonly #inMsgs: [Uint8Array, InMsg][] = [];
  readonly #outMsgs: [Uint8Array, OutMsg][] = [];

  constructor(options: DraftOptions) {
    this.#options = options;
    this.accounts = new TouchedAccounts(options.accounts, options.imports !== undefined);
    this.queue = options.queue;
    this.queueSize = options.queueSize;
    this.maxLt = options.startLt + 1n;
  }

  get inMsgDescr(): InMsgDescr {
    return InMsgDescr.empty.update(this.#inMsgs);
  }

  get outMsgDescr(): OutMsgDescr {
    return OutMsgDescr.empty.update(this.#outMsgs);
  }

  /** Whether a message to this chain must wait for imports. */
  holdsBack(destination: Address, message?: Cell): boolean {
    const { imports } = this.#options;
    if (!imports) return false;
    const account = this.accounts.at(destination.hash);
    const isStored = account.isStored || account.transactions.length > 0;
    return imports.holdsBack(destination, { code: account.init?.code, message }, isStored);
  }

  /**
   * Runs an external message. Returns false if its account refuses it or the executor cannot run it. On a fork, deliveries
   * throw `LibrariesMissing`.
   */
  importExternal({
    root,
    destination,
    ignoresSignatures,
  }: Omit<ExternalMessage, "boc" | "fileHash">): boolean {
    const after = this.lastDelivered?.lt ?? 0n;
    const choices = { ignoreSignatures: ignoresSignatures || undefined };
    const transaction = undefinedIfUnrunnable(() => this.#run(root, destination, after, choices));
    if (!transaction) return false;
    const msg = CellOf.in(Message, root);
    this.#inMsgs.push([root.hash(), { kind: "ext", msg, transaction }]);
    return true;
  }

  /** Delivers a message from a queue. `own`: the queue is this chain's, so the message is also dequeued. */
  importQueued({ key, envelope, lt, hash }: QueueEntry, own: boolean): void {
    const inMsg = this.#importFinal(envelope);
    this.#delivered(lt, hash);
    if (!own) return;
    this.#outMsgs.push([hash, { kind: "deqImm", outMsg: envelope, reimport: CellOf.of(InMsg, inMsg) }]);
    this.#remove(key);
  }

  /** Delivers a message without a sending transaction. Its value counts as imported. */
  importInjected(message: CellOf<Message>): Delivery {
    this.#importFinal(envelopeOf(message, arrived, 0n));
    return itemAt(this.deliveries, -1);
  }

  /** Delivers a message made by the block itself, to recover fees or to mint. Returns its record. */
  importSpecial(message: CellOf<Message>): CellOf<InMsg> {
    // A block that cannot be made without an answer of the origin would stop the chain.
    return this.#importImmediate(message, 0n, { needsLibraries: false }).inMsg;
  }

  /** Delivers a message sent in this block without queueing it. */
  deliver({ lt, message, info, sender }: NewMessage): void {
    const hash = message.cell.hash();
    const { envelope, inMsg } = this.#importImmediate(message, info.fwdFee);
    this.#delivered(lt, hash);
    this.#outMsgs.push([hash, { kind: "imm", outMsg: envelope, transaction: sender, reimport: inMsg }]);
  }

  /** Queues a message sent in this block. */
  enqueue({ lt, message, info, sender }: NewMessage): void {
    const destination = destinationOf(info);
    this.#options.imports?.expects(destination, message.cell);
    const hash = message.cell.hash();
    const from = destination.workchain === this.#options.workchain ? arrived : departing;
    const envelope = envelopeOf(message, from, info.fwdFee);
    this.#outMsgs.push([hash, { kind: "new", outMsg: envelope, transaction: sender }]);
    this.queue = this.queue.set(queueKey(destination, hash), { enqueuedLt: lt, outMsg: envelope });
    this.queueSize++;
  }

  /** Removes a message that its destination chain has imported in a block with end lt `importLt`. */
  dequeue({ key, envelope }: QueueEntry, importLt: bigint): void {
    this.#outMsgs.push([
      key.hash,
      this.#options.shortDequeue
        ? {
            kind: "deqShort",
            msgEnvHash: envelope.cell.hash(),
            nextWorkchain: key.workchain,
            nextAddrPfx: key.prefix,
            importBlockLt: importLt,
          }
        : { kind: "deq", outMsg: envelope, importBlockLt: importLt },
    ]);
    this.#remove(key);
  }

  /** Runs the tick or tock transaction of a special account, if it has one. */
  tickTock(id: Uint8Array, which: "tick" | "tock"): void {
    const account = this.accounts.at(id);
    const state = account.now.account.value?.storage.state;
    if (state?.kind !== "active" || !state.init.special?.[which]) return;
    const { executor, environment, startLt } = this.#options;
    const lt = latest(which === "tick" ? startLt + 1n : this.maxLt, account.nextLt);
    const result = executor.runTickTock({ shardAccount: account.cell, lt, which, ...environment });
    if (result.outcome !== "done") throw new Error(`a ${which} transaction failed: ${result.reason}`);
    this.#commit(account, CellOf.in(Transaction, result.transaction), result.shardAccount);
  }

  #importFinal(envelope: CellOf<MsgEnvelope>): InMsg {
    const { msg, fwdFeeRemaining } = envelope.value;
    const transaction = this.#runInternal(msg, envelopedInfo(envelope.value));
    const inMsg: InMsg = { kind: "fin", inMsg: envelope, transaction, fwdFee: fwdFeeRemaining };
    this.#inMsgs.push([msg.cell.hash(), inMsg]);
    return inMsg;
  }

  #importImmediate(message: CellOf<Message>, fwdFee: bigint, choices?: RunChoices) {
    const envelope = envelopeOf(message, arrived, fwdFee);
    const transaction = this.#runInternal(message, envelopedInfo(envelope.value), choices);
    const record: InMsg = { kind: "imm", inMsg: envelope, transaction, fwdFee };
    this.#inMsgs.push([message.cell.hash(), record]);
    return { envelope, inMsg: CellOf.of(InMsg, record) };
  }

  #runInternal(message: CellOf<Message>, info: InternalInfo, choices?: RunChoices): CellOf<Transaction> {
    const transaction = this.#run(message.cell, destinationOf(info), info.createdLt, choices);
    if (!transaction) throw new Error(`the executor refused the internal message ${message.cell.hashHex()}`);
    return transaction;
  }

  /** Runs a message; the transaction's lt is greater than `after`. Undefined if the account or executor refuses. */
  #run(
    message: Cell,
    destination: Address,
    after: bigint,
    { ignoreSignatures, needsLibraries = true }: RunChoices = {},
  ): CellOf<Transaction> | undefined {
    const account = this.accounts.at(destination.hash);
    const { executor, environment, startLt, imports } = this.#options;
    const lt = latest(startLt + 1n, after + 1n, account.nextLt);
    const request = { shardAccount: account.cell, message, lt, ...environment, ignoreSignatures };
    const result = executor.runTransaction(request);
    const transaction = result.outcome === "done" ? CellOf.in(Transaction, result.transaction) : undefined;
    // The code may have loaded libraries that the data or the message names.
    if (imports && needsLibraries && hasFailed(result, transaction)) {
      const cells = [message, account.init?.code, account.init?.data].filter((cell) => cell !== undefined);
      if (imports.lacks(destination, cells)) throw new LibrariesMissing(destination);
    }
    if (result.outcome !== "done" || !transaction) return undefined;
    this.#commit(account, transaction, result.shardAccount);
    this.deliveries.push({ message, destination, transaction });
    return transaction;
  }

  #commit(account: TouchedAccount, transaction: CellOf<Transaction>, shardAccount: Cell): void {
    account.ran(transaction, shardAccount);
    this.transactionCount++;
    this.maxLt = latest(this.maxLt, account.nextLt);
    const { outMsgCount, messages } = transaction.value;
    if (outMsgCount > 0) for (const sent of messages.value.outMsgs.values()) this.#sent(sent, transaction);
  }

  #sent(message: CellOf<Message>, sender: CellOf<Transaction>): void {
    const { info } = message.value;
    if (info.kind === "internal") this.newMessages.push({ lt: info.createdLt, message, info, sender });
    else this.#outMsgs.push([message.cell.hash(), { kind: "ext", msg: message, transaction: sender }]);
  }

  #delivered(lt: bigint, hash: Uint8Array): void {
    this.lastDelivered = { lt, hash };
  }

  #remove(key: QueueEntry["key"]): void {
    this.queue = this.queue.delete(key);
    this.queueSize--;
  }
}

function hasFailed({ outcome }: TransactionResult, transaction: CellOf<Transaction> | undefined): boolean {
  const description = transaction?.value.description.value;
  if (!description) return outcome === "refused";
  const computed = "computePh" in description ? description.computePh : undefined;
  return computed?.kind === "vm" && !computed.success;
}

function latest(...lts: bigint[]): bigint {
  let last = 0n;
  for (const lt of lts) if (lt > last) last = lt;
  return last;
}

function undefinedIfUnrunnable<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof ExecutorError) return undefined;
    throw error;
  }
}

function envelopeOf(message: CellOf<Message>, from: number, fwdFeeRemaining: bigint): CellOf<MsgEnvelope> {
  return CellOf.of(MsgEnvelope, {
    kind: "v1",
    curAddr: { kind: "regular", useDestBits: from },
    nextAddr: { kind: "regular", useDestBits: arrived },
    fwdFeeRemaining,
    msg: message,
  });
}

/** Destination account of an internal message. The executor rejects other addresses. */
export function destinationOf(info: InternalInfo): Address {
  const account = accountOf(info.dest);
  if (!account) throw new Error("the destination of an internal message cannot be an account");
  return account;
}
