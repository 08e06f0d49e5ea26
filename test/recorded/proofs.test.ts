import { describe, expect, it } from "vitest";
import { isSignedBy } from "../../server/chain/ed25519.js";
import { parseBoc, parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { openMerkleProof } from "../../shared/ton/cells/merkle/proof.js";
import { configParam } from "../../shared/ton/tlb/config/config-param.js";
import { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import { type BlockId, describeMainnet, masterchain } from "./describe-mainnet.js";

describeMainnet("proofs of the first blocks of mainnet", ({ ask, idOf, newest, result }) => {
  describe("getMasterchainBlockSignatures", () => {
    it("gives signatures of the block id by validators of the configuration", async () => {
      for (const seqno of [1, 2, newest]) {
        const { config } = await result<{ config: { bytes: string } }>(`getConfigAll?seqno=${seqno}`);
        const params = ConfigDictionary.load(parseBocRoot(base64ToBytes(config.bytes)!).parse());
        const validators = configParam(params, 34)!;
        const keys = [...validators.list.values()].map(({ publicKey }) => publicKey.pubkey);
        const { id, signatures } = await result<{ id: BlockId; signatures: { signature: string }[] }>(
          `getMasterchainBlockSignatures?seqno=${seqno}`,
        );
        expect(id).toEqual(await idOf(-1, 1n << 63n, seqno));
        expect(signatures.length).toBeGreaterThanOrEqual(4);
        // ton.blockId root_hash:int256 file_hash:int256
        const signed = Buffer.concat([
          Buffer.from("706e0bc5", "hex"),
          base64ToBytes(id.root_hash)!,
          base64ToBytes(id.file_hash)!,
        ]);
        for (const { signature } of signatures)
          expect(keys.some((key) => isSignedBy(key, signed, base64ToBytes(signature)!))).toBe(true);
      }
    });
  });

  describe("getShardBlockProof", () => {
    it("leads from the trusted block to the block", async () => {
      const { shards } = await result<{ shards: BlockId[] }>("getShards?seqno=60");
      for (const top of shards) {
        const proof = await result<{
          from: BlockId;
          mc_id: BlockId;
          links: { id: BlockId; proof: string }[];
          mc_proof: { from: BlockId; to: BlockId; dest_proof: string; proof: string }[];
        }>(`getShardBlockProof?workchain=0&shard=${top.shard}&seqno=${top.seqno}`);
        expect(proof.from.seqno).toBe(newest);
        let at = proof.mc_id;
        for (const link of proof.links) {
          expect(proofRoot(link.proof)).toBe(at.root_hash);
          at = link.id;
        }
        expect(at).toEqual(top);
        const [back, ...more] = proof.mc_proof;
        expect(more).toEqual([]);
        expect([back!.from, back!.to]).toEqual([proof.from, proof.mc_id]);
        expect([proofRoot(back!.proof), proofRoot(back!.dest_proof)]).toEqual([
          proof.from.root_hash,
          proof.mc_id.root_hash,
        ]);
      }
    });

    it("needs no links for a masterchain block, and no proof for the trusted block itself", async () => {
      const id = await idOf(-1, 1n << 63n, 7);
      expect(await result(`getShardBlockProof?${masterchain}&seqno=7&from_seqno=7`)).toEqual({
        "@type": "blocks.shardBlockProof",
        from: id,
        mc_id: id,
        links: [],
        mc_proof: [],
      });
    });

    it("refuses a trusted block that is older or does not exist", async () => {
      const older = await ask(`/api/v2/getShardBlockProof?${masterchain}&seqno=7&from_seqno=6`);
      expect(older.json).toMatchObject({ ok: false, error: "from mc block is too old", code: 500 });
      const absent = await ask(
        `/api/v2/getShardBlockProof?${masterchain}&seqno=7&from_seqno=${newest + 400}`,
      );
      expect(absent.json).toMatchObject({
        error: expect.stringMatching(/^lookup from block error: LITE_SERVER_NOTREADY: cannot find block/),
        code: 500,
      });
    });
  });
});

/** Hash of the block a proof is of. */
function proofRoot(boc: string): string {
  const [root] = parseBoc(base64ToBytes(boc)!);
  return bytesToBase64(openMerkleProof(root!).hash());
}
