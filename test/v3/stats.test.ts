import { describe, expect, it } from "vitest";
import { Address } from "../../shared/values/address.js";
import { describeStoryReads } from "../helpers/stories/describe-story.js";

describeStoryReads((story) => {
  describe("v3.topAccountsByBalance", () => {
    it("lists accounts by their balance, which is that of getAddressBalance", async () => {
      const richest = await story.ask("topAccountsByBalance", "limit=1000");
      const balances = richest.map(({ balance }) => BigInt(balance));
      expect(balances).toEqual([...balances].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      for (const { account, balance } of richest)
        expect(await story.app.v2(`getAddressBalance?address=${account}`)).toBe(balance);
      const second = await story.ask("topAccountsByBalance", "limit=2&offset=1");
      expect(second).toEqual(richest.slice(1, 3));
    });

    it("answers account and balance", async () => {
      const [first] = await story.ask("topAccountsByBalance", "limit=1");
      const { faucet } = await story.devnet.controls.info();
      const { workchain, id } = faucet.account;
      const account = new Address(workchain, id).toRawUpper();
      expect(first).toEqual({ account, balance: faucet.balance.toString() });
    });
  });
});
