import { SigningKey } from "../../../server/chain/ed25519.js";
import type { Payment } from "../../../server/contracts/wallet-order.js";
import type { DevnetChainOptions } from "../../../server/devnet/chain/chain-options.js";
import { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import type { ElectionPreset } from "../../../server/devnet/elections/presets.js";
import { firstValidatorKeys } from "../../../server/devnet/elections/validator-roles.js";
import { createGenesis } from "../../../server/devnet/genesis/genesis.js";
import { ChainClock } from "../../../server/devnet/moment/clock.js";
import { roleSeed } from "../../../server/devnet/role-seed.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import type { GenesisAccount } from "../../../server/devnet/wallets/devnet-wallets.js";
import { Wallet, type WalletVersion } from "../../../server/devnet/wallets/wallet.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { Address } from "../../../shared/values/address.js";
import { sharedExecutor } from "./shared-executor.js";

export const ton = 1_000_000_000n;
const always = 0xffffffff;

/** A wallet that counts its orders itself. */
export class TestWallet {
  readonly wallet: Wallet;
  #seqno = 0;

  constructor(name: string, version: WalletVersion = "v3r2", workchain = 0) {
    this.wallet = new Wallet(version, new SigningKey(roleSeed("test", name)), workchain);
  }

  get address(): Address {
    return this.wallet.address;
  }

  /** The next order, as bytes to send. */
  pay(...payments: Payment[]): Uint8Array {
    return serializeBoc(this.wallet.order({ seqno: this.#seqno++, validUntil: always, payments }));
  }
}

export type TestChainOptions = {
  seed?: string;
  accounts?: readonly GenesisAccount[];
  rewards?: boolean;
  validators?: number;
  elections?: ElectionPreset;
  executor?: DevnetChainOptions["executor"];
  storage?: ChainStore;
  nowMs?: () => number;
};

/** A devnet in memory whose blocks are made when a test asks, one second apart. */
export async function openTestChain(options: TestChainOptions = {}): Promise<DevnetChain> {
  const { seed = "test", accounts = [], rewards = false, executor = await sharedExecutor() } = options;
  const { validators = 1, elections, storage = new ChainStore(), nowMs = () => 0 } = options;
  return DevnetChain.open({
    genesis: createGenesis({ seed, accounts, rewards, validators, elections }),
    storage,
    executor,
    clock: new ChainClock("fixed", () => 0),
    nowMs,
  });
}

export function funded(wallets: readonly TestWallet[], balance = 1000n * ton): GenesisAccount[] {
  return wallets.map(({ address }) => ({ address, balance }));
}

/** Public keys of the validators of the chain's zero state. */
export function validatorsOf({ genesis }: DevnetChain): Uint8Array[] {
  return firstValidatorKeys(genesis.validators).map(({ publicKey }) => publicKey);
}

/** Makes blocks until nothing waits. */
export async function settleDown(chain: DevnetChain, limit = 50): Promise<number> {
  let steps = 0;
  for (; chain.hasWork && steps < limit; steps++) await chain.step();
  return steps;
}

export function bocOf(cell: Cell): Uint8Array {
  return serializeBoc(cell);
}
