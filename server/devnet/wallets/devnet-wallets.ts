import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { TickTock } from "../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesOfHex, bytesToHex } from "../../../shared/values/bytes.js";
import { SigningKey } from "../../chain/ed25519.js";
import { bip39From, bip39Secret } from "./bip39.js";
import { mnemonicFrom, mnemonicSecret } from "./mnemonic.js";
import { publishedKeys, publishedSeed } from "./published-keys.js";
import { Wallet, type WalletVersion } from "./wallet.js";

/** A prefunded wallet. Its mnemonic is public, so it must never hold real money. */
export type DevnetWallet = {
  role: string;
  /** Name of its owner in the sample data. */
  name: string;
  /** Mnemonic of 24 words, accepted by any wallet app; 12 words of BIP 39 for Telegram's wallet. */
  words: string;
  wallet: Wallet;
  /** Nanotons in the zero state. */
  balance: bigint;
};

/** The faucet, two wallets of each version that apps have, and one of Telegram's. */
export type DevnetWallets = { faucet: DevnetWallet; prefunded: readonly DevnetWallet[] };

const ton = 1_000_000_000n;
const faucet = { role: "faucet", name: "Faucet", version: "v4r2", balance: 1_000_000_000n * ton } as const;
const owners = {
  v3r2: ["Ann", "Ben"],
  v4r2: ["Cleo", "Dan"],
  v5r1: ["Eve", "Finn"],
  tg: ["Tess"],
} as const;
const prefunded = (["v3r2", "v4r2", "v5r1", "tg"] as const).flatMap((version) =>
  owners[version].map((name, index) => ({
    role: `wallet ${version} ${index + 1}`,
    name,
    version,
    balance: 10_000n * ton,
  })),
);

/** Derives the wallets of a devnet from its seed. Takes about 0.5 s; the keys of the default seed are precomputed. */
export async function devnetWallets(seed: string): Promise<DevnetWallets> {
  const [first, ...others] = await Promise.all([faucet, ...prefunded].map((plan) => makeWallet(seed, plan)));
  return { faucet: first!, prefunded: others };
}

/** An account of the zero state. Without `init` it is uninitialized and only has a balance, in nanotons. */
export type GenesisAccount = {
  address: Address;
  balance: bigint;
  init?: { code: Cell; data: Cell; special?: TickTock; libraries?: readonly Cell[] } | undefined;
};

/** The wallets as accounts of the zero state, all deployed. The faucet has what `spent` leaves. */
export function walletAccounts({ faucet, prefunded }: DevnetWallets, spent: bigint): GenesisAccount[] {
  const paying = { ...faucet, balance: faucet.balance - spent };
  return [paying, ...prefunded].map(({ wallet: { address, init }, balance }) => ({
    ...{ address, balance },
    init: { code: init.code!, data: init.data! },
  }));
}

type Plan = { role: string; name: string; version: WalletVersion; balance: bigint };

async function makeWallet(seed: string, plan: Plan): Promise<DevnetWallet> {
  const { role, name, version, balance } = plan;
  const { words, secret } = await roleKeys(seed, plan);
  return { role, name, words, balance, wallet: new Wallet(version, new SigningKey(bytesOfHex(secret))) };
}

type Role = Pick<Plan, "role" | "version">;
type RoleKeys = { words: string; secret: string };

/** Derives mnemonic and secret key (hex) of a role. */
export async function deriveRoleKeys(seed: string, { role, version }: Role): Promise<RoleKeys> {
  const text = `${seed}/${role}`;
  const isBip39 = version === "tg";
  const words = isBip39 ? bip39From(text) : await mnemonicFrom(text);
  const secret = await (isBip39 ? bip39Secret(words) : mnemonicSecret(words));
  return { words: words.join(" "), secret: bytesToHex(secret) };
}

async function roleKeys(seed: string, role: Role): Promise<RoleKeys> {
  const published = seed === publishedSeed ? publishedKeys[role.role] : undefined;
  return published ?? deriveRoleKeys(seed, role);
}
