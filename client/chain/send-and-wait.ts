import type { PlainTransaction, Transaction } from "../api.js";
import type { CallOptions } from "../call-options.js";
import type { Caller } from "../caller.js";
import { platformClock } from "../defaults.js";
import { isMissingMethod, isRpcError } from "../errors.js";
import { readBag } from "./bag-of-cells.js";
import {
  type ExternalMessage,
  messageOfTransaction,
  readExternalMessage,
  sameContent,
} from "./external-message.js";
import { endOf, meanwhile, type PollOptions, poll } from "./poll.js";

/** The transaction in the format of the API that found it. */
export type FoundTransaction =
  | {
      /** Which API answered. */
      readonly from: "v3";
      /** The transaction. */
      readonly transaction: Transaction;
    }
  | {
      /** Which API answered. */
      readonly from: "v2";
      /** The transaction. */
      readonly transaction: PlainTransaction;
    };

/** A message that was sent, and the transaction it caused. */
export type Sent = FoundTransaction & {
  /** Hash of the message as sent. */
  readonly hash: string;
  /** Normalized hash, which does not depend on the packing; `undefined` if the service does not return it. */
  readonly hashNorm: string | undefined;
};

/** A message that was sent, before its transaction is known. */
export type Sending = {
  /** Hash of the message as sent. */
  readonly hash: string;
  /** Normalized hash, if the service returns it. */
  readonly hashNorm: string | undefined;
  /** Deadline of the wait that began with sending it. */
  readonly end: number;
  /** Waits for the transaction. */
  found(): Promise<Sent>;
};

/**
 * Sends an external message (a bag of cells in base64) and waits for its transaction. The message is never sent
 * twice. Throws a TypeError for anything but an external message to a standard address, and an `RpcError` with code
 * `timeout` if the transaction does not appear in time.
 */
export async function sendAndWait(client: Caller, boc: string, options: PollOptions = {}): Promise<Sent> {
  return (await send(client, boc, options)).found();
}

/** The first part of `sendAndWait`. */
export async function send(client: Caller, boc: string, options: PollOptions): Promise<Sending> {
  const message = readExternalMessage(readBag(boc));
  if (!message) throw new TypeError("not an external message to a standard address");
  const { clock = platformClock } = options;
  const since = clock.now() / 1000 - clockSkew;
  const end = endOf(options);
  const callOptions = () => meanwhile(options, end);
  const { hash, hash_norm: hashNorm } = (await client.call("sendBocReturnHash", { boc }, callOptions())) as {
    hash: string;
    hash_norm?: string;
  };
  return {
    hash,
    hashNorm,
    end,
    async found() {
      const finder = new Finder(client, message, hashNorm, since, callOptions);
      const found = await poll(`the transaction of message ${hash}`, () => finder.find(), options, end);
      return { hash, hashNorm, ...found };
    },
  };
}

class Finder {
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
/** Pages per search: a wallet has no more transactions in that time. */
const maxPages = 50;
/** Seconds by which the chain's clock may be behind this machine's clock. */
const clockSkew = 60;
