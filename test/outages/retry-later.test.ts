import { expect, onTestFinished, test } from "vitest";
import { LiteError } from "../../shared/ton/lite/lite-api.js";
import { firstBlocks, startChainApp } from "../helpers/http/chain-app.js";
import { describeWithChain } from "../helpers/test-data.js";

describeWithChain("data that no liteserver has", (data) => {
  test.each([
    [new LiteError(651, "block (-1,8000000000000000,60) is not applied"), "1"],
    [new LiteError(0, "node not synced"), "1"],
    [new LiteError(651, "block (-1,8000000000000000,60) is not in db"), null],
    [new LiteError(-400, "transaction hash mismatch"), null],
  ])("gets Retry-After only where a liteserver will have it soon: %s", async (error, retryAfter) => {
    const app = await startChainApp({
      ...firstBlocks(data),
      getBlockHeader: () => Promise.reject(error),
    });
    onTestFinished(() => app.close());
    const query = "workchain=-1&shard=-9223372036854775808&seqno=60";
    const { status, headers, json } = await app.ask(`/api/v2/getBlockHeader?${query}`);
    expect([status, headers.get("Retry-After")]).toEqual([500, retryAfter]);
    expect(json).toMatchObject({ ok: false, error: expect.stringContaining(error.message) });
  });

  test("ends a page of transactions, and the short page is not cached", async () => {
    const chain = firstBlocks(data);
    let kept = 1;
    const app = await startChainApp({
      ...chain,
      async getTransactions(request, call) {
        if (kept === 0)
          throw new LiteError(0, "cannot compute block with specified transaction: lt not in db");
        const count = Math.min(kept, request.count);
        kept -= count;
        return chain.getTransactions({ ...request, count }, call);
      },
    });
    onTestFinished(() => app.close());
    const elector = `-1:${"3".repeat(64)}`;
    const [last] = await app.result<Transaction[]>(`getTransactions?address=${elector}&limit=1`);
    const { lt, hash } = last!.transaction_id;
    const pinned = `address=${elector}&limit=5&lt=${lt}&hash=${encodeURIComponent(hash)}`;
    const lengths = async () => [
      (await app.result<Transaction[]>(`getTransactions?${pinned}`)).length,
      (await app.result<{ transactions: Transaction[] }>(`getTransactionsStd?${pinned}`)).transactions.length,
    ];
    kept = 3;
    expect((await app.result<Transaction[]>(`getTransactions?${pinned}`)).length).toBe(3);
    kept = 100;
    expect(await lengths()).toEqual([5, 5]);
    kept = 0;
    expect(await lengths()).toEqual([5, 5]);
    const { json } = await app.ask(`/api/v2/getTransactions?${pinned.replace("limit=5", "limit=6")}`);
    expect(json).toMatchObject({ error: expect.stringMatching(/lt not in db \(archival=true asks for it/) });
  });
});

type Transaction = { transaction_id: { lt: string; hash: string } };
