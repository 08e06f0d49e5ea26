import type { DevnetInfoResult } from "../../../client/api.js";
import type { CallOptions } from "../../../client/call-options.js";
import { devnetAccounts, networkAccounts } from "../../../shared/text/known-accounts.js";
import { Names } from "./parts/names.js";

/** Names are reloaded after this time: a devnet's story adds contracts while the page is open. */
const freshMs = 5000;
/** Limit on the first view's wait for names. */
const patienceMs = 2000;

/** Names of the contracts that every network has, and of a devnet's faucet, wallets and story contracts. */
export class KnownNames extends Names {
  readonly #ask: (options: CallOptions) => Promise<DevnetInfoResult>;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(ask: (options: CallOptions) => Promise<DevnetInfoResult>) {
    super();
    this.#ask = ask;
    for (const [address, name] of networkAccounts) this.set(address, { name, kind: "" });
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
