import { describe, expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { openMerkleProof } from "../../../../shared/ton/cells/merkle/proof.js";
import { binTree } from "../../../../shared/ton/tlb/bin-tree.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { type BlockIdExt, invalidWorkchain, wholeShard } from "../../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { ShardDescr } from "../../../../shared/ton/tlb/shard-descr.js";
import { registeredShards, ShardHashes, shardAt } from "../../../../shared/ton/tlb/shard-hashes.js";
import { checkStateBoc, masterchainExtra, topOf } from "./proof-checks.js";
import { expectFlipsFail, expectLiteError, type Opened, strange } from "./target.js";

const onlyMasterchain = "reference block must belong to the masterchain";

export function describeShards(opened: Opened): void {
  describe("shards", () => {
    test("all shards of a masterchain block are sent as the dictionary in its proof", async () => {
      const { last: id, shards } = opened.sample;
      const answer = await opened.api.getAllShardsInfo({ id, proof: true });
      expect(answer.id).toEqual(id);
      const given = decode(ShardHashes, parseBocRoot(answer.data));
      expect([...registeredShards(given)].map(topOf)).toEqual(shards);
      const block = openMerkleProof(parseBocRoot(answer.proof));
      expect(block.hash()).toEqual(id.rootHash);
      const proven = decode(Block, block).extra.value.custom!.value.shardHashes;
      expect(proven.root!.hash()).toEqual(given.root!.hash());
    });

    test("no proof is sent unless asked for", async () => {
      const { last: id, shards } = opened.sample;
      const [shard] = shards;
      const all = await opened.api.getAllShardsInfo({ id });
      const one = await opened.api.getShardInfo({ id, workchain: 0, shard: shard!.shard, exact: true });
      expect([all.proof.length, one.shardProof.length]).toEqual([0, 0]);
    });

    test("a shard is found by its id or by an account in it, and proven by the state", async () => {
      const { last: id, shards } = opened.sample;
      for (const shardblk of shards) {
        for (const [shard, exact] of [
          [shardblk.shard, true],
          [shardblk.shard, false],
          [shardblk.shard | 1n, false],
        ] as const) {
          const answer = await opened.api.getShardInfo({ id, workchain: 0, shard, exact, proof: true });
          expect(answer.id).toEqual(id);
          expect(answer.shardblk).toEqual(shardblk);
          const proven = shardAt(
            masterchainExtra(checkStateBoc(id, answer.shardProof)).shardHashes,
            0,
            shard,
          );
          expect(topOf(proven!)).toEqual(shardblk);
          const leaf = decode(binTree(ShardDescr), parseBocRoot(answer.shardDescr));
          expect(leaf).toEqual({ kind: "leaf", value: proven!.descr });
        }
      }
    });

    test("an unknown workchain and an inexact shard are proven absent", async () => {
      const { last: id, shards } = opened.sample;
      const nothing = { workchain: invalidWorkchain, shard: 0n, seqno: 0, rootHash: zeros, fileHash: zeros };
      for (const asked of [
        { workchain: 5, shard: wholeShard, exact: false },
        { workchain: 0, shard: shards[0]!.shard | 1n, exact: true },
      ]) {
        const { shardProof, ...answer } = await opened.api.getShardInfo({ id, ...asked, proof: true });
        expect(answer).toEqual({ id, shardblk: nothing, shardDescr: new Uint8Array(0) });
        const proven = masterchainExtra(checkStateBoc(id, shardProof)).shardHashes;
        expect(proven.has(5)).toBe(false);
      }
    });

    test("a flipped bit of a shard proof is detected", async () => {
      const { last: id, shards } = opened.sample;
      const { workchain, shard } = shards[0]!;
      const { shardProof } = await opened.api.getShardInfo({
        id,
        workchain,
        shard,
        exact: true,
        proof: true,
      });
      expectFlipsFail(shardProof, (proof) => {
        const found = shardAt(masterchainExtra(checkStateBoc(id, proof)).shardHashes, workchain, shard);
        if (!found) throw new Error("not there");
      });
    });

    test("the reference must be an existing masterchain block", async () => {
      const { last, shards } = opened.sample;
      const [shard] = shards;
      const asked = { workchain: 0, shard: wholeShard, exact: false };
      await expectLiteError(opened.api.getAllShardsInfo({ id: shard! }), -400, onlyMasterchain);
      await expectLiteError(opened.api.getShardInfo({ id: shard!, ...asked }), -400, onlyMasterchain);
      await expectLiteError(
        opened.api.getShardInfo({ id: last, ...asked, shard: 0n }),
        -400,
        "requested shard is invalid",
      );
      await expectLiteError(
        opened.api.getAllShardsInfo({ id: strange(last) }),
        651,
        /^cannot load block \(-1,8000000000000000,\d+\):(5A){32}:(5A){32} : block \(-1,8000000000000000,\d+\) is not in db$/,
      );
    });
  });

  describe("shard block proofs", () => {
    test("links lead from the masterchain down to every block of a shard", async () => {
      for (const shard of [...opened.sample.shards, await blockBefore(opened, opened.sample.shards[0]!)]) {
        const { masterchainId, links } = await opened.api.getShardBlockProof({ id: shard });
        let at = masterchainId;
        for (const { id, proof } of links) {
          const root = openMerkleProof(parseBocRoot(proof));
          expect(root.hash()).toEqual(at.rootHash);
          const block = decode(Block, root);
          const next =
            at.workchain === -1 ? [hashesOfShard(block, id)] : block.info.value.prevRef.value.map(hashes);
          expect(next).toContainEqual(hashes(id));
          at = id;
        }
        expect(at).toEqual(shard);
      }
    });

    test("a masterchain block needs no links", async () => {
      const { last } = opened.sample;
      expect(await opened.api.getShardBlockProof({ id: last })).toEqual({ masterchainId: last, links: [] });
    });

    test("a block that does not exist has no proof", async () => {
      const shard = opened.sample.shards[0]!;
      await expectLiteError(
        opened.api.getShardBlockProof({ id: strange(shard) }),
        651,
        /^block \(0,[0-9a-f]{16},\d+\) is not in db$/,
      );
      await expectLiteError(
        opened.api.getShardBlockProof({ id: { ...shard, shard: 0n } }),
        -400,
        "invalid block id",
      );
    });
  });
}

const zeros = new Uint8Array(32);

function hashes({ rootHash, fileHash }: { rootHash: Uint8Array; fileHash: Uint8Array }) {
  return { rootHash, fileHash };
}

function hashesOfShard(block: Block, { workchain, shard }: BlockIdExt) {
  return hashes(shardAt(block.extra.value.custom!.value.shardHashes, workchain, shard)!.descr);
}

async function blockBefore({ api }: Opened, id: BlockIdExt): Promise<BlockIdExt> {
  return (await api.lookupBlock({ id: { ...id, seqno: id.seqno - 1 }, bySeqno: true })).id;
}
