import type { CallOptions } from "../call-options.js";
import type { Caller } from "../caller.js";
import { isMissingMethod, isRpcError } from "../errors.js";
import { readBag } from "../values/bag-of-cells.js";
import {
  type ExternalMessage,
  messageOfTransaction,
  readExternalMessage,
  sameContent,
} from "./external-message.js";
import type { FoundTransaction } from "./found-transaction.js";

/** Looks for the transaction of a message: in the index, or among the transactions of its receiver. */
export class TransactionFinder {
  readonly #client: Caller;
  readonly #message: ExternalMessage;
  readonly #callOptions: () => CallOptions;
  /** Key for the lookup in the index. Without it, or if the index fails, the receiver's transactions are searched. */
  #hashNorm: string | undefined;
  /** Chain time in seconds before which the transaction cannot have happened. */
  readonly #since: number;
  /** Logical time of the receiver's newest transaction already searched. */
  #seen = "0";

  constructor(
    client: Caller,
    message: ExternalMessage,
    hashNorm: string | undefined,
    since: number,
    callOptions: () => CallOptions,
  ) {
    this.#client = client;
    this.#message = message;
    this.#hashNorm = hashNorm;
    this.#since = since;
    this.#callOptions = callOptions;
  }

  async find(): Promise<FoundTransaction | undefined> {
    try {
      if (this.#hashNorm !== undefined) return await this.#inIndex(this.#hashNorm);
    } catch (error) {
      if (isMissingMethod(error)) this.#hashNorm = undefined;
      else if (!isRpcError(error) || !error.retryable) throw error;
    }
    return this.#amongTransactions();
  }

  async #inIndex(hashNorm: string): Promise<FoundTransaction | undefined> {
    const params = { msg_hash: hashNorm, direction: "in", limit: 1 };
    const page = await this.#client.call("v3.transactionsByMessage" as string, params, this.#callOptions());
    const [transaction] = (page as { transactions?: never[] }).transactions ?? [];
    return transaction && { from: "v3", transaction };
  }

  /** Searches from the receiver's newest transaction back to the newest one of the previous search. */
  async #amongTransactions(): Promise<FoundTransaction | undefined> {
    let newest = this.#seen;
    let from: Row["transaction_id"] | undefined;
    for (let page = 0; page < maxPages; page++) {
      const list = await this.#page(from);
      const transaction = list.find((row) => this.#isOurs(row));
      if (transaction) return { from: "v2", transaction: transaction as never };
      if (!from && list[0]) newest = list[0].transaction_id.lt;
      const last = list.at(-1);
      if (!last || list.length < pageLimit || last.utime < this.#since) break;
      from = last.transaction_id;
    }
    this.#seen = newest;
    return undefined;
  }

  /** A page includes the transaction that it continues from. */
  async #page(from: Row["transaction_id"] | undefined): Promise<readonly Row[]> {
    const { lt, hash } = from ?? {};
    const address = this.#message.destination.toFriendly();
    const params = { address, limit: pageLimit, lt, hash, to_lt: this.#seen };
    const list = await this.#client.call("getTransactions" as string, params, this.#callOptions());
    return list as readonly Row[];
  }

  #isOurs({ data }: Row): boolean {
    const cell = messageOfTransaction(readBag(data));
    const message = cell && readExternalMessage(cell);
    return message !== undefined && sameContent(message.body, this.#message.body);
  }
}

/** The fields of a v2 transaction used here. */
type Row = {
  readonly data: string;
  readonly utime: number;
  readonly transaction_id: { readonly lt: string; readonly hash: string };
};

const pageLimit = 20;
/** Pages per search: no wallet has more transactions in that time. */
const maxPages = 50;
