import type { Cell } from "../../../shared/ton/cells/cell.js";
import { shardAccountOf } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { Account } from "../../../shared/ton/tlb/account.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { ExecutorError } from "../executor/executor-error.js";
import type { ExecutorThreads } from "../executor/threads/executor-threads.js";

/** A transaction of an account that received a message, and the hash of the account's state after it. */
type ReplayedTransaction = {
  message: Cell;
  lt: bigint;
  now: number;
  /** The random seed of the transaction's block. */
  randSeed: Uint8Array;
  stateHash: Uint8Array;
};

type ReplayParts = {
  reader: Pick<ChainReader, "account" | "config" | "previousBlocks">;
  executor: Pick<ExecutorThreads, "runTransaction">;
};

/** Long, because a run waits for others of its batch. */
const deadlineMs = 600_000;

/** Runs transactions of an account again, to learn its states between them. */
export class TransactionReplay {
  readonly #parts: ReplayParts;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
  }

  /**
   * The account states after the transactions that follow a masterchain block. `undefined` if a result differs from the
   * actual one, because the network had other rules.
   */
  async statesAfter(
    block: BlockIdExt,
    address: Address,
    transactions: readonly ReplayedTransaction[],
  ): Promise<Account[] | undefined> {
    const { reader, executor } = this.#parts;
    const [snapshot, config, previousBlocks] = await Promise.all([
      reader.account(block, address),
      reader.config(block),
      reader.previousBlocks(block),
    ]);
    const subject = snapshot.code?.hashHex();
    let shardAccount = encode(ShardAccount, shardAccountOf(snapshot));
    const states: Account[] = [];
    for (const { stateHash, ...run } of transactions) {
      const request = { ...run, config: config.root, previousBlocks, shardAccount };
      const result = await executor
        .runTransaction(request, { deadlineMs, lane: "index", subject })
        .catch(ignoreRefusal);
      if (result?.outcome !== "done") return undefined;
      const { account } = decode(ShardAccount, result.shardAccount);
      if (!bytesEqual(account.cell.hash(), stateHash)) return undefined;
      states.push(account.value);
      shardAccount = result.shardAccount;
    }
    return states;
  }
}

/** Skip transactions that the executor failed to run. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ExecutorError) return undefined;
  throw error;
}
