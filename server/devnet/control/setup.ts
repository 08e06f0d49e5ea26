import { addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { AccountId } from "../../../shared/ton/lite/lite-api.js";
import type { Unsubscribe } from "../../../shared/values/listeners.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { DevnetError } from "../devnet-error.js";
import { type ForkStatus, forkStatus } from "../fork/fork-status.js";
import type { KeptNames } from "../storage/kept-names.js";
import type { ForkedNetwork } from "./forked-network.js";

/** How calls to the service of a devnet fare. */
export type Conditions = {
  latencyMs: number;
  /** Share of calls that fail, 0 to 1. */
  failRate: number;
};

/** Facts of a devnet that all processes of its service share. */
export type DevnetSetup = {
  conditions: Conditions;
  /** Names that developers gave to accounts, by raw address. */
  names: Readonly<Record<string, string>>;
  /** The fork that the chain is; absent if it is none. */
  fork?: ForkStatus | undefined;
};

/** Controls of what surrounds the chain. Arguments and results are plain data, as those of `DevnetControls`. */
export interface SetupControls {
  /** Members that are absent stay as they are. Returns the new conditions. */
  setConditions(change: Partial<Conditions>): Promise<Conditions>;
  /** Names an account, or removes its name. Rejects with "conflict" if there are too many names. */
  setName(account: AccountId, name: string | undefined): Promise<void>;
}

/** A copy of the setup that follows its changes. */
export interface SetupView {
  readonly current: DevnetSetup;
  onChange(listener: (setup: DevnetSetup) => void): Unsubscribe;
}

const maxNames = 1000;

/** The setup of a devnet in this thread. Names are stored, conditions last as long as the process. */
export class ChainSetup implements SetupControls, SetupView {
  #conditions: Conditions;
  readonly #kept: KeptNames;
  readonly #changes = new Listeners<DevnetSetup>();
  readonly #network: ForkedNetwork | undefined;

  /** `network`: the one that the chain forks. */
  constructor(conditions: Conditions, kept: KeptNames, network?: ForkedNetwork) {
    this.#conditions = conditions;
    this.#kept = kept;
    this.#network = network;
    network?.changes.add(() => this.#changes.notify(this.current));
  }

  get current(): DevnetSetup {
    const fork = this.#network && forkStatus(this.#network.origin);
    return { conditions: this.#conditions, names: this.#kept.names, fork };
  }

  onChange(listener: (setup: DevnetSetup) => void): Unsubscribe {
    return this.#changes.add(listener);
  }

  async setConditions(change: Partial<Conditions>): Promise<Conditions> {
    this.#conditions = { ...this.#conditions, ...change };
    this.#changes.notify(this.current);
    return this.#conditions;
  }

  async setName(named: AccountId, name: string | undefined): Promise<void> {
    const account = addressOfId(named).toRawUpper();
    await this.#kept.change((names) => {
      const others = Object.entries(names).filter(([each]) => each !== account);
      if (name !== undefined && others.length >= maxNames)
        throw new DevnetError("conflict", `there are ${maxNames} names already; remove some first`);
      return Object.fromEntries(name === undefined ? others : [...others, [account, name]]);
    });
    this.#changes.notify(this.current);
  }
}
