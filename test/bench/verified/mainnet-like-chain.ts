import { createHash, randomBytes } from "node:crypto";
import { serveChain } from "../../../server/chain/serve/serve.js";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { configEdit } from "../../../server/devnet/control/account-edits.js";
import type { GenesisAccount } from "../../../server/devnet/genesis/genesis.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ValidatorSet } from "../../../shared/ton/tlb/config/validator-set.js";
import type { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { Address } from "../../../shared/values/address.js";
import { openTestChain, ton } from "../../helpers/chain/devnet.js";

/** Mainnet in 2026: so many validators, of which the masterchain's sign. */
const validators = 380;
export const masterchainValidators = 100;
const accounts = 50_000;
/** A parameter without a meaning, whose change makes a key block. */
const freeParameter = 1234;

/** A chain with as many validators and signatures as mainnet, and with many accounts. */
export class MainnetLikeChain {
  readonly api: LiteApi;
  readonly #chain: DevnetChain;
  #changes = 0;

  private constructor(chain: DevnetChain, store: ChainStore) {
    this.#chain = chain;
    this.api = serveChain(new ServedDevnet(store), {
      methods: { runMethod: () => Promise.reject(new Error("nothing is run here")), randomBytes },
      sendMessage: () => Promise.resolve(),
      now: () => chain.lastUtime,
    });
  }

  static async open(): Promise<MainnetLikeChain> {
    const storage = new ChainStore();
    const funded = Array.from({ length: accounts }, accountOf);
    const chain = await openTestChain({ seed: "like mainnet", validators, accounts: funded, storage });
    const made = new MainnetLikeChain(chain, storage);
    await chain.step({ edits: [configEdit(withSmallGroup)] });
    return made;
  }

  /** The address of one of the accounts. */
  static address(index: number): string {
    return accountOf(undefined, index).address.toRaw();
  }

  async keyBlocks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const value = beginCell()
        .storeUint(++this.#changes, 32)
        .endCell();
      await this.#chain.step({ edits: [configEdit((config) => config.set(freeParameter, value))] });
    }
  }

  async blocks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#chain.step();
  }

  close(): Promise<void> {
    return this.#chain.close();
  }
}

function accountOf(_: unknown, index: number): GenesisAccount {
  const hash = createHash("sha256").update(`account ${index}`).digest();
  return { address: new Address(0, new Uint8Array(hash)), balance: ton };
}

/** Only the first validators sign the masterchain. */
function withSmallGroup(config: ConfigDictionary): ConfigDictionary {
  const set = configParam(config, 34)!;
  return config.set(34, encode(ValidatorSet, { ...set, main: masterchainValidators }));
}
