import type { Address } from "../../../shared/values/address.js";
import type { Cell } from "../../cells/cell.js";
import { Account } from "../../tlb/account.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { CellOf } from "../../tlb/cell-of.js";
import { decode, encode } from "../../tlb/codec.js";
import { Message } from "../../tlb/message.js";
import { accountOf } from "../../tlb/msg-address.js";
import { ShardAccount } from "../../tlb/shard-account.js";
import { Transaction } from "../../tlb/transaction.js";
import type { ExecutorPool } from "../executor/pool.js";
import type { LiteCall } from "../lite-api.js";
import type { AccountSnapshot } from "../read/account.js";
import type { ChainReader } from "../read/reader.js";
import { findReceiver } from "../read/receiver.js";
import type { CodeLibraries } from "./code-libraries.js";

/** An emulated or actual transaction, with the account before and after it if known. */
export type ExpectedTransaction = {
  address: Address;
  transaction: CellOf<Transaction>;
  before: CellOf<Account> | undefined;
  after: CellOf<Account> | undefined;
  /** Its block; absent if the transaction is emulated. */
  block: BlockIdExt | undefined;
};

/** Actual and emulated transactions that follow an external message. */
export type ExpectedTrace = {
  /** Senders come before receivers. */
  transactions: ExpectedTransaction[];
  /** Messages that were not followed: beyond the limits, or without effect on an account. */
  unfollowed: number;
  /** Up to this logical time the receiver has not processed the external message. */
  waitsSinceLt: bigint;
};

const limits = { depth: 32, transactions: 256 } as const;
/** Constant, so that equal requests give equal answers; must not be zero. */
const seed = new Uint8Array(32).fill(1);

type EmulatorParts = {
  reader: Pick<ChainReader, "last" | "account" | "config" | "previousBlocks" | "transactions" | "lookup">;
  pool: Pick<ExecutorPool, "runTransaction">;
  libraries: CodeLibraries;
};

/** `sinceLt`: the message may have been received after this lt; absent if it cannot have been received yet. */
type Delivery = { message: CellOf<Message>; depth: number; sinceLt: bigint | undefined };
type EmulatedAccount = { snapshot: AccountSnapshot; shardAccount: Cell };

/**
 * Follows an external message: transactions up to the last block are read, further ones are emulated on a copy of that
 * block's state. Limits: depth 32, 256 transactions.
 */
export class TraceEmulator {
  readonly #parts: EmulatorParts;

  constructor(parts: EmulatorParts) {
    this.#parts = parts;
  }

  /** `sinceLt`: up to this logical time the receiver is known not to have processed the message. */
  async emulate(external: Cell, sinceLt: bigint, call: LiteCall): Promise<ExpectedTrace> {
    const run = await TraceRun.start(this.#parts, call);
    return run.follow(CellOf.in(Message, external), sinceLt);
  }
}

type ChainContext = Awaited<ReturnType<typeof readContext>>;
type RunSetting = { parts: EmulatorParts; call: LiteCall; block: BlockIdExt; context: ChainContext };

/** One emulation, with the accounts as changed by its transactions. */
class TraceRun {
  readonly #parts: EmulatorParts;
  readonly #call: LiteCall;
  readonly #block: BlockIdExt;
  readonly #context: ChainContext;
  readonly #accounts = new Map<string, EmulatedAccount>();

  private constructor({ parts, call, block, context }: RunSetting) {
    this.#parts = parts;
    this.#call = call;
    this.#block = block;
    this.#context = context;
  }

  static async start(parts: EmulatorParts, call: LiteCall): Promise<TraceRun> {
    const block = parts.reader.last;
    return new TraceRun({ parts, call, block, context: await readContext(parts.reader, block) });
  }

  async follow(external: CellOf<Message>, sinceLt: bigint): Promise<ExpectedTrace> {
    const transactions: ExpectedTransaction[] = [];
    const queue: Delivery[] = [{ message: external, depth: 0, sinceLt }];
    let unfollowed = 0;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const isBeyond = next.depth >= limits.depth || transactions.length >= limits.transactions;
      const expected = isBeyond ? undefined : await this.#deliver(next);
      if (!expected) {
        unfollowed++;
        continue;
      }
      transactions.push(expected);
      for (const message of expected.transaction.value.messages.value.outMsgs.values()) {
        const { info } = message.value;
        if (info.kind !== "internal") continue;
        // A message that is not sent yet cannot have been received.
        queue.push({ message, depth: next.depth + 1, sinceLt: expected.block && info.createdLt });
      }
    }
    return {
      transactions,
      unfollowed,
      waitsSinceLt: await this.#waitsSince(external, sinceLt, transactions[0]),
    };
  }

  async #waitsSince(
    { value }: CellOf<Message>,
    sinceLt: bigint,
    first: ExpectedTransaction | undefined,
  ): Promise<bigint> {
    const address = receiverOf(value);
    if (!address || first?.block) return sinceLt;
    return (await this.#parts.reader.account(this.#block, address, this.#call)).lastTransaction.lt;
  }

  /** Undefined if the message causes no transaction. */
  async #deliver({ message: { cell, value }, sinceLt }: Delivery): Promise<ExpectedTransaction | undefined> {
    const address = receiverOf(value);
    if (!address) return undefined;
    const happened = sinceLt === undefined ? undefined : await this.#happened(address, cell, sinceLt);
    return happened ?? this.#emulate(address, cell);
  }

  async #happened(
    address: Address,
    message: Cell,
    sinceLt: bigint,
  ): Promise<ExpectedTransaction | undefined> {
    const { reader } = this.#parts;
    const search = { block: this.#block, address, messageHash: message.hash(), sinceLt };
    const found = await findReceiver(reader, search, this.#call);
    if (!found) return undefined;
    const { cell, lastTransaction } = await reader.account(this.#block, address, this.#call);
    const isLast = lastTransaction.lt === found.transaction.lt;
    return {
      address,
      transaction: CellOf.in(Transaction, found.cell),
      before: undefined,
      after: isLast && cell ? CellOf.in(Account, cell) : undefined,
      block: found.block,
    };
  }

  async #emulate(address: Address, message: Cell): Promise<ExpectedTransaction | undefined> {
    const account = await this.#accountAt(address);
    const { snapshot, shardAccount } = account;
    const request = {
      ...this.#context,
      libraries: await this.#parts.libraries.of(snapshot, this.#call),
      now: snapshot.syncUtime,
      shardAccount,
      message,
      lt: snapshot.lastTransaction.lt + 1n,
    };
    const result = await this.#parts.pool.runTransaction(request, this.#call);
    if (result.outcome !== "done") return undefined;
    this.#accounts.set(address.toRaw(), { snapshot, shardAccount: result.shardAccount });
    return {
      address,
      transaction: CellOf.in(Transaction, result.transaction),
      before: decode(ShardAccount, shardAccount).account,
      after: decode(ShardAccount, result.shardAccount).account,
      block: undefined,
    };
  }

  async #accountAt(address: Address): Promise<EmulatedAccount> {
    const known = this.#accounts.get(address.toRaw());
    if (known) return known;
    const snapshot = await this.#parts.reader.account(this.#block, address, this.#call);
    const { cell, lastTransaction } = snapshot;
    const shardAccount = encode(ShardAccount, {
      account: cell ? CellOf.in(Account, cell) : CellOf.of(Account, undefined),
      lastTransHash: lastTransaction.hash,
      lastTransLt: lastTransaction.lt,
    });
    return { snapshot, shardAccount };
  }
}

function receiverOf({ info }: Message): Address | undefined {
  return info.kind === "externalOut" ? undefined : accountOf(info.dest);
}

async function readContext(reader: EmulatorParts["reader"], block: BlockIdExt) {
  const [{ root }, previousBlocks] = await Promise.all([reader.config(block), reader.previousBlocks(block)]);
  return { config: root, previousBlocks, randSeed: seed };
}
