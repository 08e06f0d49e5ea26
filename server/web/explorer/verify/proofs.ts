import { RecentMap } from "../../../../shared/values/recent-map.js";
import type { Subject } from "../parts/claim.js";
import { proveAccount } from "./provers/account.js";
import { AccountChains } from "./provers/account-chains.js";
import { proveBlock, proveShards } from "./provers/blocks.js";
import { proveConfig } from "./provers/config.js";
import type { Asking, Proven } from "./provers/proven.js";
import { proveTransaction } from "./provers/transaction.js";
import type { Chain, Proved, Session } from "./session.js";

const proofsKept = 300;
/** Proofs at one time; more would crowd out the calls of the page. */
const atOnce = 4;

/** Proves subjects, each once. */
export class Proofs {
  readonly #session: Session;
  readonly #chains = new AccountChains();
  readonly #known = new RecentMap<string, Promise<Proved<Proven>>>(proofsKept);
  /** The results of those that have succeeded. */
  readonly #proved = new RecentMap<string, Proved<Proven>>(proofsKept);
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
    proof.then(
      (proved) => {
        if (this.#known.get(key) === proof) this.#proved.set(key, proved);
      },
      // The caller gets the error; the next one tries again.
      () => this.#known.delete(key),
    );
    return proof;
  }

  /** The proof, if there is one already. */
  known(subject: Subject): Proved<Proven> | undefined {
    return this.#proved.get(JSON.stringify(subject));
  }

  clear(): void {
    this.#known.clear();
    this.#proved.clear();
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
