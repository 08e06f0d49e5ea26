import { describe, expect, it } from "vitest";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { shardContainsPrefix } from "../../shared/ton/tlb/block-id.js";
import { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import {
  type BlockId,
  describeMainnet,
  elector,
  type Listing,
  masterchain,
  unsigned,
} from "./describe-mainnet.js";

describeMainnet("the first accounts of mainnet", ({ idOf, newest, result }) => {
  describe("accounts", () => {
    it("are read at the block that seqno names", async () => {
      const at = async (seqno: number) =>
        result<Record<string, unknown>>(`getAddressInformation?address=${elector}&seqno=${seqno}`);
      const [first, last, unpinned] = [
        await at(1),
        await at(newest),
        await result(`getAddressInformation?address=${elector}`),
      ];
      expect(unpinned).toEqual(last);
      expect(first["balance"]).not.toBe(last["balance"]);
      for (const [seqno, account] of [
        [1, first],
        [newest, last],
      ] as const) {
        const { gen_utime } = await result<{ gen_utime: number }>(
          `getBlockHeader?${masterchain}&seqno=${seqno}`,
        );
        const listing = await result<Listing>(`getBlockTransactions?${masterchain}&seqno=${seqno}`);
        const { lt, hash } = listing.transactions.findLast((each) => each.account === elector)!;
        expect(account).toEqual({
          "@type": "raw.fullAccountState",
          balance: expect.stringMatching(/^\d+$/),
          extra_currencies: [],
          last_transaction_id: { "@type": "internal.transactionId", lt, hash },
          block_id: await idOf(-1, 1n << 63n, seqno),
          code: expect.stringMatching(/^te6cc/),
          data: expect.stringMatching(/^te6cc/),
          frozen_hash: "",
          sync_utime: gen_utime,
          state: "active",
          suspended: false,
        });
      }
      for (const seqno of [1, newest]) {
        const { balance } = await at(seqno);
        expect(await result(`getAddressBalance?address=${elector}&seqno=${seqno}`)).toBe(balance);
        expect(await result(`getAddressState?address=${elector}&seqno=${seqno}`)).toBe("active");
      }
    });

    it("of the basechain have the time of their shard block and the id of the masterchain block", async () => {
      const nobody = `0:${"ab".repeat(32)}`;
      const { shards } = await result<{ shards: BlockId[] }>(`getShards?seqno=${newest}`);
      const { shard, seqno } = shards.find((each) =>
        shardContainsPrefix(unsigned(each.shard), 0xababababababababn),
      )!;
      const { gen_utime } = await result<{ gen_utime: number }>(
        `getBlockHeader?workchain=0&shard=${shard}&seqno=${seqno}`,
      );
      expect(await result(`getAddressInformation?address=${nobody}&seqno=${newest}`)).toMatchObject({
        block_id: await idOf(-1, 1n << 63n, newest),
        sync_utime: gen_utime,
      });
    });

    it("are shown as the cell of their shard", async () => {
      const { bytes } = await result<{ bytes: string }>(`getShardAccountCell?address=${elector}`);
      const leaf = parseBocRoot(base64ToBytes(bytes)!).parse();
      const { last_transaction_id: last } = await result<{
        last_transaction_id: { lt: string; hash: string };
      }>(`getAddressInformation?address=${elector}`);
      expect(leaf.loadRef().bits).toBeGreaterThan(300);
      expect([bytesToBase64(leaf.loadBytes(32)), leaf.loadBigUint(64).toString()]).toEqual([
        last.hash,
        last.lt,
      ]);
      leaf.end();
    });
  });

  describe("configuration", () => {
    it("has the same parameters in getConfigParam and getConfigAll", async () => {
      const { config } = await result<{ config: { bytes: string } }>("getConfigAll");
      const params = ConfigDictionary.load(parseBocRoot(base64ToBytes(config.bytes)!).parse());
      const numbers = [...params.keys()].filter((number) => number >= 0);
      expect(numbers.length).toBeGreaterThan(10);
      for (const number of numbers) {
        const one = await result<{ config: { bytes: string } }>(`getConfigParam?param=${number}`);
        expect(parseBocRoot(base64ToBytes(one.config.bytes)!).equals(params.get(number)!)).toBe(true);
        expect(await result(`getConfigParam?config_id=${number}`)).toEqual(one);
      }
    });
  });
});
