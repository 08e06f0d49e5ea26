import { serveChain } from "../../../server/chain/serve/serve.js";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { balanceEdit, configEdit } from "../../../server/devnet/genesis/account-edits.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import type { Address } from "../../../shared/values/address.js";
import { openTestChain, type TestChainOptions } from "./devnet.js";

/** A parameter without a meaning. */
const freeParameter = 1234;

/** A devnet whose configuration changes when a test wants a key block. */
export class KeyBlockChain {
  readonly api: LiteApi;
  readonly #chain: DevnetChain;
  #changes = 0;

  private constructor(chain: DevnetChain, store: ChainStore) {
    this.#chain = chain;
    this.api = serveChain(new ServedDevnet(store), {
      methods: {
        runMethod: () => Promise.reject(new Error("nothing is run here")),
        randomBytes: () => Cell.empty.hash(),
      },
      sendMessage: () => Promise.resolve(),
      now: () => 1_800_000_000,
    });
  }

  static async open(seed = "key blocks", options: TestChainOptions = {}): Promise<KeyBlockChain> {
    const storage = new ChainStore();
    return new KeyBlockChain(await openTestChain({ seed, storage, ...options }), storage);
  }

  async blocks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#chain.step();
  }

  async keyBlocks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const value = beginCell()
        .storeUint(++this.#changes, 32)
        .endCell();
      await this.change((config) => config.set(freeParameter, value));
    }
  }

  /** Makes a key block with another configuration. */
  async change(edit: (config: ConfigDictionary) => ConfigDictionary): Promise<void> {
    await this.#chain.step({ edits: [configEdit(edit)] });
  }

  /** Makes a block after which an account has this balance. */
  async setBalance(address: Address, balance: bigint): Promise<void> {
    await this.#chain.step({ edits: [balanceEdit(address, balance)] });
  }

  /** Removes the blocks after this one. */
  async revert(seqno: number): Promise<void> {
    await this.#chain.exclusive((to) => to(seqno));
  }

  close(): Promise<void> {
    return this.#chain.close();
  }
}
