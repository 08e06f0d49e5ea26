import { serveChain } from "../../../server/chain/serve/serve.js";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import type { MadeStep } from "../../../server/devnet/collate/collate-step.js";
import type { ElectionPreset } from "../../../server/devnet/elections/presets.js";
import { type Schedule, scheduleOf } from "../../../server/devnet/elections/schedule.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import type { ValidatorSet } from "../../../shared/ton/tlb/config/validator-set.js";
import { openTestChain, type TestChainOptions } from "../chain/devnet.js";

type Options = Pick<TestChainOptions, "seed" | "accounts" | "validators"> & {
  directory?: string;
  elections?: ElectionPreset;
};

/** A devnet whose validators change, and the liteserver of it. */
export class ElectingChain {
  readonly chain: DevnetChain;
  readonly api: LiteApi;

  private constructor(chain: DevnetChain, store: ChainStore) {
    this.chain = chain;
    this.api = serveChain(new ServedDevnet(store), {
      methods: {
        runMethod: () => Promise.reject(new Error("nothing is run here")),
        randomBytes: () => new Uint8Array(32),
      },
      sendMessage: (body) => chain.sendMessage(body),
      now: () => chain.lastUtime,
    });
  }

  static async open({ directory, elections = "short", validators = 3, ...options }: Options = {}) {
    const storage = new ChainStore(directory);
    const chain = await openTestChain({ ...options, storage, validators, elections });
    return new ElectingChain(chain, storage);
  }

  get schedule(): Schedule {
    return scheduleOf(this.chain.masterchain)!;
  }

  /** The set in force. */
  get set(): ValidatorSet {
    return configParam(this.chain.masterchain.master.config.config.value, 34)!;
  }

  /** Makes a block at the next time at which elections have something to do. */
  step(): Promise<MadeStep> {
    const { chain } = this;
    return chain.step({ utime: Math.max(chain.electionDue ?? 0, chain.lastUtime + 1) });
  }

  /** Makes blocks until another set is in force; `check` sees each of them. */
  async rotate(check: (made: MadeStep) => void = () => {}): Promise<void> {
    const before = this.set.utimeSince;
    for (let blocks = 0; this.set.utimeSince === before; blocks++) {
      if (blocks === 50) throw new Error(`the set stays; elections are ${this.schedule.phase}`);
      check(await this.step());
    }
  }

  close(): Promise<void> {
    return this.chain.close();
  }
}
