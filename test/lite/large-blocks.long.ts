// Blocks as large as the configuration proposed for mainnet in 2026 allows, on each path that a block takes.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { AnswerGuard } from "../../server/chain/liteservers/answer-guard.js";
import { BagThread } from "../../server/chain/liteservers/bag-thread.js";
import { remoteLiteApi } from "../../server/chain/liteservers/remote-lite-api.js";
import { ServerConnection } from "../../server/chain/liteservers/server-connection.js";
import { statedCells } from "../../shared/ton/cells/boc/boc-header.js";
import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import { invokerOf, type LiteMethod } from "../../shared/ton/lite/lite-methods.js";
import { bagsOfAnswer } from "../../shared/ton/proofs/verify/answer-limits.js";
import { verifyingLiteApi } from "../../shared/ton/proofs/verify/verifying-lite-api.js";
import { wire } from "../../shared/ton/tl/codecs.js";
import { encodeAnswer, encodeQuery, queryOf } from "../../shared/ton/tl/lite-functions.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import type { Address } from "../../shared/values/address.js";
import { itemAt } from "../../shared/values/lookups.js";
import { systemTimers } from "../../shared/values/timers.js";
import { type LargeBlocks, largestBlock, openLargeBlocks } from "../helpers/chain/large-blocks.js";
import { trustFromZero } from "../helpers/chain/trusted.js";
import { startChainApp } from "../helpers/http/chain-app.js";
import { startIndexApp } from "../helpers/http/index-app.js";
import { byJsonRpc, byPost, startLiteApp } from "../helpers/http/lite-app.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { openGateway } from "../helpers/peers/gateway-line.js";
import { describeDatabase } from "../helpers/store/describe-databases.js";

const slow = { timeout: 600_000 };
const place = "workchain=0&shard=-9223372036854775808";

let large: LargeBlocks;
beforeAll(async () => {
  large = await openLargeBlocks();
}, slow.timeout);
afterAll(() => large?.close());

const each = ["transactions", "cells"] as const;

/** The chain over ADNL, with all checks of answers and no limit of time but that of the test. */
async function overAdnl(): Promise<LiteApi> {
  const { gateway, address } = await openGateway(large.api);
  const line = new ServerConnection({ address, timers: systemTimers, randomBytes, random: Math.random });
  const parser = new BagThread();
  onTestFinished(async () => {
    parser.stop();
    line.close();
    await gateway.close();
  });
  const remote = remoteLiteApi(line, systemTimers, new AnswerGuard(parser));
  return verifyingLiteApi(remote, await trustFromZero(large.api));
}

/** The functions that read a block, or something in it, with their proofs. */
function questions(id: BlockIdExt, receiver: Address): [method: LiteMethod, request: object][] {
  const account = { workchain: 0, id: receiver.hash };
  const listed = { id, count: 256, proof: true, metadata: true };
  return [
    ["getBlock", { id }],
    ["getState", { id }],
    ["getBlockHeader", { id, extra: true, valueFlow: true }],
    ["listBlockTransactions", { ...listed, account: true, lt: true, hash: true }],
    ["listBlockTransactionsExt", listed],
    ["getAccountState", { id, account, proof: true }],
    ["getShardBlockProof", { id }],
    ["getBlockOutMsgQueueSize", { id, proof: true }],
  ];
}

describe("A block of 4 MiB", () => {
  test("is as large as it says, of many transactions or of many cells", async () => {
    for (const name of each) {
      const { data } = await large.api.getBlock({ id: large.blocks[name] });
      expect(data.length).toBeGreaterThan(largestBlock);
      expect(data.length).toBeLessThan(largestBlock * 1.1);
      expect(statedCells(data)).toBeGreaterThan(name === "cells" ? 500_000 : 50_000);
    }
  });

  test.each(each)("of %s passes with its proofs over ADNL and is verified", slow, async (name) => {
    const lite = await overAdnl();
    const id = large.blocks[name];
    const call = { deadline: Date.now() + slow.timeout };
    for (const [method, request] of questions(id, itemAt(large.receivers[name], 7))) {
      const [answer, expected] = await Promise.all(
        [lite, large.api].map((api) => invokerOf(api)(method, request, call)),
      );
      // As bytes: a difference between millions of numbers takes minutes to print.
      const bytesOf = (each: unknown) => Buffer.from(encodeAnswer(queryOf(method, request), each));
      expect([method, bytesOf(answer).equals(bytesOf(expected))]).toEqual([method, true]);
      // What is no content of the block stays far below the limit of proofs, whatever the block's size.
      if (method === "listBlockTransactions") expect(bagsOfAnswer(method, answer).cells).toBeLessThan(8000);
    }
  });

  test("passes through HTTP as bytes and in JSON-RPC", slow, async () => {
    const app = await startLiteApp(large.api);
    onTestFinished(() => app.close());
    for (const name of each) {
      const id = large.blocks[name];
      const { data } = await large.api.getBlock({ id });
      for (const ask of [byPost(app), byJsonRpc(app)]) {
        const answer = wire.decode(await ask(encodeQuery(queryOf("getBlock", { id }))));
        expect(Buffer.compare(answer.value["data"] as Uint8Array, data)).toBe(0);
      }
    }
  });

  test("is listed by v2 and v4", slow, async () => {
    const app = await startChainApp(large.api);
    onTestFinished(() => app.close());
    const { transactions, cells } = large.receivers;
    type V4Block = { block: { shards: { transactions: unknown[] }[] } };
    for (const [seqno, receivers] of [
      [1, transactions],
      [2, cells],
    ] as const) {
      const { block } = (await app.ask(`/api/v4/block/${seqno}`)).json as V4Block;
      expect(block.shards.map((shard) => shard.transactions.length)).toEqual([
        expect.any(Number),
        receivers.length,
      ]);
      const count = Math.min(1000, receivers.length);
      const list = await app.result<{ transactions: unknown[] }>(
        `getBlockTransactionsExt?${place}&seqno=${seqno}&count=${count}`,
      );
      expect(list.transactions).toHaveLength(count);
    }
  });
});

describeDatabase("Blocks of 4 MiB", (fresh) => {
  test("are indexed with all their transactions, messages and bodies", slow, async () => {
    const database = await fresh();
    await indexAll(database, large.api);
    const app = await startIndexApp(database);
    onTestFinished(() => app.close());
    const counts = await app.result<{ blocks: { seqno: number; tx_count: number }[] }>(
      "blocks?workchain=0&sort=asc",
    );
    const { transactions, cells } = large.receivers;
    expect(counts.blocks.map(({ tx_count }) => tx_count)).toEqual([transactions.length, cells.length, 0]);
    for (const [name, bytes] of [
      ["transactions", 100],
      ["cells", 30_000],
    ] as const) {
      const address = itemAt(large.receivers[name], -1).toRawUpper();
      type Found = { transactions: { in_msg: { message_content: { body: string } } }[] };
      const found = await app.result<Found>(`transactions?account=${address}`);
      expect(found.transactions).toHaveLength(1);
      const { body } = found.transactions[0]!.in_msg.message_content;
      expect(Buffer.from(body, "base64").length).toBeGreaterThan(bytes);
    }
    type Page = { transactions: unknown[] };
    const page = await app.result<Page>("transactionsByMasterchainBlock?seqno=1&limit=1000&offset=5000");
    expect(page.transactions).toHaveLength(1000);
  });
});
