import { describe, expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { openMerkleProof } from "../../../../shared/ton/cells/merkle/proof.js";
import type { LookupBlockResult } from "../../../../shared/ton/lite/lite-api.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { type BlockIdExt, masterchain, sameBlock, wholeShard } from "../../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { shardAt } from "../../../../shared/ton/tlb/shard-hashes.js";
import { checkHeaderBoc, checkState, masterchainExtra, topOf } from "./proof-checks.js";
import { blockAt, expectLiteError, type Opened, strange, timesOf } from "./target.js";

const oneWay = "exactly one of mode.0, mode.1 and mode.2 bits must be set";

export function describeLookups(opened: Opened): void {
  describe("block lookup", () => {
    test("a block is found by its seqno, and by every lt and time within it", async () => {
      for (const id of [opened.sample.last, opened.sample.busy, opened.sample.first]) {
        const { startLt, endLt } = await timesOf(opened.api, id);
        for (const by of [{ bySeqno: true }, { lt: startLt }, { lt: startLt + 1n }, { lt: endLt }]) {
          const found = await opened.api.lookupBlock({ id, ...by });
          expect(found.id).toEqual(id);
          checkHeaderBoc(id, found.headerProof);
        }
      }
    });

    test("a time finds the first block made then or later", async () => {
      const { last } = opened.sample;
      const { genUtime } = await timesOf(opened.api, last);
      const found = await opened.api.lookupBlock({ id: last, utime: genUtime });
      const { info } = checkHeaderBoc(found.id, found.headerProof);
      expect(info.genUtime).toBe(genUtime);
      const before = await timesOf(opened.api, await blockAt(opened.api, found.id.seqno - 1));
      expect(before.genUtime).toBeLessThan(genUtime);
    });

    test("the shard is an account prefix", async () => {
      const [shard] = opened.sample.shards;
      const inside = shard!.shard | 1n;
      const { id } = await opened.api.lookupBlock({ id: { ...shard!, shard: inside }, bySeqno: true });
      expect(id).toEqual(shard);
    });

    test("the header has the parts asked for", async () => {
      const { last } = opened.sample;
      const found = await opened.api.lookupBlock({ id: last, bySeqno: true, stateUpdate: true });
      expect(found).toEqual(await opened.api.getBlockHeader({ id: last, stateUpdate: true }));
    });

    test("a lookup takes exactly one criterion", async () => {
      const { last: id, last: mcBlockId } = opened.sample;
      for (const by of [
        {},
        { bySeqno: true, lt: 1n },
        { lt: 1n, utime: 1 },
        { bySeqno: true, lt: 1n, utime: 1 },
      ]) {
        await expectLiteError(opened.api.lookupBlock({ id, ...by }), -400, oneWay);
        await expectLiteError(opened.api.lookupBlockWithProof({ id, mcBlockId, ...by }), -400, oneWay);
      }
    });

    test("a block that does not exist yet is reported with the criterion of the lookup", async () => {
      const { last, shards } = opened.sample;
      const [shard] = shards;
      const api = opened.api;
      await expectLiteError(
        api.lookupBlock({ id: { ...last, seqno: 999_999_999 }, bySeqno: true }),
        651,
        /^cannot find block \(-1,8000000000000000\) seqno=999999999: seqno not in db \(last known masterchain block: \d+\)$/,
      );
      await expectLiteError(
        api.lookupBlock({ id: last, lt: 1n << 62n }),
        651,
        /^cannot find block \(-1,8000000000000000\) lt=4611686018427387904: lt not in db \(last known masterchain block: \d+\)$/,
      );
      await expectLiteError(
        api.lookupBlock({ id: last, utime: 4_000_000_000 }),
        651,
        /^cannot find block \(-1,8000000000000000\) utime=4000000000: ts not in db \(last known masterchain block: \d+\)$/,
      );
      await expectLiteError(
        api.lookupBlock({ id: { ...shard!, seqno: 999_999_999 }, bySeqno: true }),
        651,
        /^cannot find block \(0,[0-9a-f]{16}\) seqno=999999999: seqno not in db \(possibly out of sync: shard_client_seqno=\d+ ls_seqno=\d+\)$/,
      );
      await expectLiteError(
        api.lookupBlock({ id: { workchain: 77, shard: wholeShard, seqno: 1 }, bySeqno: true }),
        651,
        "cannot find block (77,8000000000000000) seqno=1: seqno not in db",
      );
    });
  });

  describe("block lookup with proof", () => {
    test("an earlier masterchain block is proven by the trusted block's state", async () => {
      const { last: mcBlockId, first } = opened.sample;
      const answer = await opened.api.lookupBlockWithProof({ id: first, mcBlockId, bySeqno: true });
      expect(checkLookup(mcBlockId, answer)).toEqual(first);
      expect(answer.prevHeader).toHaveLength(0);
    });

    test("the trusted block itself needs only its header as proof", async () => {
      const { last: mcBlockId } = opened.sample;
      const answer = await opened.api.lookupBlockWithProof({ id: mcBlockId, mcBlockId, bySeqno: true });
      expect(checkLookup(mcBlockId, answer)).toEqual(mcBlockId);
      expect(
        [answer.clientMcStateProof, answer.mcBlockProof, answer.shardLinks].map((each) => each.length),
      ).toEqual([0, 0, 0]);
    });

    test("a lookup by time proves that the previous block is too early", async () => {
      const { last: mcBlockId } = opened.sample;
      const wanted = await blockAt(opened.api, mcBlockId.seqno - 1);
      const { startLt } = await timesOf(opened.api, wanted);
      const answer = await opened.api.lookupBlockWithProof({ id: wanted, mcBlockId, lt: startLt });
      expect(checkLookup(mcBlockId, answer)).toEqual(wanted);
      const [previous] = checkHeaderBoc(wanted, answer.header).info.prevRef.value;
      const before = openMerkleProof(parseBocRoot(answer.prevHeader));
      expect(before.hash()).toEqual(previous!.rootHash);
      expect(decode(Block, before).info.value.endLt).toBeLessThan(startLt);
    });

    test("a shard block is proven from the masterchain block that registered it", async () => {
      const { last: mcBlockId, shards } = opened.sample;
      for (const shard of shards) {
        const answer = await opened.api.lookupBlockWithProof({ id: shard, mcBlockId, bySeqno: true });
        expect(checkLookup(mcBlockId, answer)).toEqual(shard);
      }
    });

    test("a trusted block that is older than the one wanted, or of a shard, is rejected", async () => {
      const { last, first, shards } = opened.sample;
      await expectLiteError(
        opened.api.lookupBlockWithProof({ id: last, mcBlockId: first, bySeqno: true }),
        -400,
        "specified mc block is older than block's masterchain ref",
      );
      await expectLiteError(
        opened.api.lookupBlockWithProof({ id: first, mcBlockId: shards[0]!, bySeqno: true }),
        -400,
        "masterchain block id must be specified",
      );
      await expectLiteError(
        opened.api.lookupBlockWithProof({ id: first, mcBlockId: strange(last), bySeqno: true }),
        651,
        /^cannot load block \(-1,8000000000000000,\d+\):5A{1}.*is not in db$/,
      );
    });
  });
}

/** Verifies the answer from the trusted block to the one found. */
function checkLookup(trusted: BlockIdExt, answer: LookupBlockResult): BlockIdExt {
  const { mcBlockId, clientMcStateProof, mcBlockProof } = answer;
  if (!sameBlock(trusted, mcBlockId)) {
    const state = checkState(trusted, parseBocRoot(clientMcStateProof), parseBocRoot(mcBlockProof));
    const listed = masterchainExtra(state).history.value.prevBlocks.get(mcBlockId.seqno)!.blkRef;
    expect({ root: listed.rootHash, file: listed.fileHash }).toEqual({
      root: mcBlockId.rootHash,
      file: mcBlockId.fileHash,
    });
  }
  let at = mcBlockId;
  for (const { id, proof } of answer.shardLinks) {
    const root = openMerkleProof(parseBocRoot(proof));
    expect(root.hash()).toEqual(at.rootHash);
    const block = decode(Block, root);
    if (at.workchain === masterchain) {
      const shards = block.extra.value.custom!.value.shardHashes;
      expect(topOf(shardAt(shards, id.workchain, id.shard)!)).toEqual(id);
    } else expect(block.info.value.prevRef.value.map(({ rootHash }) => rootHash)).toContainEqual(id.rootHash);
    at = id;
  }
  expect(at).toEqual(answer.id);
  checkHeaderBoc(answer.id, answer.header);
  return answer.id;
}
