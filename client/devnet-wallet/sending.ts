import type { Cell } from "@ton/core";
import { OrderNumbers } from "../../shared/values/order-numbers.js";
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
  readonly #numbers = new OrderNumbers(() => this.#seqno());

  constructor(client: Pick<Caller, "call">, account: Account) {
    this.#client = client;
    this.#account = account;
  }

  /** Sends an order; resolves with the message, base64. */
  send(order: Unnumbered): Promise<string> {
    const sendAs = async (seqno: number) => {
      const boc = toBase64(externalOrder(this.#account, { ...order, seqno }));
      await this.#client.call("sendBoc", { boc });
      return boc;
    };
    return this.#numbers.send(sendAs, isWrongSeqno);
  }

  /** An order for another sender: a message, base64. */
  async internal(order: Unnumbered): Promise<string> {
    return toBase64(internalOrder(this.#account, { ...order, seqno: await this.#numbers.next() }));
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

function isWrongSeqno(error: unknown): boolean {
  return isRpcError(error, "message-rejected") && error.exitName === "wrong-seqno";
}

function toBase64(cell: Cell): string {
  return cell.toBoc().toString("base64");
}
