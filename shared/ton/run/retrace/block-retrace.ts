import type { Address } from "../../../values/address.js";
import { bytesEqual } from "../../../values/bytes.js";
import { itemAt } from "../../../values/lookups.js";
import type { Cell } from "../../cells/cell.js";
import type { LiteCall } from "../../lite/lite-api.js";
import { isNotFound } from "../../lite/not-found.js";
import { shardAccountOf } from "../../proofs/read/account.js";
import { placeOf } from "../../proofs/read/locate-transaction.js";
import type { FoundTransaction } from "../../proofs/read/transactions.js";
import { Account } from "../../tlb/account.js";
import { type BlockIdExt, sameBlock } from "../../tlb/block-id.js";
import { CellOf } from "../../tlb/cell-of.js";
import { decode, encode } from "../../tlb/codec.js";
import { ShardAccount } from "../../tlb/shard-account.js";
import { Transaction } from "../../tlb/transaction.js";
import type { RunCall, RunsAccounts, TransactionResult } from "../account-request.js";
import type { LogDetail } from "../method-request.js";
import { type BlockInputs, type RetraceReads, readInputs } from "./block-inputs.js";
import { RetraceError } from "./retrace-error.js";

/**
 * How equal a run is to the chain's transaction:
 * - `exact`: the transaction's cell has the same hash, so state, fees, messages and gas are equal too.
 * - `state`: only the account's state after it is the same.
 * - `different`: neither is.
 */
export type ProofLevel = "exact" | "state" | "different";

type Done = TransactionResult & { outcome: "done" };

/** A transaction of the chain and its run. */
export type RepeatedTransaction = {
  found: FoundTransaction;
  level: ProofLevel;
  /** Undefined if the executor could not run it, which is `different`. */
  result: Done | undefined;
  /** The account before it, as ShardAccount. */
  before: Cell;
};

/** An account's transactions in a block, run up to one of them. */
export type RetracedBlock = {
  inputs: BlockInputs;
  /** The lowest level of all runs that lead to the last one. */
  level: ProofLevel;
  transactions: readonly RepeatedTransaction[];
  /** The earlier transactions that had to be run, because no server has the state before the block. */
  fromBirth: number;
};

export type RetraceOptions = RunCall & {
  /** Detail of the log of the last transaction. Default: none. */
  log?: LogDetail;
  /** Whether to go on where a run ends in another state. */
  force?: boolean;
};

type RetraceParts = {
  reader: RetraceReads;
  executor: RunsAccounts;
  /** Whether an error says that the executor cannot run the transaction. Others end the retrace. */
  isRefusal: (error: unknown) => boolean;
};

type Place = { block: BlockIdExt; address: Address };
type Run = { inputs: BlockInputs; before: Cell; log: LogDetail | undefined };

/** Retries of a run, each with one more library. */
const maxRetries = 16;
/** Transactions that are run from an account's first one where no server has a state. */
const maxFromBirth = 100;

const noAccount = encode(ShardAccount, {
  account: CellOf.of(Account, undefined),
  lastTransHash: new Uint8Array(32),
  lastTransLt: 0n,
});

/**
 * Runs transactions of the chain again, and compares them. The runs of a block begin at the account's state after the block of
 * its shard before, and see the configuration, the libraries and the earlier blocks of the masterchain block that it refers to.
 */
export class BlockRetrace {
  readonly #reader: RetraceReads;
  readonly #executor: RunsAccounts;
  readonly #isRefusal: RetraceParts["isRefusal"];

  constructor({ reader, executor, isRefusal }: RetraceParts) {
    this.#reader = reader;
    this.#executor = executor;
    this.#isRefusal = isRefusal;
  }

  /** The block that has a transaction, if there is one. Throws a RetraceError if there is no block. */
  async find({ address, lt }: { address: Address; lt: bigint }, call: LiteCall): Promise<BlockIdExt> {
    try {
      return await this.#reader.lookup({ ...placeOf(address), lt }, call);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw new RetraceError("absent", "there is no such block", error);
    }
  }

  /** Runs the account's transactions in a block up to one, by default all. Throws a RetraceError. */
  async block(
    { block, address, lt }: Place & { lt?: bigint | undefined },
    options: RetraceOptions = {},
  ): Promise<RetracedBlock> {
    const inputs = await this.#inputs({ block, address }, options);
    const last =
      lt === undefined ? -1 : inputs.transactions.findIndex(({ transaction }) => transaction.lt === lt);
    const wanted = lt === undefined ? inputs.transactions : inputs.transactions.slice(0, last + 1);
    if (wanted.length === 0) throw new RetraceError("absent", "the block has no such transaction");
    wanted.forEach(checkKind);
    const { before, fromBirth } = await this.#stateBefore(inputs, address, options);
    const transactions = await this.#runAll(wanted, inputs, before, options);
    return { inputs, transactions, fromBirth, level: lowest(transactions) };
  }

  #inputs(place: Place, { signal }: RetraceOptions): Promise<BlockInputs> {
    return readInputs(this.#reader, place, { signal });
  }

  async #stateBefore(
    inputs: BlockInputs,
    address: Address,
    options: RetraceOptions,
  ): Promise<{ before: Cell; fromBirth: number }> {
    try {
      const account = await this.#reader.account(inputs.before, address, { signal: options.signal });
      return { before: encode(ShardAccount, shardAccountOf(account)), fromBirth: 0 };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return this.#runFromBirth(itemAt(inputs.transactions, 0), address, { ...options, log: "none" }, error);
    }
  }

  /** The account's state by running all its earlier transactions, each of which must be exact. */
  async #runFromBirth(
    { transaction: first }: FoundTransaction,
    address: Address,
    options: RetraceOptions,
    cause: unknown,
  ): Promise<{ before: Cell; fromBirth: number }> {
    const unavailable = (why: string) =>
      new RetraceError(
        "state-unavailable",
        `no server has the account's state before the block, and ${why}`,
        cause,
      );
    const from = { lt: first.prevTransLt, hash: first.prevTransHash };
    const page = await this.#reader.transactions(
      { address, from, limit: maxFromBirth, toLt: 0n, archival: true },
      { signal: options.signal },
    );
    if (page.previous.lt > 0n) throw unavailable(`its first ${maxFromBirth} transactions do not lead to it`);
    const earliest = page.transactions.at(-1)?.transaction ?? first;
    if (earliest.origStatus !== "nonexist") throw unavailable("it existed before its first transaction");
    let before = noAccount;
    let runs = 0;
    for (const block of distinct(page.blocks)) {
      if (!block) throw unavailable("the block of an earlier transaction is not known");
      const inputs = await this.#inputs({ block, address }, options);
      inputs.transactions.forEach(checkKind);
      const done = await this.#runAll(inputs.transactions, inputs, before, options);
      const last = itemAt(done, -1);
      if (lowest(done) !== "exact" || !last.result)
        throw unavailable("an earlier transaction runs differently");
      before = last.result.shardAccount;
      runs += done.length;
    }
    return { before, fromBirth: runs };
  }

  async #runAll(
    transactions: readonly FoundTransaction[],
    inputs: BlockInputs,
    first: Cell,
    { log, force = false, ...options }: RetraceOptions,
  ): Promise<RepeatedTransaction[]> {
    const done: RepeatedTransaction[] = [];
    let before = first;
    for (const [index, found] of transactions.entries()) {
      const isLast = index === transactions.length - 1;
      const run = await this.#repeat(found, { inputs, before, log: isLast ? log : "none" }, options);
      done.push({ found, before, ...run });
      if (run.level === "different" && !force)
        throw new RetraceError("different", "the runs end in another state than the chain's");
      if (!run.result) break;
      before = run.level === "exact" ? run.result.shardAccount : after(found, run.result);
    }
    return done;
  }

  /** Runs a transaction, again with each library that it turns out to need. */
  async #repeat(
    found: FoundTransaction,
    run: Run,
    options: RunCall,
  ): Promise<Pick<RepeatedTransaction, "level" | "result">> {
    const { libraries } = run.inputs;
    await libraries.addOf(codesOf(found, run.before));
    for (let retries = 0; ; retries++) {
      const first = await this.#runOnce(found, run, options);
      if (first.level !== "different" || retries === maxRetries) return first;
      const { result } =
        run.log === "stack" ? first : await this.#runOnce(found, { ...run, log: "stack" }, options);
      if (!result || !(await libraries.addMissing(result.vmLog))) return first;
    }
  }

  async #runOnce(
    found: FoundTransaction,
    run: Run,
    options: RunCall,
  ): Promise<Pick<RepeatedTransaction, "level" | "result">> {
    const level = (result: Done | undefined) => ({ result, level: levelOf(found, result) });
    const first = level(await this.#execute(found, run, options, undefined));
    if (first.level === "exact" || !isExternal(found)) return first;
    // The chain does not tell whether a devnet was sent a message with its signatures ignored.
    const second = level(await this.#execute(found, run, options, true));
    return second.level === "exact" ? second : first;
  }

  async #execute(
    { transaction: { lt, now, messages, description } }: FoundTransaction,
    { inputs, before, log }: Run,
    options: RunCall,
    ignoreSignatures: true | undefined,
  ): Promise<Done | undefined> {
    const { config, previousBlocks, randSeed, libraries } = inputs;
    const request = {
      config: config.root,
      previousBlocks,
      randSeed,
      libraries: libraries.root,
      shardAccount: before,
      lt,
      now,
      log,
    };
    const kind = description.value;
    const running =
      kind.kind === "tickTock"
        ? this.#executor.runTickTock({ ...request, which: kind.isTock ? "tock" : "tick" }, options)
        : this.#executor.runTransaction(
            { ...request, message: messages.value.inMsg!.cell, ignoreSignatures },
            options,
          );
    // A transaction that the executor cannot run is a different one; that it did not come to its turn says nothing.
    const result = await running.catch((error: unknown) => {
      if (!this.#isRefusal(error)) throw error;
    });
    return result?.outcome === "done" ? result : undefined;
  }
}

function checkKind({ transaction: { description, messages } }: FoundTransaction): void {
  const { kind } = description.value;
  const isKnown = kind === "tickTock" || (kind === "ord" && messages.value.inMsg !== undefined);
  if (!isKnown) throw new RetraceError("unsupported", `transactions of the kind ${kind} cannot be run again`);
}

function isExternal({ transaction }: FoundTransaction): boolean {
  return transaction.messages.value.inMsg?.value.info.kind === "externalIn";
}

/** The codes that a transaction may run: the account's, and that of the message's init. */
function codesOf({ transaction }: FoundTransaction, before: Cell): Cell[] {
  const state = decode(ShardAccount, before).account.value?.storage.state;
  const own = state?.kind === "active" ? state.init.code : undefined;
  const brought = transaction.messages.value.inMsg?.value.init?.value.code;
  return [own, brought].filter((code) => code !== undefined);
}

function levelOf({ cell, transaction }: FoundTransaction, result: Done | undefined): ProofLevel {
  if (!result) return "different";
  if (result.transaction.equals(cell)) return "exact";
  const own = decode(Transaction, result.transaction).stateUpdate.value.newHash;
  return bytesEqual(own, transaction.stateUpdate.value.newHash) ? "state" : "different";
}

/** The account after a run, with the chain's transaction as its last one. */
function after({ cell, transaction: { lt } }: FoundTransaction, { shardAccount }: Done): Cell {
  const { account } = decode(ShardAccount, shardAccount);
  return encode(ShardAccount, { account, lastTransHash: cell.hash(), lastTransLt: lt });
}

const order: readonly ProofLevel[] = ["exact", "state", "different"];

function lowest(transactions: readonly RepeatedTransaction[]): ProofLevel {
  return itemAt(order, Math.max(...transactions.map(({ level }) => order.indexOf(level))));
}

/** Oldest first; each block once. */
function distinct(newestFirst: readonly (BlockIdExt | undefined)[]): (BlockIdExt | undefined)[] {
  return [...newestFirst]
    .reverse()
    .filter((block, at, all) => at === 0 || !block || !all[at - 1] || !sameBlock(block, all[at - 1]!));
}
