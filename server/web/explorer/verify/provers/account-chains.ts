import type { Exchange } from "../../../../../shared/ton/lite/exchange.js";
import { keepExchanges } from "../../../../../shared/ton/lite/keep-exchanges.js";
import type { LiteCall } from "../../../../../shared/ton/lite/lite-api.js";
import type { AccountSnapshot, TransactionRef } from "../../../../../shared/ton/proofs/read/account.js";
import {
  type FoundTransaction,
  readTransactions,
} from "../../../../../shared/ton/proofs/read/transactions.js";
import type { Address } from "../../../../../shared/values/address.js";
import { RecentMap } from "../../../../../shared/values/recent-map.js";
import type { Chain } from "../session.js";

/** Transactions back from a proven state of an account: each names the one before it by its hash. */
type Walked = {
  readonly chain: Chain;
  readonly account: AccountSnapshot;
  readonly found: Map<bigint, FoundTransaction>;
  next: TransactionRef;
  /** The answers that prove it. */
  readonly exchanges: Exchange[];
};

type Chained = {
  /** The state from which the chain leads back. */
  readonly account: AccountSnapshot;
  readonly transaction: FoundTransaction;
  /** Transactions from the state to this one. */
  readonly length: number;
  readonly exchanges: readonly Exchange[];
};

/** Transactions of one account that are read; one behind them is proven by its block. */
const longest = 400;
const perPage = 16;
const accountsKept = 4;

/** The chains of transactions that were read. */
export class AccountChains {
  readonly #walked = new RecentMap<string, Walked>(accountsKept);
  /** Settles with the walk of each account: a later walk goes on where it ended. */
  readonly #turns = new RecentMap<string, Promise<unknown>>(accountsKept);

  /** `"deep"` if the transaction is too far back, undefined if the chain does not have it. */
  find(chain: Chain, address: Address, lt: bigint, call: LiteCall): Promise<Chained | "deep" | undefined> {
    const key = address.toRaw();
    const walk = () => this.#find(chain, address, lt, call);
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(walk, walk);
    this.#turns.set(key, turn);
    return turn;
  }

  clear(): void {
    this.#walked.clear();
  }

  async #find(
    chain: Chain,
    address: Address,
    lt: bigint,
    call: LiteCall,
  ): Promise<Chained | "deep" | undefined> {
    const { reads } = chain;
    const key = address.toRaw();
    const kept = this.#walked.get(key);
    const isNew = !kept || kept.chain !== chain || kept.account.lastTransaction.lt < lt;
    const exchanges = isNew ? [] : kept.exchanges;
    const own = keepExchanges(call, exchanges);
    let walked = kept;
    if (isNew || !walked) {
      const account = await reads.account(address, undefined, own);
      walked = { chain, account, found: new Map(), next: account.lastTransaction, exchanges };
      this.#walked.set(key, walked);
    }
    const { account, found } = walked;
    while (!found.has(lt) && walked.next.lt >= lt && walked.next.lt > 0n) {
      if (found.size >= longest) return "deep";
      const query = { address, from: walked.next, limit: perPage, toLt: 0n };
      const page = await readTransactions(reads.lite, query, own);
      for (const each of page.transactions) found.set(each.transaction.lt, each);
      walked.next = page.previous;
      if (page.transactions.length === 0) break;
    }
    const transaction = found.get(lt);
    const length = [...found.keys()].indexOf(lt) + 1;
    return transaction && { account, transaction, length, exchanges };
  }
}
