import { LRUCache } from "lru-cache";
import type { Address } from "../../../values/address.js";
import { parseBocRoot } from "../../cells/boc/boc.js";
import { accountIdOf } from "../../lite/account-id.js";
import type { AccountId, LiteCall } from "../../lite/lite-api.js";
import { Account } from "../../tlb/account.js";
import { CellOf } from "../../tlb/cell-of.js";
import type { ShardAccount } from "../../tlb/shard-account.js";
import { type AccountSnapshot, changedAccount } from "./account.js";

/** An account of a forked network. Plain data. */
export type ForkedAccount = {
  /** A bag of cells with the TL-B form `Account`. */
  account: Uint8Array;
  lastTransHash: Uint8Array;
  lastTransLt: bigint;
};

/** The accounts of a network as of the block at which a devnet forks it. */
export interface ForkedAccounts {
  /** Undefined if it did not exist. */
  account(account: AccountId, call?: LiteCall): Promise<ForkedAccount | undefined>;
}

/** Size of a cached account in addition to its cells. */
const ownBytes = 2000;
const cacheBytes = 16 * 1024 * 1024;

type Entry = { found: ShardAccount | undefined; bytes: number };

/** Accounts that a fork has not changed. They are the same at all its blocks. */
export class OutsideAccounts {
  readonly #network: ForkedAccounts;
  readonly #known = new LRUCache<string, Entry>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });

  constructor(network: ForkedAccounts) {
    this.#network = network;
  }

  /** The account itself, or that of the forked network if the chain has no entry of it. */
  async complete(snapshot: AccountSnapshot, call?: LiteCall): Promise<AccountSnapshot> {
    // A destroyed account has a last transaction.
    if (snapshot.account || snapshot.lastTransaction.lt > 0n || !snapshot.shardBlock) return snapshot;
    const found = await this.#find(snapshot.address, call);
    return found ? changedAccount(snapshot, found) : snapshot;
  }

  /** Call after a revert: the fork may have begun anew at another block. */
  forget(): void {
    this.#known.clear();
  }

  async #find(address: Address, call?: LiteCall): Promise<ShardAccount | undefined> {
    const key = address.toRaw();
    const known = this.#known.get(key);
    if (known) return known.found;
    const answer = await this.#network.account(accountIdOf(address), call);
    const found = answer && { ...answer, account: CellOf.in(Account, parseBocRoot(answer.account)) };
    this.#known.set(key, { found, bytes: ownBytes + (answer?.account.length ?? 0) });
    return found;
  }
}
