import pLimit from "p-limit";
import type { Address } from "../../../shared/values/address.js";
import { serializeBoc } from "../../cells/boc.js";
import type { Arrival } from "../chain/delivery-watch.js";
import type { DevnetChain } from "../chain/devnet-chain.js";
import type { Wallet } from "../wallets/wallet.js";

/** How long an order stays good; chain time may run ahead of it only by being set. */
const orderSeconds = 3600;
/** Gifts under way; more wait here, as the mempool takes 256 messages to one account. */
const maxConcurrentGifts = 200;

/** Gives money away from an ordinary wallet, so that every gift is an ordinary transfer. */
export class Faucet {
  readonly #chain: DevnetChain;
  readonly #wallet: Wallet;
  readonly #limit = pLimit(maxConcurrentGifts);
  /** Orders are sent ahead of the blocks that count them. */
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

  /** Settles when the money has arrived; makes the blocks that takes. */
  give(to: Address, value: bigint): Promise<Arrival> {
    return this.#limit(() => this.#give(to, value));
  }

  async #give(to: Address, value: bigint): Promise<Arrival> {
    const chain = this.#chain;
    const seqno = Math.max(this.#nextSeqno, this.#seqnoNow);
    this.#nextSeqno = seqno + 1;
    const validUntil = Math.min(chain.clock.next(chain.lastUtime) + orderSeconds, 0xffffffff);
    const order = this.#wallet.order({ seqno, validUntil, payments: [{ to, value, bounce: false }] });
    const gift = chain.arrivalAfter(order);
    // When the order is not taken at all, nobody listens to what becomes of the gift.
    gift.catch(() => {});
    try {
      await chain.sendTrusted(serializeBoc(order));
      return await chain.stepUntil(gift);
    } catch (error) {
      this.#nextSeqno = 0;
      throw error;
    }
  }

  /** The data of these wallets begin with it. */
  get #seqnoNow(): number {
    const { workchain, hash } = this.#wallet.address;
    const state = this.#chain.account(workchain, hash)?.account.value?.storage.state;
    return state?.kind === "active" && state.init.data ? state.init.data.parse().loadUint(32) : 0;
  }
}
