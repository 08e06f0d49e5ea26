import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { updateHashes } from "../../../../shared/ton/cells/merkle/merkle-update.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { formatBlockId, latestSeqno } from "../../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { checkHeaderBoc } from "./proof-checks.js";
import { expectFlipsFail, expectLiteError, type Opened, strange, timesOf } from "./target.js";

export function describeInfo(opened: Opened): void {
  describe("server information", () => {
    test("both forms of masterchain information name the same block, state and zero state", async () => {
      const info = await opened.api.getMasterchainInfo();
      const extended = await opened.api.getMasterchainInfoExt({});
      const { version, capabilities } = await opened.api.getVersion();
      const { block, info: header } = checkHeaderBoc(
        info.last,
        (await opened.api.getBlockHeader({ id: info.last, stateUpdate: true })).headerProof,
      );
      expect(extended).toEqual({
        ...info,
        version,
        capabilities,
        now: expect.any(Number),
        lastUtime: header.genUtime,
      });
      expect(info.stateRootHash).toEqual(updateHashes(block.stateUpdate).to);
    });

    test("the last block with all its shard blocks is reported", async () => {
      const { last } = await opened.api.getMasterchainInfoExt({ shardsApplied: true });
      expect(last.seqno).toBeGreaterThan(0);
    });

    test("the server reports its time and version", async () => {
      const { now } = await opened.api.getTime();
      expect(Number.isSafeInteger(now)).toBe(true);
      expect(await opened.api.getVersion()).toEqual({
        version: 0x101,
        capabilities: 15n,
        now: expect.any(Number),
      });
    });
  });
}

export function describeBlocks(opened: Opened): void {
  describe("blocks and states", () => {
    test("a block is the file that its id names", async () => {
      for (const id of [opened.sample.last, opened.sample.busy, opened.sample.first]) {
        const answer = await opened.api.getBlock({ id });
        expect(answer.id).toEqual(id);
        expect(sha256(answer.data)).toEqual(id.fileHash);
        expect(parseBocRoot(answer.data).hash()).toEqual(id.rootHash);
      }
    });

    test("blocks of another chain, future blocks and invalid ids are rejected with different errors", async () => {
      const { last, shards } = opened.sample;
      const api = opened.api;
      await expectLiteError(
        api.getBlock({ id: strange(last) }),
        651,
        `block ${formatBlockId(last)} is not in db`,
      );
      const ahead = { ...strange(last), seqno: last.seqno + 1000 };
      await expectLiteError(
        api.getBlock({ id: ahead }),
        651,
        /^block \(-1,8000000000000000,\d+\) is not in db \(last known masterchain block: \d+\)$/,
      );
      const shardAhead = { ...strange(shards[0]!), seqno: shards[0]!.seqno + 1000 };
      await expectLiteError(
        api.getBlock({ id: shardAhead }),
        651,
        /^block \(0,[0-9a-f]{16},\d+\) is not in db \(possibly out of sync: shard_client_seqno=\d+ ls_seqno=\d+\)$/,
      );
      await expectLiteError(
        api.getBlock({ id: { ...last, seqno: latestSeqno } }),
        -400,
        "invalid BlockIdExt",
      );
      await expectLiteError(api.getBlock({ id: { ...last, shard: 0n } }), -400, "invalid BlockIdExt");
    });

    test("zero states are the files that their ids name", async () => {
      const { zero } = opened.sample;
      const { data, ...ids } = await opened.api.getState({ id: zero });
      expect(ids).toEqual({ id: zero, rootHash: zero.rootHash, fileHash: zero.fileHash });
      expect(sha256(data)).toEqual(zero.fileHash);
      expect(parseBocRoot(data).hash()).toEqual(zero.rootHash);
    });

    test("an early state matches the header of its block, and its file hash that of the bytes", async () => {
      const { first } = opened.sample;
      const { id, rootHash, fileHash, data } = await opened.api.getState({ id: first });
      const { stateUpdate } = decode(Block, parseBocRoot((await opened.api.getBlock({ id: first })).data));
      expect(id).toEqual(first);
      expect(rootHash).toEqual(updateHashes(stateUpdate).to);
      expect(parseBocRoot(data).hash()).toEqual(rootHash);
      expect(sha256(data)).toEqual(fileHash);
    });

    test("whole states are served for the first 1000 blocks only", async () => {
      const { last } = opened.sample;
      await expectLiteError(
        opened.api.getState({ id: { ...strange(last), seqno: 1001 } }),
        -400,
        "cannot request total state: possibly too large",
      );
    });
  });

  describe("headers", () => {
    test("a header proof contains only the header and its references", async () => {
      for (const id of [opened.sample.last, opened.sample.busy]) {
        const { id: answered, headerProof } = await opened.api.getBlockHeader({ id });
        expect(answered).toEqual(id);
        const { block, info } = checkHeaderBoc(id, headerProof);
        expect(info.masterRef === undefined).toBe(id.workchain === -1);
        expect(() => block.extra.value).toThrow("pruned");
        expect(block.stateUpdate.type).toBe("pruned");
      }
    });

    test("each part of a block can be requested with its header", async () => {
      const { last: id } = opened.sample;
      const parts = { stateUpdate: true, valueFlow: true, extra: true };
      const { headerProof } = await opened.api.getBlockHeader({ id, ...parts });
      const { block } = checkHeaderBoc(id, headerProof);
      expect(updateHashes(block.stateUpdate).to).toEqual(
        (await opened.api.getMasterchainInfo()).last.seqno === id.seqno
          ? (await opened.api.getMasterchainInfo()).stateRootHash
          : expect.anything(),
      );
      expect(block.valueFlow.value.toNextBlk.coins).toBeGreaterThan(0n);
      const extra = block.extra.value.custom!.value;
      expect(() => [...extra.shardHashes.entries()].map(([, tree]) => tree.value)).toThrow("pruned");
      const more = await opened.api.getBlockHeader({
        id,
        extra: true,
        shardHashes: true,
        prevBlockSignatures: true,
      });
      const shown = checkHeaderBoc(id, more.headerProof).block.extra.value.custom!.value;
      expect([...shown.shardHashes.entries()].map(([workchain]) => workchain)).toEqual([0]);
      expect([...shown.details.value.prevBlkSignatures.entries()]).toBeInstanceOf(Array);
    });

    test("a flipped bit of a header proof is detected", async () => {
      const { last: id } = opened.sample;
      const { headerProof } = await opened.api.getBlockHeader({ id, stateUpdate: true });
      expectFlipsFail(headerProof, (proof) => checkHeaderBoc(id, proof));
    });

    test("blocks of a chain are linked by hash", async () => {
      const { last } = opened.sample;
      const info = await timesOf(opened.api, last);
      const [previous] = info.prevRef.value;
      const before = await opened.api.lookupBlock({ id: { ...last, seqno: last.seqno - 1 }, bySeqno: true });
      expect({ root: previous!.rootHash, file: previous!.fileHash }).toEqual({
        root: before.id.rootHash,
        file: before.id.fileHash,
      });
    });
  });
}

function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(bytes).digest());
}
