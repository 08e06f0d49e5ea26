import { createHash } from "node:crypto";
import type { GenesisAccount } from "../../../server/devnet/wallets/devnet-wallets.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ValidatorSet } from "../../../shared/ton/tlb/config/validator-set.js";
import { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import { sized } from "../../helpers/effort.js";

/** Mainnet in 2026: so many validators, of which the masterchain's sign. */
const validators = 380;
export const masterchainValidators = 100;
const accounts = sized(500, 50_000);

/** A chain with as many validators and signatures as mainnet, and with many accounts. */
export async function openMainnetLikeChain(): Promise<KeyBlockChain> {
  const funded = Array.from({ length: accounts }, (_, index) => fundedAccount(index));
  const chain = await KeyBlockChain.open("like mainnet", { validators, accounts: funded });
  await chain.change((config) => {
    const set = configParam(config, 34)!;
    return config.set(34, encode(ValidatorSet, { ...set, main: masterchainValidators }));
  });
  return chain;
}

/** The address of one of the accounts. */
export function addressOf(index: number): string {
  return fundedAccount(index).address.toRaw();
}

function fundedAccount(index: number): GenesisAccount {
  const hash = createHash("sha256").update(`account ${index}`).digest();
  return { address: new Address(0, new Uint8Array(hash)), balance: ton };
}
