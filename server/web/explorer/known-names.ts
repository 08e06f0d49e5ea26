import type { DevnetInfoResult } from "../../../client/api.js";
import type { CallOptions } from "../../../client/call-options.js";
import { devnetAccounts, networkAccounts } from "../../../shared/text/known-accounts.js";
import type { OwnNames } from "./address-book/own-names.js";
import { Names } from "./parts/names.js";

/** Names are reloaded after this time: a devnet's story adds contracts while the page is open. */
const freshMs = 5000;
/** Limit on the first view's wait for names. */
const patienceMs = 2000;

/** The user's own names, and those of the contracts that every network has, and of a devnet's faucet, wallets and story contracts. */
export class KnownNames extends Names {
  readonly #ask: (options: CallOptions) => Promise<DevnetInfoResult>;
  readonly #own: OwnNames;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(ask: (options: CallOptions) => Promise<DevnetInfoResult>, own: OwnNames) {
    super();
    this.#ask = ask;
    this.#own = own;
    for (const [address, name] of networkAccounts) this.set(address, { name, kind: "" });
  }

  /** The user's own name comes before others. */
  override find(address: string) {
    const known = super.find(address);
    const name = this.#own.find(address);
    return name === undefined ? known : { name, kind: known?.kind ?? "", isOwn: true };
  }

  override all(): ReturnType<Names["all"]> {
    const own = this.#own
      .all()
      .map(([address, name]): ReturnType<Names["all"]>[number] => [address, { name, kind: "", isOwn: true }]);
    return [...own, ...super.all()];
  }

  /** Loads the names if they are stale. Never rejects: the devnet may require a key. */
  async load(): Promise<void> {
    if (performance.now() - this.#loadedAt < freshMs) return;
    this.#loadedAt = performance.now();
    try {
      const accounts = devnetAccounts(await this.#ask({ timeoutMs: patienceMs }));
      for (const [address, known] of accounts) this.set(address, known);
    } catch {
      // Views then show addresses.
    }
  }
}
