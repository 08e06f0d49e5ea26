import pLimit from "p-limit";
import type { Address } from "../../../shared/values/address.js";
import type { Payment } from "../../contracts/wallet-order.js";
import type { Arrival } from "../chain/delivery-watch.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import type { FollowedTrace } from "../chain/trace-watch.js";
import type { Wallet } from "../wallets/wallet.js";
import { requiredSeqno } from "../wallets/wallet-seqno.js";

/** Validity of a transfer in seconds of chain time. */
const orderSeconds = 3600;
/** Maximum number of gifts in flight. The mempool accepts 256 messages per account. */
const maxConcurrentGifts = 200;

/** The delivery of a payment, and the trace of the order. */
type Gift = Arrival & { trace: FollowedTrace };

/** Sends money from an ordinary wallet, so every gift is an ordinary transfer. */
export class Faucet {
  readonly #chain: DevnetChain;
  readonly #wallet: Wallet;
  readonly #limit = pLimit(maxConcurrentGifts);
  /** Ahead of the wallet's seqno while transfers are in flight. */
  #nextSeqno = 0;

  constructor(chain: DevnetChain, wallet: Wallet) {
    this.#chain = chain;
    this.#wallet = wallet;
    chain.reverts.add(() => {
      this.#nextSeqno = 0;
    });
  }

  get address(): Address {
    return this.#wallet.address;
  }

  /** Makes the necessary blocks and resolves when the payment is delivered. */
  pay(payment: Payment): Promise<Gift> {
    return this.#limit(() => this.#pay(payment));
  }

  async #pay(payment: Payment): Promise<Gift> {
    const chain = this.#chain;
    const seqno = Math.max(this.#nextSeqno, this.#seqnoNow);
    this.#nextSeqno = seqno + 1;
    const validUntil = Math.min(chain.clock.next(chain.lastUtime) + orderSeconds, 0xffffffff);
    const order = this.#wallet.order({ seqno, validUntil, payments: [payment] });
    const trace = chain.follow(order);
    try {
      return { ...(await chain.deliver(await chain.offer(order))), trace };
    } catch (error) {
      trace.leave();
      this.#nextSeqno = 0;
      throw error;
    }
  }

  get #seqnoNow(): number {
    const { workchain, hash } = this.#wallet.address;
    return requiredSeqno(this.#chain.account(workchain, hash));
  }
}
