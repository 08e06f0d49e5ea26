import { expect, it } from "vitest";
import { parseBocRoot } from "../../../../../shared/ton/cells/boc/boc.js";
import type { LiteApi } from "../../../../../shared/ton/lite/lite-api.js";
import { readAccount } from "../../../../../shared/ton/proofs/read/account.js";
import { readConfig } from "../../../../../shared/ton/proofs/read/config.js";
import { readLibraries } from "../../../../../shared/ton/proofs/read/libraries.js";
import { wholeShard } from "../../../../../shared/ton/tlb/block-id.js";
import { configParam } from "../../../../../shared/ton/tlb/config/config-param.js";
import { Address } from "../../../../../shared/values/address.js";
import { describeWithChain } from "../../../../helpers/test-data.js";

const block = {
  workchain: -1,
  shard: wholeShard,
  seqno: 1,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
};
const noBytes = new Uint8Array(0);

/** A LiteApi with the methods that a test needs. */
function answering(answers: Partial<LiteApi>): LiteApi {
  return answers as LiteApi;
}

describeWithChain("answers of real liteservers", (data) => {
  it("contain whole configurations, in proofs without anything else", async () => {
    const proofs = data.entries.filter(
      ({ raw }) => raw["note"] === "config_proof of a liteServer.configInfo answer",
    );
    expect(proofs).toHaveLength(2);
    for (const proof of proofs) {
      const lite = answering({
        getConfigAll: async ({ id }) => ({ id, stateProof: noBytes, configProof: proof.read() }),
      });
      const { root, params } = await readConfig(lite, block);
      const numbers = [...params.keys()];
      expect(numbers.length).toBeGreaterThan(20);
      for (const number of [8, 12, 18, 20, 21, 24, 25, 34] as const)
        expect(configParam(params, number)).toBeDefined();
      // Nothing below the root is pruned.
      expect(root.levelMask).toBe(0);
    }
  });

  it("are rejected if they prove another account", async () => {
    const proof = data.one({ kind: "merkle_proof/block" }).read();
    const lite = answering({
      getAccountState: async ({ id }) => ({
        id,
        shardblk: { ...id, workchain: 0 },
        shardProof: noBytes,
        proof,
        state: noBytes,
      }),
    });
    for (const byte of [0x11, 0x77, 0xee]) {
      const address = new Address(0, new Uint8Array(32).fill(byte));
      await expect(readAccount(lite, block, address)).rejects.toMatchObject({ code: "pruned" });
    }
  });

  it("may wrap a library in an empty cell, but must contain it", async () => {
    const cell = parseBocRoot(data.one({ kind: "account" }).read());
    const boc = data.one({ kind: "account" }).read();
    const lite = (hash: Uint8Array) =>
      answering({ getLibraries: async () => ({ result: [{ hash, data: boc }] }) });
    const [library] = await readLibraries(lite(cell.hash()), [cell.hash()]);
    expect(library!.cell.equals(cell)).toBe(true);
    const [inside] = await readLibraries(lite(cell.ref(0).hash()), [cell.ref(0).hash()]);
    expect(inside!.cell.equals(cell.ref(0))).toBe(true);
    await expect(readLibraries(lite(new Uint8Array(32)), [new Uint8Array(32)])).rejects.toThrow(
      "another cell than library",
    );
  });

  it("are requested for 16 distinct libraries per call", async () => {
    const asked: number[] = [];
    const lite = answering({
      getLibraries: async ({ libraryList }) => {
        asked.push(libraryList.length);
        return { result: [] };
      },
    });
    const hashes = Array.from({ length: 40 }, (_, i) => new Uint8Array(32).fill(i % 35));
    expect(await readLibraries(lite, hashes)).toEqual([]);
    expect(asked).toEqual([16, 16, 3]);
  });
});
