import { describe, expect, it } from "vitest";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { base64ToBytes, bytesToHex } from "../../shared/values/bytes.js";
import { describeStoryReads } from "../helpers/stories/describe-story.js";

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const { cleo, finn } = participants;
const { acorn, devDollar } = jettonsOf(participants);

describeStoryReads((story) => {
  const search = async (q: string, more = "") =>
    (await story.ask("search", `q=${encodeURIComponent(q)}${more}`)).matches;

  describe("v3.search", () => {
    it("finds jettons and domains by the beginning of their names", async () => {
      expect(await search("acor")).toEqual([
        {
          kind: "jetton",
          address: acorn.address.toRawUpper(),
          name: "Acorn",
          symbol: "ACORN",
          is_scam: false,
        },
      ]);
      expect((await search("DEVUSD")).map(({ address }) => address)).toEqual([
        devDollar.address.toRawUpper(),
      ]);
      const { records } = await story.ask("dns/records", `wallet=${finn.address}&limit=10`);
      expect(records.length).toBeGreaterThan(0);
      for (const { domain, nft_item_address, dns_wallet } of records)
        expect(await search(domain!.slice(0, 3))).toContainEqual({
          kind: "domain",
          address: nft_item_address,
          name: domain,
          wallet: dns_wallet,
          is_scam: false,
        });
    });

    it("has the address book and the metadata of its matches, and limits their number", async () => {
      const { address_book, metadata } = await story.ask("search", "q=acorn");
      expect(Object.keys(address_book)).toEqual([acorn.address.toRawUpper()]);
      expect(metadata[acorn.address.toRawUpper()]!.token_info[0]!.name).toBe("Acorn");
      for (const letter of "abcdefghijklmnopqrstuvwxyz") {
        const all = await search(letter, "&limit=50");
        if (all.length < 2) continue;
        expect(await search(letter, "&limit=1")).toEqual(all.slice(0, 1));
        return;
      }
      expect.unreachable("no letter begins two names");
    });

    it("says what an address is, in any form", async () => {
      for (const form of [acorn.address.toRaw(), acorn.address.toFriendly(), acorn.address.toRawUpper()])
        expect(await search(form)).toMatchObject([{ kind: "jetton", name: "Acorn" }]);
      expect(await search(` ${cleo.address} `)).toEqual([
        { kind: "account", address: cleo.address.toRawUpper() },
      ]);
      expect(await search(`0:${"12".repeat(32)}`)).toEqual([
        { kind: "account", address: `0:${"12".repeat(32)}` },
      ]);
    });

    it("finds transactions, messages, blocks and accounts by a hash, and blocks by their seqno", async () => {
      const { hash, account, in_msg } = story.all.find((each) => each.in_msg?.source)!;
      const hex = bytesToHex(base64ToBytes(hash)!);
      for (const form of [hash, hex, hex.toUpperCase()])
        expect(await search(form)).toEqual([{ kind: "transaction", hash, address: account }]);
      const [message] = await search(in_msg!.hash);
      expect(message).toMatchObject({ kind: "message", hash: in_msg!.hash });
      const { transactions } = await story.ask(
        "transactionsByMessage",
        `msg_hash=${encodeURIComponent(in_msg!.hash)}`,
      );
      expect(transactions.map((each) => each.hash)).toContain(message!.transaction_hash);
      const { blocks } = await story.ask("blocks", "workchain=-1&seqno=5");
      const { workchain, shard, seqno, root_hash } = blocks[0]!;
      const block = { kind: "block", hash: root_hash, block: { workchain, shard, seqno } };
      expect(await search(root_hash)).toEqual([block]);
      expect(await search("5")).toContainEqual(block);
      expect(await search("4000000000")).toEqual([]);
      expect(await search(acorn.address.toRaw().slice(2))).toMatchObject([{ kind: "jetton" }]);
    });

    it("refuses texts that nothing can be searched by", async () => {
      for (const query of ["", "q=", "q=%20", "q=%00", `q=${"a".repeat(129)}`, "q=a&limit=51"])
        expect([query, (await story.app.ask(`/api/v3/search?${query}`)).status]).toEqual([query, 422]);
      expect(await search("no such name")).toEqual([]);
      expect(await search("ff".repeat(32))).toEqual([]);
    });
  });
});
