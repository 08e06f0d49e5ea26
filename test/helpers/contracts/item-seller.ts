import { NftCollection, nftTransferBody } from "../../../server/devnet/story/contracts/nft.js";
import type { Address } from "../../../shared/values/address.js";
import { type ContractChain, testAccount } from "./contract-chain.js";

/** Mints items of a collection on a test's chain, and gives them to sales and auctions. */
export class ItemSeller {
  readonly creator = testAccount(0xc1);
  readonly seller = testAccount(0xc2);
  readonly #collection = new NftCollection(this.creator, "https://nft.example/");
  readonly #chain: ContractChain;
  #next = 0n;

  constructor(chain: ContractChain) {
    this.#chain = chain;
  }

  /** A new item of the seller. */
  async mint(): Promise<Address> {
    const index = this.#next++;
    const { address, init } = this.#collection;
    const item = { index, owner: this.seller, tons: 100_000_000n };
    await this.#chain.send({
      from: this.creator,
      to: address,
      init,
      body: this.#collection.mintBody([item], 1),
    });
    return this.#collection.item(index);
  }

  /** Transfers the item, which notifies its new owner. */
  async give(item: Address, to: Address, from = this.seller): Promise<void> {
    const body = nftTransferBody({ to, excessesTo: from, forwardTons: 50_000_000n, queryId: 7 });
    await this.#chain.send({ from, to: item, body });
  }
}
