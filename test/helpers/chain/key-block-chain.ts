import { serveChain } from "../../../server/chain/serve/serve.js";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { dataEdit } from "../../../server/devnet/control/account-edits.js";
import { configAddress } from "../../../server/devnet/genesis/initial-config.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { openTestChain } from "./devnet.js";

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

  static async open(seed = "key blocks"): Promise<KeyBlockChain> {
    const store = new ChainStore();
    return new KeyBlockChain(await openTestChain({ seed, storage: store, edition: 1 }), store);
  }

  async blocks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#chain.step();
  }

  async keyBlocks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#chain.step({ edits: [this.#otherConfig()] });
  }

  close(): Promise<void> {
    return this.#chain.close();
  }

  #otherConfig() {
    const { state } = this.#chain.account(-1, configAddress.hash)!.account.value!.storage;
    if (state.kind !== "active") throw new Error("there is no configuration");
    const data = state.init.data!.parse();
    const value = beginCell()
      .storeUint(++this.#changes, 32)
      .endCell();
    const config = decode(ConfigDictionary, data.loadRef()).set(freeParameter, value);
    return dataEdit(
      configAddress,
      beginCell().storeRef(encode(ConfigDictionary, config)).storeSlice(data).endCell(),
    );
  }
}
