import { describe, expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { ConfigInfo } from "../../../../shared/ton/lite/lite-api.js";
import type { ConfigParams } from "../../../../shared/ton/tlb/config-params.js";
import { checkHeaderBoc, checkState, masterchainExtra } from "./proof-checks.js";
import { expectFlipsFail, expectLiteError, type Opened, strange, strangeHash } from "./target.js";

export function describeConfig(opened: Opened): void {
  describe("configuration", () => {
    test("the whole configuration is proven by the state of the block", async () => {
      const { last: id } = opened.sample;
      const answer = await opened.api.getConfigAll({ id, proof: true });
      expect(answer.id).toEqual(id);
      const numbers = [...checkConfig(answer).config.value.entries()].map(([number, param]) => {
        param.parse();
        return number;
      });
      expect(numbers).toEqual(expect.arrayContaining([0, 1, 8, 15, 18, 20, 21, 24, 25, 28, 34]));
      expectFlipsFail(answer.stateProof, (stateProof) => checkConfig({ ...answer, stateProof }));
    });

    test("single parameters are sent without the others", async () => {
      const { last: id } = opened.sample;
      const answer = await opened.api.getConfigParams({
        id,
        paramList: [20, 15, 15, -999, 1234],
        proof: true,
      });
      const { value: config } = checkConfig(answer).config;
      expect(config.get(15)!.bits).toBe(128);
      expect(config.get(20)!.bits).toBeGreaterThan(0);
      expect([config.get(-999), config.get(1234)]).toEqual([undefined, undefined]);
      expect(() => [...config.entries()].map(([, param]) => param.parse())).toThrow("pruned");
      const all = await opened.api.getConfigAll({ id });
      expect(answer.configProof.length).toBeLessThan(all.configProof.length);
      expectFlipsFail(answer.configProof, (configProof) => {
        const { value } = checkConfig({ ...answer, configProof }).config;
        expect(value.get(15)!.hash()).toEqual(config.get(15)!.hash());
        expect(value.get(20)!.hash()).toEqual(config.get(20)!.hash());
      });
    });

    test("options for parameters add to the listed ones", async () => {
      const { last: id } = opened.sample;
      const ask = { id, paramList: [15], proof: true };
      const shown = async (parts: object) =>
        checkConfig(await opened.api.getConfigParams({ ...ask, ...parts })).config.value;
      const bare = await shown({});
      const full = await shown({
        validatorSet: true,
        specialContracts: true,
        workchains: true,
        capabilities: true,
      });
      for (const number of [34, 31, 12, 8]) {
        expect(
          readable(() => bare.get(number)?.parse()),
          `parameter ${number}`,
        ).toBe(false);
        expect(full.get(number)!.parse().remainingBits).toBeGreaterThanOrEqual(0);
      }
    });

    test("earlier masterchain blocks are sent when asked for", async () => {
      const { last: id } = opened.sample;
      const answer = await opened.api.getConfigParams({ id, paramList: [], prevBlocks: true, proof: true });
      const state = checkState(id, parseBocRoot(answer.stateProof), parseBocRoot(answer.configProof));
      const { prevBlocks } = masterchainExtra(state).history.value;
      const before = await opened.api.lookupBlock({ id: { ...id, seqno: id.seqno - 1 }, bySeqno: true });
      expect(prevBlocks.get(id.seqno - 1)!.blkRef.rootHash).toEqual(before.id.rootHash);
      expect(prevBlocks.get(0)!.blkRef.rootHash).toEqual(opened.sample.zero.rootHash);
    });

    test("the configuration is sent without the state proof, too", async () => {
      const { last: id } = opened.sample;
      const proven = await opened.api.getConfigAll({ id, proof: true });
      expect(await opened.api.getConfigAll({ id })).toEqual({ ...proven, stateProof: new Uint8Array(0) });
    });

    test("from the last key block, the key block is the proof", async () => {
      const { last: id } = opened.sample;
      const { info } = checkHeaderBoc(id, (await opened.api.getBlockHeader({ id })).headerProof);
      const answer = opened.api.getConfigParams({ id, paramList: [15], fromPrevKeyBlock: true });
      if (info.prevKeyBlockSeqno === 0 && !info.keyBlock) {
        // The zero state is not a block.
        await expectLiteError(answer, 651, /^cannot find block .* seqno=0: seqno not in db$/);
        return;
      }
      const { id: key, stateProof, configProof } = await answer;
      expect(key.seqno).toBe(info.keyBlock ? id.seqno : info.prevKeyBlockSeqno);
      expect(stateProof).toHaveLength(0);
      const { block } = checkHeaderBoc(key, configProof);
      expect(block.extra.value.custom!.value.config!.config.value.get(15)!.bits).toBe(128);
    });

    test("at most 256 parameters can be read, at masterchain blocks of this chain", async () => {
      const { last: id, shards } = opened.sample;
      const paramList = Array.from({ length: 257 }, (_, number) => number);
      await expectLiteError(opened.api.getConfigParams({ id, paramList }), -400, "too long param list");
      expect((await opened.api.getConfigParams({ id, paramList: paramList.slice(1) })).id).toEqual(id);
      await expectLiteError(
        opened.api.getConfigAll({ id: shards[0]! }),
        -400,
        "configuration parameters can be loaded with respect to a masterchain block only",
      );
      await expectLiteError(
        opened.api.getConfigAll({ id: strange(id) }),
        651,
        /^cannot load block \(-1,8000000000000000,\d+\):(5A){32}:(5A){32} : block .* is not in db$/,
      );
      await expectLiteError(
        opened.api.getConfigAll({ id: strange(id), fromPrevKeyBlock: true }),
        -400,
        /^requested masterchain block .* is unknown from the perspective of reference block /,
      );
    });
  });
}

export function describeLibraries(opened: Opened): void {
  describe("libraries", () => {
    test("unknown libraries are skipped", async () => {
      const libraryList = [strangeHash, opened.sample.last.rootHash];
      expect(await opened.api.getLibraries({ libraryList })).toEqual({ result: [] });
    });

    test("their absence is proven at any block", async () => {
      const { last: id } = opened.sample;
      const answer = await opened.api.getLibrariesWithProof({ id, libraryList: [strangeHash] });
      expect({ id: answer.id, result: answer.result }).toEqual({ id, result: [] });
      const state = checkState(id, parseBocRoot(answer.stateProof), parseBocRoot(answer.dataProof));
      expect(state.totals.value.libraries.get(strangeHash)).toBeUndefined();
    });

    test("a library is sent with its code, and with its publishers when asked for", async ({ skip }) => {
      const { library } = opened.target;
      if (!library) return skip("this chain has no libraries");
      const { result } = await opened.api.getLibraries({ libraryList: [strangeHash, library, library] });
      expect(result).toEqual([{ hash: library, data: expect.any(Uint8Array) }]);
      expect(parseBocRoot(result[0]!.data).hash()).toEqual(library);
      const { last: id } = await opened.api.getMasterchainInfo();
      const ask = (more: object) => opened.api.getLibrariesWithProof({ id, libraryList: [library], ...more });
      const bare = await ask({ noData: true });
      expect(bare.result).toEqual([{ hash: library, data: new Uint8Array(0) }]);
      const full = await ask({ publishers: true });
      expect(full.result).toEqual(result);
      const proven = (dataProof: Uint8Array) =>
        checkState(id, parseBocRoot(full.stateProof), parseBocRoot(dataProof)).totals.value.libraries.get(
          library,
        )!;
      expect(proven(full.dataProof).lib.hash()).toEqual(library);
      expect([...proven(full.dataProof).publishers.keys()]).toHaveLength(1);
      expectFlipsFail(full.dataProof, (dataProof) => {
        expect([...proven(dataProof).publishers.keys()]).toHaveLength(1);
      });
    });

    test("only the first 16 are looked up", async () => {
      const libraryList = Array.from({ length: 40 }, (_, byte) => new Uint8Array(32).fill(byte));
      expect(await opened.api.getLibraries({ libraryList })).toEqual({ result: [] });
    });
  });
}

function checkConfig({ id, stateProof, configProof }: ConfigInfo): ConfigParams {
  return masterchainExtra(checkState(id, parseBocRoot(stateProof), parseBocRoot(configProof))).config;
}

function readable(read: () => unknown): boolean {
  try {
    return read() !== undefined;
  } catch {
    return false;
  }
}
