import type { Exchange } from "../../../../shared/ton/lite/exchange.js";
import type { LiteCall } from "../../../../shared/ton/lite/lite-api.js";
import { RecentMap } from "../../../../shared/values/recent-map.js";
import type { Subject } from "../parts/claim.js";
import { proveAccount } from "./provers/account.js";
import { AccountChains } from "./provers/account-chains.js";
import { proveBlock, proveShards } from "./provers/blocks.js";
import { proveConfig } from "./provers/config.js";
import type { Proven } from "./provers/proven.js";
import { proveTransaction } from "./provers/transaction.js";
import type { Chain, Proved, Session } from "./session.js";

const proofsKept = 300;
/** Proofs at one time; more would crowd out the calls of the page. */
const atOnce = 4;

type Asking = { readonly call: LiteCall; readonly exchanges: Exchange[] };

/** Proves subjects, each once. */
export class Proofs {
  readonly #session: Session;
  readonly #chains = new AccountChains();
  readonly #known = new RecentMap<string, Promise<Proved<Proven>>>(proofsKept);
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  of(subject: Subject): Promise<Proved<Proven>> {
    const key = JSON.stringify(subject);
    const known = this.#known.get(key);
    if (known) return known;
    const proof = this.#inTurn(() =>
      this.#session.prove((chain, call, exchanges) => this.#prove(subject, chain, { call, exchanges })),
    );
    this.#known.set(key, proof);
    // The caller gets the error; the next one tries again.
    proof.catch(() => this.#known.delete(key));
    return proof;
  }

  clear(): void {
    this.#known.takeAll();
    this.#chains.clear();
  }

  #prove(subject: Subject, chain: Chain, asking: Asking): Promise<Proven> {
    switch (subject[0]) {
      case "account": {
        const [, address, seqno, rootHash] = subject;
        return proveAccount({ address, seqno, rootHash }, chain, asking);
      }
      case "transaction": {
        const [, account, lt, , isChained = false] = subject;
        return proveTransaction({ account, lt, isChained }, chain, { ...asking, chains: this.#chains });
      }
      case "block": {
        const [, workchain, shard, seqno] = subject;
        return proveBlock({ workchain, shard, seqno }, chain, asking);
      }
      case "shards":
        return proveShards(subject[1], chain, asking);
      case "config":
        return proveConfig(subject[1], chain, asking);
    }
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running >= atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await run();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
