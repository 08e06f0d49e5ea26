import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { AddressText } from "./trace.js";

/** Indexed facts about a contract; members that do not apply are absent. */
export type Contract = {
  readonly jettonWallet?: JettonWallet;
  readonly nftItem?: NftItem;
  readonly nftSale?: NftSale;
  readonly nftAuction?: NftAuction;
  readonly multisigOrder?: { readonly signers: readonly AddressText[] };
  readonly isNominatorPool?: boolean;
  readonly isTgWallet?: boolean;
  readonly dedustPool?: { readonly assets: readonly [Asset, Asset] };
  /** A pool of a DEX other than DeDust's first version, with assets in the contract's order. */
  readonly dexPool?: { readonly dex: string; readonly assets: readonly [Asset, Asset] };
};

/** A jetton master; undefined for TON. */
export type Asset = AddressText | undefined;

type JettonWallet = { readonly owner: AddressText; readonly master: AddressText };

export type NftItem = {
  readonly index: bigint;
  readonly collection: AddressText | undefined;
  readonly owner: AddressText | undefined;
  readonly contentUri: string | undefined;
  /** In base64. */
  readonly codeHash: string | undefined;
};

/** State after the sale. */
export type NftSale = {
  readonly nft: AddressText | undefined;
  readonly nftOwner: AddressText | undefined;
  readonly marketplace: AddressText | undefined;
  readonly fullPrice: bigint;
};

/** State after the sale. */
export type NftAuction = {
  readonly nft: AddressText | undefined;
  readonly nftOwner: AddressText | undefined;
  readonly marketplace: AddressText | undefined;
  readonly lastBid: bigint | undefined;
};

/**
 * Serves contract lookups of the classification from preloaded data. Addresses requested but not loaded count as
 * unknown contracts and are collected, so that the caller can load them and classify again.
 */
export class ContractLookups {
  readonly #contracts = new Map<AddressText, Contract>();
  readonly #data = new Map<AddressText, Cell | undefined>();
  readonly #missing = new Set<AddressText>();
  readonly #missingData = new Set<AddressText>();
  readonly #unknown = new Set<AddressText>();

  /** Stores the facts about an address; `{}` if none are known. */
  add(address: AddressText, contract: Contract): void {
    this.#contracts.set(address, contract);
  }

  /** Stores the data of an account; undefined if it has none. */
  addData(address: AddressText, data: Cell | undefined): void {
    this.#data.set(address, data);
  }

  /** `{}` if nothing is known about the contract. */
  at(address: AddressText | undefined): Contract {
    if (address === undefined) return unknown;
    const known = this.#contracts.get(address);
    if (known === undefined) this.#missing.add(address);
    else if (isEmpty(known)) this.#unknown.add(address);
    return known ?? unknown;
  }

  jettonWallet(address: AddressText | undefined): JettonWallet | undefined {
    return this.at(address).jettonWallet;
  }

  nftItem(address: AddressText | undefined): NftItem | undefined {
    return this.at(address).nftItem;
  }

  /** The data cell of an account; loaded separately because few types need it. */
  dataOf(address: AddressText | undefined): Cell | undefined {
    if (address === undefined) return undefined;
    const data = this.#data.get(address);
    if (data === undefined) (this.#data.has(address) ? this.#unknown : this.#missingData).add(address);
    return data;
  }

  /** Requested accounts without known facts. */
  get unknown(): ReadonlySet<AddressText> {
    return this.#unknown;
  }

  /** Addresses requested since the last call and not loaded; undefined if none. */
  takeMissing(): MissingContracts | undefined {
    if (this.#missing.size === 0 && this.#missingData.size === 0) return undefined;
    const missing = { contracts: [...this.#missing], data: [...this.#missingData] };
    this.#missing.clear();
    this.#missingData.clear();
    return missing;
  }
}

export type MissingContracts = {
  readonly contracts: readonly AddressText[];
  readonly data: readonly AddressText[];
};

const unknown: Contract = {};

function isEmpty(contract: Contract): boolean {
  for (const _ in contract) return false;
  return true;
}
