import type { Cell } from "@ton/core";
import type { Caller } from "../caller.js";
import { runMethod } from "../chain/run-method.js";
import { isRpcError } from "../errors.js";
import { type Account, externalOrder, internalOrder, type Order } from "./orders.js";

type Unnumbered = Omit<Order, "seqno">;
/** The exit code of a get-method of an account that has no code. */
const noCode = -13;

/** Numbers and sends the orders of an account. */
export class OrderSender {
  readonly #client: Pick<Caller, "call">;
  readonly #account: Account;
  /** The last order that was sent, and the seqno that the chain had then. */
  #last: { readonly seqno: number; readonly chain: number } | undefined;

  constructor(client: Pick<Caller, "call">, account: Account) {
    this.#client = client;
    this.#account = account;
  }

  /** Sends an order; resolves with the message, base64. */
  async send(order: Unnumbered): Promise<string> {
    const chain = await this.#seqno();
    const next = this.#after(chain);
    try {
      return await this.#sendAs(next, chain, order);
    } catch (error) {
      // The orders before it no longer wait: they expired, or the chain was reverted.
      const isAhead =
        next !== chain && isRpcError(error, "message-rejected") && error.exitName === "wrong-seqno";
      if (!isAhead) throw error;
      return this.#sendAs(chain, chain, order);
    }
  }

  /** An order for another sender: a message, base64. */
  async internal(order: Unnumbered): Promise<string> {
    return toBase64(internalOrder(this.#account, { ...order, seqno: this.#after(await this.#seqno()) }));
  }

  /** The seqno after orders that wait for a block, which the chain does not count yet. */
  #after(chain: number): number {
    const last = this.#last;
    return last && last.chain <= chain && chain <= last.seqno ? last.seqno + 1 : chain;
  }

  async #sendAs(seqno: number, chain: number, order: Unnumbered): Promise<string> {
    const boc = toBase64(externalOrder(this.#account, { ...order, seqno }));
    await this.#client.call("sendBoc", { boc });
    this.#last = { seqno, chain };
    return boc;
  }

  /** The seqno that the chain has, 0 for a wallet that is not deployed. */
  async #seqno(): Promise<number> {
    try {
      const address = this.#account.address.toRawString();
      const [seqno] = await runMethod(this.#client, { address, method: "seqno" });
      return Number(seqno);
    } catch (error) {
      if (isRpcError(error, "conflict") && error.exitCode === noCode) return 0;
      throw error;
    }
  }
}

function toBase64(cell: Cell): string {
  return cell.toBoc().toString("base64");
}
