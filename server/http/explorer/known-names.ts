import type { DevnetInfoResult } from "../../../client/api.js";
import type { CallOptions } from "../../../client/call-options.js";
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
    this.set(`-1:${"3".repeat(64)}`, { name: "Elector", kind: "" });
    this.set(`-1:${"5".repeat(64)}`, { name: "Configuration", kind: "" });
  }

  /** Loads the names if they are stale. Never rejects: the devnet may require a key. */
  async load(): Promise<void> {
    if (performance.now() - this.#loadedAt < freshMs) return;
    this.#loadedAt = performance.now();
    try {
      const { faucet, wallets, contracts } = await this.#ask({ timeoutMs: patienceMs });
      this.set(faucet.address, { name: "Faucet", kind: "wallet" });
      for (const [index, { address, name }] of wallets.entries())
        this.set(address, { name: `Wallet ${index} (${name})`, kind: "wallet" });
      for (const { address, kind, description } of contracts)
        this.set(address, { name: nameIn(description), kind });
    } catch {
      // Views then show addresses.
    }
  }
}

/** The name in a description: the text before the first semicolon, after which failures are listed. */
function nameIn(description: string): string {
  return description.split(";", 1)[0]!;
}
