import { describe, expect, it } from "vitest";
import { formatBlockIdExt, shardIsAncestor } from "../../shared/ton/tlb/block-id.js";
import { base64ToBytes, bytesToBase64, hexToBytes } from "../../shared/values/bytes.js";
import { type BlockId, describeMainnet, masterchain, unsigned, whole } from "./describe-mainnet.js";

type Header = { id: BlockId; after_split: boolean; prev_blocks: BlockId[]; start_lt: string; end_lt: string };

/** The expected answers come from the archives of nodes and from the zero states. */
describeMainnet("the first blocks of mainnet", ({ ask, data, idOf, newest, result }) => {
  const blocks = data.recordedBlocks();
  const zero = data.one({ kind: "shard_state", network: "mainnet", workchain: -1, seqno: 0 });
  const zeroHashes = {
    root_hash: hexToBase64(zero.rootHash!),
    file_hash: hexToBase64(zero.raw["sha256"] as string),
  };

  describe("getMasterchainInfo and getConsensusBlock", () => {
    it("name the last block and the zero state", async () => {
      const last = blocks.find(({ workchain, seqno }) => workchain === -1 && seqno === newest)!;
      expect(await result("getMasterchainInfo")).toEqual({
        "@type": "blocks.masterchainInfo",
        last: await idOf(-1, 1n << 63n, newest),
        state_root_hash: hexToBase64(last.state_new),
        init: {
          "@type": "ton.blockIdExt",
          workchain: -1,
          shard: "0",
          seqno: 0,
          ...zeroHashes,
        },
      });
      expect(await result("getConsensusBlock")).toEqual({
        "@type": "ext.blocks.consensusBlock",
        consensus_block: newest,
        timestamp: 1_700_000_000,
      });
    });
  });

  describe("lookupBlock", () => {
    it("finds blocks by number, logical time and time", async () => {
      for (const seqno of [1, 2, 50, newest]) {
        const id = await result(`lookupBlock?${masterchain}&seqno=${seqno}`);
        expect(id).toEqual(await idOf(-1, 1n << 63n, seqno));
        const { start_lt, end_lt } = await result<Header>(`getBlockHeader?${masterchain}&seqno=${seqno}`);
        expect(await result(`lookupBlock?${masterchain}&lt=${start_lt}`)).toEqual(id);
        expect(await result(`lookupBlock?${masterchain}&lt=${end_lt}`)).toEqual(id);
      }
      const first = await result<{ gen_utime: number }>(`getBlockHeader?${masterchain}&seqno=1`);
      expect(await result(`lookupBlock?${masterchain}&unixtime=${first.gen_utime}`)).toMatchObject({
        seqno: 1,
      });
      expect(await result(`lookupBlock?${masterchain}&unixtime=0`)).toMatchObject({ seqno: 1 });
    });

    it("finds the block of a shard by any part of the shard", async () => {
      const { shards } = await result<{ shards: BlockId[] }>(`getShards?seqno=${newest}`);
      for (const { shard, seqno } of shards) {
        const deeper = BigInt.asIntN(64, unsigned(shard) | 1n);
        expect(await result(`lookupBlock?workchain=0&shard=${deeper}&seqno=${seqno}`)).toMatchObject({
          shard,
          seqno,
        });
      }
    });

    it("answers an error for a block that does not exist", async () => {
      const { status, json } = await ask(`/api/v2/lookupBlock?${masterchain}&seqno=${newest + 1}`);
      expect([status, json]).toEqual([
        500,
        {
          ok: false,
          error: `LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000) seqno=${newest + 1}: seqno not in db (last known masterchain block: ${newest})`,
          code: 500,
          "@extra": expect.any(String),
        },
      ]);
    });
  });

  describe("getShards", () => {
    it("lists the shards in their order as they split", async () => {
      const shardsAt = async (seqno: number) =>
        (await result<{ shards: BlockId[] }>(`getShards?seqno=${seqno}`)).shards;
      expect(await shardsAt(1)).toMatchObject([{ shard: whole, seqno: 0 }]);
      const split = await shardsAt(newest);
      expect(split.length).toBeGreaterThan(1);
      expect(split.map(recordedName)).toEqual(data.shardsAt(newest).map(({ name }) => name));
    });

    it("has the alias shards", async () => {
      expect(await result(`shards?seqno=${newest}`)).toEqual(await result(`getShards?seqno=${newest}`));
    });
  });

  describe("getBlockHeader", () => {
    it("shows every field of a header", async () => {
      expect(await result(`getBlockHeader?workchain=0&shard=${whole}&seqno=5`)).toEqual({
        "@type": "blocks.header",
        id: await idOf(0, 1n << 63n, 5),
        global_id: -239,
        version: 0,
        flags: 0,
        after_merge: false,
        after_split: false,
        before_split: false,
        want_merge: false,
        want_split: false,
        validator_list_hash_short: -1420722776,
        catchain_seqno: 1,
        min_ref_mc_seqno: 2,
        is_key_block: false,
        prev_key_block_seqno: 0,
        start_lt: "6000000",
        end_lt: "6000001",
        gen_utime: 1573822403,
        vert_seqno: 0,
        prev_blocks: [await idOf(0, 1n << 63n, 4)],
      });
      expect(await result(`getBlockHeader?${masterchain}&seqno=1`)).toMatchObject({
        validator_list_hash_short: -1447544682,
        min_ref_mc_seqno: 1,
        prev_blocks: [
          {
            shard: whole,
            seqno: 0,
            ...zeroHashes,
          },
        ],
      });
    });

    it("leads back from the newest block to the first one, across the splits", async () => {
      let splits = 0;
      const { shards } = await result<{ shards: BlockId[] }>(`getShards?seqno=${newest}`);
      for (let at of shards.slice(0, 1)) {
        while (at.seqno > 0) {
          const hashes = `root_hash=${encodeURIComponent(at.root_hash)}&file_hash=${encodeURIComponent(at.file_hash)}`;
          const header = await result<Header>(
            `getBlockHeader?workchain=0&shard=${at.shard}&seqno=${at.seqno}&${hashes}`,
          );
          expect(header.id).toEqual(at);
          if (header.after_split) splits++;
          at = header.prev_blocks[0]!;
        }
      }
      const shard = unsigned(shards[0]!.shard);
      const recorded = blocks.filter(
        (each) => each.after_split && shardIsAncestor(BigInt(`0x${each.shard}`), shard),
      );
      expect(splits).toBe(recorded.length);
      expect(splits).toBeGreaterThan(0);
    });

    it("refuses the hashes of another block", async () => {
      const other = "A".repeat(43);
      const { status, json } = await ask(
        `/api/v2/getBlockHeader?${masterchain}&seqno=5&root_hash=${other}%3D&file_hash=${other}%3D`,
      );
      expect([status, (json as { error: string }).error]).toEqual([
        500,
        expect.stringMatching(/^LITE_SERVER_/),
      ]);
      // One hash alone is ignored.
      expect(await result(`getBlockHeader?${masterchain}&seqno=5&root_hash=${other}%3D`)).toMatchObject({
        id: { seqno: 5 },
      });
    });
  });
});

/** The block's name in the list beside its package. */
function recordedName({ workchain, shard, seqno, root_hash, file_hash }: BlockId): string {
  const hashes = { rootHash: base64ToBytes(root_hash)!, fileHash: base64ToBytes(file_hash)! };
  return `block_${formatBlockIdExt({ workchain, shard: unsigned(shard), seqno, ...hashes })}`;
}

function hexToBase64(hex: string): string {
  return bytesToBase64(hexToBytes(hex)!);
}
