import { Address } from "../values/address.js";
import type { KnownAccounts } from "./answer-names.js";

type Known = { readonly name: string; readonly kind: string };

/** Accounts that every network has, by raw address. */
export const networkAccounts: readonly (readonly [address: string, name: string])[] = [
  [`-1:${"3".repeat(64)}`, "Elector"],
  [`-1:${"5".repeat(64)}`, "Configuration"],
];

/** Names of accounts in `devnet.info`. */
type Named = { readonly address: string; readonly name: string };
type DevnetNames = {
  readonly faucet: Pick<Named, "address">;
  readonly wallets: readonly Named[];
  readonly contracts: readonly (Named & { readonly kind: string })[];
  /** Names that were given to accounts. They replace others. */
  readonly names?: readonly Named[];
};

/** A devnet's accounts with their names. */
export function devnetAccounts(devnet: DevnetNames): [address: string, Known][] {
  const { faucet, wallets, contracts, names = [] } = devnet;
  const accounts: [string, Known][] = [
    [faucet.address, { name: "Faucet", kind: "wallet" }],
    ...wallets.map(({ address, name }, index): [string, Known] => [
      address,
      { name: `Wallet ${index} (${name})`, kind: "wallet" },
    ]),
    ...contracts.map(({ address, name, kind }): [string, Known] => [address, { name, kind }]),
  ];
  const kinds = new Map(accounts.map(([address, { kind }]) => [address, kind]));
  return [
    ...accounts,
    ...names.map(({ address, name }): [string, Known] => [address, { name, kind: kinds.get(address) ?? "" }]),
  ];
}

/** Accounts of a network with names: those that every network has, and others. */
export function knownAccounts(others: readonly (readonly [address: string, Known])[] = []): KnownAccounts {
  const found = new Map<string, Known>();
  for (const [address, name] of networkAccounts) found.set(address, { name, kind: "" });
  for (const [address, known] of others) found.set(rawOf(address), known);
  return { find: (address) => found.get(rawOf(address)) };
}

const rawOf = (address: string) => Address.read(address)?.address.toRaw() ?? address;
