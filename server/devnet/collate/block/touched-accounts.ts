import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { shareUnchanged } from "../../../../shared/ton/cells/merkle/share-unchanged.js";
import { Account } from "../../../../shared/ton/tlb/account.js";
import {
  type AccountBlock,
  AccountTransactions,
  ShardAccountBlocks,
} from "../../../../shared/ton/tlb/account-block.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { HashUpdate } from "../../../../shared/ton/tlb/hash-update.js";
import { ShardAccount, type ShardAccounts } from "../../../../shared/ton/tlb/shard-account.js";
import type { StateInit } from "../../../../shared/ton/tlb/state-init.js";
import type { Transaction } from "../../../../shared/ton/tlb/transaction.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";

/** Placeholder for a nonexistent account. */
export const noAccount: ShardAccount = {
  account: CellOf.of(Account, undefined),
  lastTransHash: new Uint8Array(32),
  lastTransLt: 0n,
};

/** An account used in a block in progress. */
export class TouchedAccount {
  readonly id: Uint8Array;
  /** State before the block's transactions, after edits. */
  readonly before: ShardAccount;
  /** Whether the state has an entry of it, perhaps that of a destroyed account. */
  readonly isStored: boolean;
  readonly transactions: CellOf<Transaction>[] = [];
  /** Minimum lt of the next transaction; kept here because a deleted account's state lacks it. */
  nextLt = 0n;
  #now: CellOf<ShardAccount>;

  constructor(id: Uint8Array, stored: ShardAccount | undefined) {
    this.id = id;
    this.isStored = stored !== undefined;
    this.before = stored ?? noAccount;
    this.#now = CellOf.of(ShardAccount, this.before);
  }

  /** Current state as a cell, for the executor. */
  get cell(): Cell {
    return this.#now.cell;
  }

  get now(): ShardAccount {
    return this.#now.value;
  }

  /** The contract; undefined if there is none. */
  get init(): StateInit | undefined {
    const state = this.now.account.value?.storage.state;
    return state?.kind === "active" ? state.init : undefined;
  }

  /** Adds a transaction and the state after it. */
  ran(transaction: CellOf<Transaction>, shardAccount: Cell): void {
    const { lt, outMsgCount } = transaction.value;
    this.transactions.push(transaction);
    this.nextLt = lt + 1n + BigInt(outMsgCount);
    // Most of an account is its code, which is shared with the state before.
    this.#now = CellOf.in(ShardAccount, shareUnchanged(shardAccount, this.#now.cell));
  }
}

/** The accounts used in a block in progress. */
export class TouchedAccounts {
  readonly #accounts: ShardAccounts;
  readonly #keepsDestroyed: boolean;
  readonly #touched = new Map<string, TouchedAccount>();

  /** `keepsDestroyed`: a destroyed account leaves an empty entry, so that a fork does not import it again. */
  constructor(accounts: ShardAccounts, keepsDestroyed = false) {
    this.#accounts = accounts;
    this.#keepsDestroyed = keepsDestroyed;
  }

  /** The account with this id. Returns an empty one if it does not exist. */
  at(id: Uint8Array): TouchedAccount {
    const key = bytesToHex(id);
    const known = this.#touched.get(key);
    if (known) return known;
    const account = new TouchedAccount(id, this.#accounts.get(id));
    this.#touched.set(key, account);
    return account;
  }

  /** Accounts with transactions, in the order of their first use. */
  get changed(): TouchedAccount[] {
    return [...this.#touched.values()].filter(({ transactions }) => transactions.length > 0);
  }

  /** All accounts of the chain after the block. */
  combine(): ShardAccounts {
    return this.#accounts.update(
      this.changed.map(({ id, now }): [Uint8Array, ShardAccount | undefined] => [
        id,
        now.account.value || this.#keepsDestroyed ? now : undefined,
      ]),
    );
  }

  /** The transactions by account, as stored in the block. */
  blocks(): ShardAccountBlocks {
    return ShardAccountBlocks.empty.update(
      this.changed.map((account): [Uint8Array, AccountBlock] => [account.id, accountBlock(account)]),
    );
  }
}

function accountBlock({ id, before, now, transactions }: TouchedAccount): AccountBlock {
  return {
    accountAddr: id,
    transactions: AccountTransactions.empty.update(
      transactions.map((transaction): [bigint, CellOf<Transaction>] => [transaction.value.lt, transaction]),
    ),
    stateUpdate: CellOf.of(HashUpdate, {
      oldHash: before.account.cell.hash(),
      newHash: now.account.cell.hash(),
    }),
  };
}
