import { expect, onTestFinished, test } from "vitest";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { topBlock } from "../../shared/ton/proofs/make/shard-hashes.js";
import { previousBlockIds } from "../../shared/ton/proofs/make/shard-links.js";
import { readNewShardBlocks } from "../../shared/ton/proofs/read/new-shard-blocks.js";
import { Block } from "../../shared/ton/tlb/block.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { registeredShards } from "../../shared/ton/tlb/shard-hashes.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { receiversOfHalves, twoShardsFromTheFirst } from "../helpers/chain/two-shards.js";
import { startIndexApp } from "../helpers/http/index-app.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { describeDatabase } from "../helpers/store/describe-databases.js";

const chainOf = twoShardsFromTheFirst();

const namesOf = (blocks: readonly { workchain: number; shard: string; seqno: number }[]) =>
  blocks.map(({ workchain, shard, seqno }) => `${workchain}:${shard}:${seqno}`).sort();
const names = ["-1:8000000000000000:1", "0:4000000000000000:1", "0:C000000000000000:1"];

test("the new shard blocks of a first masterchain block are those of all its shards", async () => {
  const { lite, blocks } = await chainOf;
  const [masterchain, ...shards] = blocks as [BlockIdExt, ...BlockIdExt[]];
  const open = async (id: BlockIdExt) => decode(Block, parseBocRoot((await lite.getBlock({ id })).data));
  const reader = {
    blockAt: () => Promise.reject(new Error("there is no block before the first one")),
    header: async (id: BlockIdExt) => ({ previous: previousBlockIds(id, (await open(id)).info.value) }),
    shards: async (id: BlockIdExt) =>
      Array.from(registeredShards((await open(id)).extra.value.custom!.value.shardHashes), topBlock),
  };
  expect(await readNewShardBlocks(reader, masterchain)).toEqual(shards);
});

describeDatabase("An index of a network with several shards from the first block on", (fresh) => {
  test("has the blocks, transactions and accounts of all of them", async () => {
    const { lite, blocks } = await chainOf;
    const database = await fresh();
    await indexAll(database, lite);
    const app = await startIndexApp(database);
    onTestFinished(() => app.close());
    const state = await app.result<V3Result<"masterchainBlockShardState">>(
      "masterchainBlockShardState?seqno=1",
    );
    expect(namesOf(state.blocks)).toEqual(names);
    expect(state.blocks.map(({ root_hash }) => root_hash).sort()).toEqual(
      blocks.map(({ rootHash }) => bytesToBase64(rootHash)).sort(),
    );
    const diff = await app.result<V3Result<"masterchainBlockShards">>("masterchainBlockShards?seqno=1");
    expect(namesOf(diff.blocks)).toEqual(names);
    for (const [at, account] of receiversOfHalves.entries()) {
      const raw = account.toRawUpper();
      const { transactions } = await app.result<V3Result<"transactions">>(
        `transactions?mc_seqno=1&account=${raw}&workchain=0&shard=${["4000000000000000", "C000000000000000"][at]}`,
      );
      expect(transactions.map((each) => each.account)).toEqual([raw]);
      const { accounts } = await app.result<V3Result<"accountStates">>(`accountStates?address=${raw}`);
      expect(accounts).toMatchObject([{ address: raw, last_transaction_hash: transactions[0]!.hash }]);
    }
  });
});
