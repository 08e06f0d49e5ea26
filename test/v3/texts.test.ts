import { beforeAll, describe, expect, it } from "vitest";
import type { Action } from "../../shared/schema/v3/actions.js";
import { describeStoryReads } from "../helpers/stories/describe-story.js";

const encoded = encodeURIComponent;

/** Without the ends of addresses, which depend on the seed. */
const general = (text: string) => text.replace(/[EUk0]?[fQ][\w-]{4}…[\w-]{4}/g, "…");

describeStoryReads((story) => {
  let all: Action[];
  beforeAll(async () => {
    all = (await story.ask("actions", "limit=1000&include_text=true&sort=asc")).actions;
  });

  describe("Texts of the story's actions", () => {
    it("are one sentence each, about the accounts and amounts of the action", () => {
      expect(all.length).toBeGreaterThan(50);
      for (const { text, preview, details, success, failure, type } of all) {
        expect(text).toMatch(success === false ? /^Failed: \S/ : /^\S/);
        expect(text).not.toMatch(/undefined|null|\[object|\.$/);
        expect(preview!.icon).not.toBe("unknown");
        const whole = JSON.stringify(details);
        for (const { account } of preview!.accounts) expect(whole).toContain(account);
        for (const { amount, text: value } of preview!.values) {
          if (amount !== null) expect([type, whole.includes(`"${amount}"`)]).toEqual([type, true]);
          expect(text).toContain(value);
        }
        if (failure) expect(success).toBe(false);
      }
    });

    it("say the same for one type each", () => {
      const byType = new Map<string, string>();
      for (const { type, text, success } of all)
        if (success !== false && !byType.has(type)) byType.set(type, general(text!));
      expect([...byType].sort().map(([type, text]) => `${type}: ${text}`)).toMatchInlineSnapshot(`
        [
          "auction_bid: … bid 12.1 TON for Tree 11",
          "auction_outbid: finn.ton outbid devnet.ton in the auction of Tree 9; the earlier bid of 5 TON was returned",
          "call_contract: … called … with opcode 0x00000002, sending 1 TON",
          "change_dns: finn.ton set the account of … to finn.ton",
          "contract_deploy: An external message deployed …",
          "jetton_burn: … burned 5,000 ACORN",
          "jetton_mint: 1,000,000 ACORN were minted for …",
          "jetton_transfer: … sent 20,000 ACORN to devnet.ton, saying “Plant them”",
          "multisig_approve: … approved …",
          "multisig_create_order: devnet.ton created an order of … with number 0 at … and approved it",
          "multisig_execute: … executed … with 2 approvals",
          "nft_cancel_auction: devnet.ton cancelled the auction of Tree 12",
          "nft_cancel_sale: … took Tree 2 off sale",
          "nft_mint: … minted Tree 0 of …",
          "nft_purchase: … bought Tree 10 from … for 50 TON on getgems",
          "nft_transfer: finn.ton gave Tree 6 to devnet.ton",
          "ton_transfer: … sent 500 TON to …, saying “Welcome to the devnet”",
          "vesting_add_whitelist: devnet.ton allowed … to pay … and …",
          "vesting_send_message: … sent 3 TON to … from …",
        ]
      `);
    });

    it("say why actions failed, with the contract's own name of the code", () => {
      const failed = all.filter(({ success }) => success === false);
      expect(failed.map(({ text }) => general(text!)).sort()).toMatchInlineSnapshot(`
        [
          "Failed: devnet.ton called jetton transfer of ACORN of devnet.ton, sending 1 TON; ACORN of devnet.ton stopped with exit code 706 (not enough jettons)",
          "Failed: devnet.ton sent 3 TON to …, saying “Anybody there?”; … has no code",
          "Failed: finn.ton staked 20 TON in the validator elections",
          "Failed: … called jetton transfer of ACORN of devnet.ton, sending 1 TON; ACORN of devnet.ton stopped with exit code 705 (sender not owner)",
          "Failed: … gave Tree 5 to …; Tree 5 stopped with exit code 401 (sender not owner)",
          "Failed: … sent 1 TON to ACORN, saying “Do you take orders?”; ACORN does not know the operation text_comment",
          "Failed: … sent 1 TON to …, saying “Anybody down there?”; … has no code",
          "Failed: … sent 1,000,000 TON to …, saying “I am rich”; … could not send a message: exit code 37 (there are not enough coins for a message)",
        ]
      `);
      const codes = failed.flatMap(({ failure }) => (failure ? [[failure.phase, failure.exit_code]] : []));
      expect(codes).toContainEqual(["action", 37]);
      expect(codes).toContainEqual(["compute", 705]);
    });

    it("are the same in traces and events, whatever else an answer has", async () => {
      const wanted = all.filter(({ success }) => success === false).slice(0, 3);
      for (const { trace_id, text } of wanted) {
        const query = `trace_id=${encoded(trace_id!)}&include_text=true`;
        const textsIn = (found: readonly { actions?: Action[] | undefined }[]) =>
          found.flatMap(({ actions: own = [] }) => own.map((each) => each.text));
        expect(textsIn((await story.ask("traces", `${query}&include_actions=true`)).traces)).toContain(text);
        expect(textsIn((await story.ask("events", query)).events)).toContain(text);
        // Texts are about actions.
        const { traces } = await story.ask("traces", query);
        expect(traces[0]).not.toHaveProperty("actions");
      }
    });
  });
});
