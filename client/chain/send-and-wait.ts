import type { Caller, CallOptions } from "../caller.js";
import { platformClock } from "../defaults.js";
import { isRpcError } from "../errors.js";
import type { Result } from "../registry-types.js";
import { readBag } from "./bag-of-cells.js";
import {
  type ExternalMessage,
  messageOfTransaction,
  readExternalMessage,
  sameContent,
} from "./external-message.js";
import { endOf, meanwhile, type PollOptions, poll } from "./poll.js";

type RowOf<List> = List extends readonly (infer Row)[] ? Row : unknown;
type TransactionsOf<Page> = Page extends { readonly transactions: infer List } ? RowOf<List> : unknown;

/** A transaction as the interface that knew it describes it. */
export type FoundTransaction =
  | { readonly from: "v3"; readonly transaction: TransactionsOf<Result<"v3.transactionsByMessage">> }
  | { readonly from: "v2"; readonly transaction: RowOf<Result<"getTransactions">> };

/** What became of a message. */
export type Sent = FoundTransaction & {
  /** Hash of the message as it was sent. */
  readonly hash: string;
  /** The hash it has however it is packed; absent where the service does not say it. */
  readonly hashNorm: string | undefined;
};

/**
 * Sends a message to the chain (the bag of cells of an external message, in base64) and waits for the transaction it
 * causes. The same message is not sent twice, whatever happens.
 */
export async function sendAndWait(client: Caller, boc: string, options: PollOptions = {}): Promise<Sent> {
  const message = readExternalMessage(readBag(boc));
  if (!message) throw new TypeError("only a message from outside, to an ordinary address, can be sent");
  const { clock = platformClock } = options;
  const since = clock.now() / 1000 - clockSkew;
  const end = endOf(options);
  const callOptions = () => meanwhile(options, end);
  const sent = (await client.call("sendBocReturnHash", { boc }, callOptions())) as {
    hash: string;
    hash_norm?: string;
  };
  const finder = new Finder(client, message, sent.hash_norm, since, callOptions);
  const found = await poll(`the transaction of message ${sent.hash}`, () => finder.find(), options, end);
  return { hash: sent.hash, hashNorm: sent.hash_norm, ...found };
}

class Finder {
  readonly #client: Caller;
  readonly #message: ExternalMessage;
  readonly #callOptions: () => CallOptions;
  /** Without it, or where the index does not answer, the receiver's transactions are looked through. */
  #hashNorm: string | undefined;
  /** Chain time before which the transaction cannot be, in seconds. */
  readonly #since: number;
  /** The receiver's newest transaction that has been looked at. */
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
      const missing = isRpcError(error) && noIndex.includes(error.code);
      if (missing) this.#hashNorm = undefined;
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

  /** From the receiver's newest transaction back to what has been looked at, however busy it is. */
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

  /** A page begins with the transaction it goes on from. */
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

/** What is read of a transaction. */
type Row = {
  readonly data: string;
  readonly utime: number;
  readonly transaction_id: { readonly lt: string; readonly hash: string };
};

const pageLimit = 20;
/** Of one look; who has more transactions in that time is not a wallet. */
const maxPages = 50;
/** The chain's clock may be so many seconds behind that of this machine. */
const clockSkew = 60;

/** How services without v3 refuse it. */
const noIndex: readonly string[] = ["unknown-method", "unknown-route", "wrong-verb"];
