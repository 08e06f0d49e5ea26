import { describe, expect, it } from "vitest";
import { Address } from "../../shared/values/address.js";
import { sized } from "../helpers/effort.js";
import { describeStoryReads } from "../helpers/stories/describe-story.js";

type V2Account = {
  balance: string;
  code: string;
  data: string;
  state: string;
  last_transaction_id: { lt: string };
};

describeStoryReads((story) => {
  const accounts = () => [...new Set(story.all.map(({ account }) => account))];

  describe("v3.accountStates", () => {
    it("agrees with getAddressInformation on every account", async () => {
      const { accounts: states } = await story.ask("accountStates", `address=${accounts().join()}`);
      expect(states.map(({ address }) => address)).toEqual(accounts());
      for (const state of states.filter((_, at) => at % sized(6, 1) === 0)) {
        const theirs = await story.app.v2<V2Account>(`getAddressInformation?address=${state.address}`);
        expect({
          balance: state.balance,
          code: state.code_boc ?? "",
          data: state.data_boc ?? "",
          state: state.status === "uninit" || state.status === "nonexist" ? "uninitialized" : state.status,
          lt: state.last_transaction_lt,
        }).toEqual({
          balance: theirs.balance,
          code: theirs.code,
          data: theirs.data,
          state: theirs.state,
          lt:
            theirs.last_transaction_id.lt === "0" ? state.last_transaction_lt : theirs.last_transaction_id.lt,
        });
      }
    });

    it("lists the ids of get-methods unsigned and ascending", async () => {
      const { accounts: states } = await story.ask("accountStates", `address=${accounts().join()}`);
      const lists = states.flatMap(({ contract_methods: ids }) => (ids?.length ? [ids] : []));
      for (const ids of lists) expect(ids).toEqual([...ids].sort((a, b) => a - b));
      // recv_external has the id -1.
      expect(lists.some((ids) => ids.at(-1) === 2 ** 19 - 1)).toBe(true);
      expect(lists.flat().every((id) => id >= 0)).toBe(true);
    });

    it("leaves out code and data where include_boc is false", async () => {
      const query = `address=${accounts().join()}`;
      const { accounts: states, ...extras } = await story.ask("accountStates", query);
      const { accounts: short, ...same } = await story.ask("accountStates", `${query}&include_boc=false`);
      expect(same).toEqual(extras);
      expect(states.some(({ code_boc }) => code_boc)).toBe(true);
      expect(short).toEqual(states.map(({ code_boc: _, data_boc: __, ...rest }) => rest));
    });
  });

  describe("v3.walletStates", () => {
    it("agrees with getWalletInformation on every wallet", async () => {
      const { wallets } = await story.ask("walletStates", `address=${accounts().join()}`);
      const real = wallets.filter(({ is_wallet }) => is_wallet);
      expect(new Set(real.map(({ wallet_type }) => wallet_type)).size).toBeGreaterThan(1);
      for (const { address, wallet_type, seqno, wallet_id, balance } of real) {
        const theirs = await story.app.v2<object>(`getWalletInformation?address=${address}`);
        expect(theirs).toMatchObject({ wallet: true, wallet_type, seqno, wallet_id, balance });
      }
    });
  });

  describe("v3.addressBook", () => {
    it("has the interfaces of every account and its friendly form, bounceable for contracts alone", async () => {
      const { accounts: states } = await story.ask("accountStates", `address=${accounts().join()}`);
      const { wallets } = await story.ask("walletStates", `address=${accounts().join()}`);
      const isWallet = new Map(wallets.map(({ address, is_wallet }) => [address, is_wallet]));
      const domains = new Map<string, string | null>();
      for (const address of accounts())
        for (const { domain } of (await story.ask("dns/records", `wallet=${address}&limit=1`)).records)
          domains.set(address, domain);
      const book = await story.ask("addressBook", `address=${accounts().join()}`);
      expect(book).toEqual(
        Object.fromEntries(
          states.map(({ address, status, interfaces }) => {
            const bounceable = status === "active" && !isWallet.get(address);
            const user_friendly = Address.read(address)!.address.toFriendly({ bounceable });
            return [address, { user_friendly, domain: domains.get(address) ?? null, interfaces }];
          }),
        ),
      );
    });

    it("answers null for text that is no address", async () => {
      expect(await story.ask("addressBook", "address=hello")).toEqual({
        hello: { user_friendly: null, domain: null, interfaces: [] },
      });
    });
  });

  describe("v3.metadata", () => {
    it("describes tokens, and no other account", async () => {
      const { jetton_masters } = await story.ask("jetton/masters", "limit=1000");
      const { jetton_wallets } = await story.ask("jetton/wallets", "limit=1000");
      const { nft_collections } = await story.ask("nft/collections", "limit=1000");
      const { nft_items } = await story.ask("nft/items", "limit=1000");
      const tokens = [...jetton_masters, ...jetton_wallets, ...nft_collections, ...nft_items]
        .map(({ address }) => address)
        .sort();
      const described = await story.ask("metadata", `address=${accounts().join()}`);
      expect(Object.keys(described)).toEqual(tokens);
    });
  });
});
