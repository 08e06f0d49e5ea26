import type { Address } from "../../shared/values/address.js";
import type { Cell } from "../cells/cell.js";
import type { BlockIdExt } from "./block-id.js";
import type { CodeLibraries } from "./code-libraries.js";
import type { ExecutorPool } from "./executor/pool.js";
import { answerOf } from "./executor-failure.js";
import type { LiteCall } from "./lite-api.js";
import type { AccountSnapshot } from "./read/account.js";
import type { ChainReader } from "./reader.js";
import { Account } from "./tlb/account.js";
import { CellOf } from "./tlb/cell-of.js";
import { decode, encode } from "./tlb/codec.js";
import { Message } from "./tlb/message.js";
import { accountOf } from "./tlb/msg-address.js";
import { ShardAccount } from "./tlb/shard-account.js";
import { Transaction } from "./tlb/transaction.js";

/** A transaction that would happen, with the account before and after it. */
export type ExpectedTransaction = {
  address: Address;
  transaction: CellOf<Transaction>;
  before: CellOf<Account>;
  after: CellOf<Account>;
};

export type ExpectedTrace = {
  /** Senders come before receivers. */
  transactions: ExpectedTransaction[];
  /** Messages that would be sent, but were not followed. */
  unfollowed: number;
};

const limits = { depth: 32, transactions: 256 } as const;
/** The executor wants one that is not zero; equal questions have equal answers. */
const seed = new Uint8Array(32).fill(1);

type EmulatorParts = {
  reader: Pick<ChainReader, "last" | "account" | "config" | "previousBlocks">;
  pool: Pick<ExecutorPool, "runTransaction">;
  libraries: CodeLibraries;
};

type Delivery = { message: CellOf<Message>; depth: number };
type Standing = { snapshot: AccountSnapshot; shardAccount: Cell };

/** What would follow from an external message if it came next, on a copy of the last block's state. */
export class TraceEmulator {
  readonly #parts: EmulatorParts;

  constructor(parts: EmulatorParts) {
    this.#parts = parts;
  }

  async emulate(external: Cell, call: LiteCall): Promise<ExpectedTrace> {
    const run = await TraceRun.start(this.#parts, call);
    return run.follow(CellOf.in(Message, external));
  }
}

type Surroundings = Awaited<ReturnType<typeof surroundingsOf>>;
type RunSetting = { parts: EmulatorParts; call: LiteCall; block: BlockIdExt; surroundings: Surroundings };

/** One trace, with the accounts as its transactions have left them. */
class TraceRun {
  readonly #parts: EmulatorParts;
  readonly #call: LiteCall;
  readonly #block: BlockIdExt;
  readonly #surroundings: Surroundings;
  readonly #standings = new Map<string, Standing>();

  private constructor({ parts, call, block, surroundings }: RunSetting) {
    this.#parts = parts;
    this.#call = call;
    this.#block = block;
    this.#surroundings = surroundings;
  }

  static async start(parts: EmulatorParts, call: LiteCall): Promise<TraceRun> {
    const block = parts.reader.last;
    return new TraceRun({ parts, call, block, surroundings: await surroundingsOf(parts.reader, block) });
  }

  async follow(external: CellOf<Message>): Promise<ExpectedTrace> {
    const transactions: ExpectedTransaction[] = [];
    const queue: Delivery[] = [{ message: external, depth: 0 }];
    let unfollowed = 0;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const isBeyond = next.depth >= limits.depth || transactions.length >= limits.transactions;
      const expected = isBeyond ? undefined : await this.#deliver(next.message);
      if (!expected) {
        unfollowed++;
        continue;
      }
      transactions.push(expected);
      for (const message of expected.transaction.value.messages.value.outMsgs.values())
        if (message.value.info.kind === "internal") queue.push({ message, depth: next.depth + 1 });
    }
    return { transactions, unfollowed };
  }

  /** `undefined` when no transaction would come of it. */
  async #deliver({ cell, value }: CellOf<Message>): Promise<ExpectedTransaction | undefined> {
    const { info } = value;
    const address = info.kind === "externalOut" ? undefined : accountOf(info.dest);
    if (!address) return undefined;
    const standing = await this.#standingOf(address);
    const { snapshot, shardAccount } = standing;
    const request = {
      ...this.#surroundings,
      libraries: await this.#parts.libraries.of(snapshot, this.#call),
      now: snapshot.syncUtime,
      shardAccount,
      message: cell,
      lt: snapshot.lastTransaction.lt + 1n,
    };
    const result = await answerOf(this.#parts.pool.runTransaction(request, { signal: this.#call.signal }));
    if (result.outcome !== "done") return undefined;
    this.#standings.set(address.toRaw(), { snapshot, shardAccount: result.shardAccount });
    return {
      address,
      transaction: CellOf.in(Transaction, result.transaction),
      before: decode(ShardAccount, shardAccount).account,
      after: decode(ShardAccount, result.shardAccount).account,
    };
  }

  async #standingOf(address: Address): Promise<Standing> {
    const known = this.#standings.get(address.toRaw());
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

async function surroundingsOf(reader: EmulatorParts["reader"], block: BlockIdExt) {
  const [{ root }, previousBlocks] = await Promise.all([reader.config(block), reader.previousBlocks(block)]);
  return { config: root, previousBlocks, randSeed: seed };
}
