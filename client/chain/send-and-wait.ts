import type { Caller } from "../caller.js";
import { isRpcError } from "../errors.js";
import type { Result } from "../registry-types.js";
import { readBag } from "./bag-of-cells.js";
import {
  type ExternalMessage,
  messageOfTransaction,
  readExternalMessage,
  sameContent,
} from "./external-message.js";
import { type PollOptions, poll } from "./poll.js";

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
  const { signal } = options;
  const sent = (await client.call("sendBocReturnHash", { boc }, { signal })) as {
    hash: string;
    hash_norm?: string;
  };
  const finder = new Finder(client, message, sent.hash_norm, signal);
  const found = await poll(`the transaction of message ${sent.hash}`, () => finder.find(), options);
  return { hash: sent.hash, hashNorm: sent.hash_norm, ...found };
}

class Finder {
  readonly #client: Caller;
  readonly #message: ExternalMessage;
  readonly #signal: AbortSignal | undefined;
  /** Without it, or where the index does not answer, the receiver's transactions are looked through. */
  #hashNorm: string | undefined;

  constructor(
    client: Caller,
    message: ExternalMessage,
    hashNorm: string | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#client = client;
    this.#message = message;
    this.#hashNorm = hashNorm;
    this.#signal = signal;
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
    const page = await this.#client.call("v3.transactionsByMessage" as string, params, {
      signal: this.#signal,
    });
    const [transaction] = (page as { transactions?: never[] }).transactions ?? [];
    return transaction && { from: "v3", transaction };
  }

  async #amongTransactions(): Promise<FoundTransaction | undefined> {
    const { destination, body } = this.#message;
    const params = { address: destination.toFriendly(), limit: 10 };
    const list = await this.#client.call("getTransactions" as string, params, { signal: this.#signal });
    const transaction = (list as { data: string }[]).find(({ data }) => {
      const cell = messageOfTransaction(readBag(data));
      const message = cell && readExternalMessage(cell);
      return message && sameContent(message.body, body);
    });
    return transaction && { from: "v2", transaction: transaction as never };
  }
}

/** How services without v3 refuse it. */
const noIndex: readonly string[] = ["unknown-method", "unknown-route", "wrong-verb"];
