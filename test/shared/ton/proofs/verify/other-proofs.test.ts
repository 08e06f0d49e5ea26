import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { recordProof } from "../../../../../shared/ton/cells/merkle/proof.js";
import type { LiteApi, PartialBlockProof } from "../../../../../shared/ton/lite/lite-api.js";
import { readLinkBack, readSignatures } from "../../../../../shared/ton/proofs/read/block-proofs.js";
import { readPreviousBlocks } from "../../../../../shared/ton/proofs/read/previous-blocks.js";
import { masterchainExtra } from "../../../../../shared/ton/proofs/verify/proof-trees.js";
import type { BlockIdExt } from "../../../../../shared/ton/tlb/block-id.js";
import { busyChain } from "../../../../helpers/chain/busy-chain.js";
import { blockAt, type Target } from "../../../../helpers/chain/contract/target.js";
import { verified } from "../../../../helpers/chain/trusted.js";
import { isLong } from "../../../../helpers/effort.js";

describe("a server whose valid proofs are for another request is detected", () => {
  let target: Target;
  let api: LiteApi;
  beforeAll(async () => {
    target = await busyChain();
    api = target.api;
  });
  afterAll(() => target.close?.());

  const block = (seqno: number) => blockAt(api, seqno);

  /** A server that answers every request for a block proof with this one. */
  async function proving(answer: () => Promise<PartialBlockProof>): Promise<LiteApi> {
    return verified({ ...api, getBlockProof: () => answer() });
  }

  async function lead(from: BlockIdExt, to: BlockIdExt): Promise<PartialBlockProof> {
    return { ...(await api.getBlockProof({ knownBlock: from, targetBlock: to })), complete: false };
  }

  test.each([2, 4, 7])("that sends the signatures of block %i for those of block 5", async (other) => {
    const [previous, asked] = [await block(4), await block(5)];
    const lite = await proving(async () => lead(previous, await block(other)));
    await expect(readSignatures(lite, { previous, block: asked })).rejects.toMatchObject({
      name: "ProofError",
    });
  });

  test("that proves block 5 by a link back from a later block", async () => {
    const [previous, asked, later] = [await block(4), await block(5), await block(7)];
    const lite = await proving(async () => {
      const there = await lead(previous, later);
      const back = await lead(later, asked);
      return { complete: true, from: previous, to: asked, steps: [...there.steps, ...back.steps] };
    });
    await expect(readSignatures(lite, { previous, block: asked })).rejects.toMatchObject({
      name: "ProofError",
    });
  });

  test.each([2, 4])("that proves block %i instead of block 3", async (other) => {
    const [from, to] = [await block(7), await block(3)];
    const lite = await proving(async () => lead(from, await block(other)));
    await expect(readLinkBack(lite, { from, to })).rejects.toMatchObject({ name: "ProofError" });
  });

  test("that proves an earlier block by two links", async () => {
    const [from, between, to] = [await block(7), await block(5), await block(3)];
    const lite = await proving(async () => {
      const [first, second] = [await lead(from, between), await lead(between, to)];
      return { complete: true, from, to, steps: [...first.steps, ...second.steps] };
    });
    await expect(readLinkBack(lite, { from, to })).rejects.toMatchObject({ name: "ProofError" });
  });

  test.runIf(isLong)("that leaves out the hundredth blocks that contracts see", async () => {
    while ((await api.getMasterchainInfo()).last.seqno < 120) await target.advance!();
    const newest = await block(120);
    const shown = await readPreviousBlocks(await verified(api), newest);
    expect(await readPreviousBlocks(api, newest)).toEqual(shown);
    const { data } = await api.getState({ id: newest });
    const { proof } = recordProof(parseBocRoot(data), (state) => {
      const { config, history } = masterchainExtra(state);
      config.config.value.get(8);
      for (let seqno = 104; seqno < 120; seqno++) history.value.prevBlocks.get(seqno);
      history.value.prevBlocks.get(0);
    });
    const honest = await api.getConfigParams({ id: newest, paramList: [], prevBlocks: true, proof: true });
    const without = { ...honest, configProof: serializeBoc(proof) };
    const lite = await verified({ ...api, getConfigParams: async () => without });
    await expect(readPreviousBlocks(lite, newest)).rejects.toMatchObject({ name: "ProofError" });
  });
});
