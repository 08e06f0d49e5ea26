import { expect, onTestFinished, test } from "vitest";
import { LiteError } from "../../server/chain/lite-api.js";
import { firstBlocks, startChainApp } from "../helpers/chain-app.js";
import { describeWithChain } from "../helpers/test-data.js";

describeWithChain("what no liteserver has", (data) => {
  test.each([
    [new LiteError(651, "block (-1,8000000000000000,60) is not applied"), "1"],
    [new LiteError(0, "node not synced"), "1"],
    [new LiteError(651, "block (-1,8000000000000000,60) is not in db"), null],
    [new LiteError(-400, "transaction hash mismatch"), null],
  ])("is to be asked for again only where it is on its way: %s", async (error, retryAfter) => {
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
});
