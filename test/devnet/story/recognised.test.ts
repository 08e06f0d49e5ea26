import { describe, expect, it } from "vitest";
import type { ContractInfo } from "../../../server/devnet/control/controls.js";
import type { ContractKind } from "../../../server/devnet/story/story-contracts.js";
import { Address } from "../../../shared/values/address.js";
import { describeStory } from "../../helpers/stories/describe-story.js";

describeStory((story) => {
  const rawOf = ({ account }: ContractInfo) => new Address(account.workchain, account.id).toRawUpper();
  /** The contracts of these kinds in the devnet's list. */
  const named = async (...kinds: ContractKind[]) => {
    const contracts = await story.devnet.controls.contracts();
    return contracts.filter(({ kind }) => kinds.includes(kind));
  };
  const addresses = (rows: readonly { address: string }[]) => rows.map(({ address }) => address).sort();

  describe("the contracts of the story in v3", () => {
    it("include every jetton with its wallets, claimed or not", async () => {
      const { jetton_masters } = await story.ask("jetton/masters", "limit=1000");
      const { jetton_wallets } = await story.ask("jetton/wallets", "limit=1000");
      expect(addresses(jetton_masters)).toEqual((await named("jetton_master")).map(rawOf).sort());
      expect(addresses(jetton_wallets)).toEqual((await named("jetton_wallet")).map(rawOf).sort());
    });

    it("include every item, domain and user name", async () => {
      const { nft_items } = await story.ask("nft/items", "limit=1000");
      const items = await named("nft_item", "dns_item", "telemint_item");
      expect(addresses(nft_items)).toEqual(items.map(rawOf).sort());
    });

    it("include every sale and auction in its list", async () => {
      const contracts = await named("nft_sale", "nft_auction", "telemint_item");
      const types = { nft_sale: "getgems_sale", nft_auction: "getgems_auction", telemint_item: "telemint" };
      // A user name that is sold has no auction.
      const sold = contracts.find(({ name }) => name === "@sprout")!;
      const expected = contracts
        .filter((contract) => contract !== sold)
        .map((contract) => [rawOf(contract), types[contract.kind as keyof typeof types]]);
      const query = contracts.map((contract) => `address=${rawOf(contract)}`).join("&");
      const { nft_sales } = await story.ask("nft/sales", query);
      expect(nft_sales.map(({ address, type }) => [address, type])).toEqual(expected);
      expect(nft_sales.filter(({ nft_item }) => nft_item === undefined)).toEqual([]);
    });

    it("have items on sale, in sales and auctions of every version", async () => {
      const { nft_items } = await story.ask("nft/items", "limit=1000");
      const sellers = nft_items
        .filter(({ on_sale }) => on_sale)
        .map((item) => item.sale_contract_address ?? item.auction_contract_address);
      const open = (await named("nft_sale", "nft_auction")).filter(({ description }) =>
        /open/i.test(description),
      );
      expect(sellers.sort()).toEqual(open.map(rawOf).sort());
    });
  });
});
