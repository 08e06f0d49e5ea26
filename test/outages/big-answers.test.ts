import { describe, expect, onTestFinished, test } from "vitest";
import type { BagParser } from "../../server/chain/liteservers/answer-guard.js";
import { BagThread } from "../../server/chain/liteservers/bag-thread.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import { cellTree } from "../helpers/chain/cell-tree.js";
import { firstBlocks, startChainApp } from "../helpers/http/chain-app.js";
import { openGateway } from "../helpers/peers/gateway-line.js";
import { openLiteserversForTest, verifierFor } from "../helpers/peers/open-liteservers.js";
import { describeWithChain } from "../helpers/test-data.js";
import { until } from "../helpers/until.js";

const elector = `-1:${"3".repeat(64)}`;
const balance = `/api/v2/getAddressBalance?address=${elector}`;
const masterchain = "workchain=-1&shard=-9223372036854775808";

/** A valid bag of cells, of whose cells the thread that serves would have to hash every one. */
const bigBag = serializeBoc(cellTree(6000));
/** The head of a bag that states 65,537 cells. */
const statedBag = Buffer.from("b5ee9c7203010100010000010000000000", "hex");

/** A parser that takes its time until the test opens it. */
function gatedParser() {
  const thread = new BagThread();
  onTestFinished(() => thread.stop());
  const given: number[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const parser: BagParser = {
    async parse(bags) {
      given.push(...bags.map(({ length }) => length));
      const parsed = await thread.parse(bags);
      await gate;
      return parsed;
    },
  };
  return { parser, given, open };
}

describeWithChain("A hostile liteserver's answer", (data) => {
  const chain = firstBlocks(data);

  async function gatewayOf(api: LiteApi) {
    const { gateway, address } = await openGateway(api, { onError: () => {} });
    onTestFinished(() => gateway.close());
    return address;
  }

  /** An app that reads through a pool of servers with these changes of their answers. */
  async function appOver(servers: readonly Partial<LiteApi>[], bagParser?: BagParser) {
    const addresses = await Promise.all(servers.map((change) => gatewayOf({ ...chain, ...change })));
    const verify = await verifierFor(chain);
    const pool = await openLiteserversForTest(chain, addresses, { verify, ...(bagParser && { bagParser }) });
    await until("all servers", () => pool.status().every(({ state }) => state === "alive"));
    const app = await startChainApp(pool.api);
    onTestFinished(() => app.close());
    return { app, pool };
  }

  const bigState: Partial<LiteApi> = {
    getAccountState: async (...args) => ({ ...(await chain.getAccountState(...args)), state: bigBag }),
  };

  test("with many cells is parsed in another thread while calls are answered", async () => {
    const { parser, given, open } = gatedParser();
    const { app } = await appOver([bigState], parser);
    const answer = app.ask(balance);
    await until("the answer to be parsed", () => given.includes(bigBag.length));
    for (const seqno of [11, 12, 13])
      expect(await app.ask(`/api/v2/lookupBlock?${masterchain}&seqno=${seqno}`)).toMatchObject({
        status: 200,
      });
    open();
    expect(await answer).toMatchObject({ status: 503 });
  });

  test("with many cells, once found wrong, is replaced by another server's", async () => {
    const { app, pool } = await appOver([bigState, {}, {}]);
    const truth = await (await startChainApp(chain)).ask(balance);
    const { last } = await chain.getMasterchainInfo();
    const blocks = Array.from({ length: 20 }, (_, index) => last.seqno - index);
    await until("the ban", async () => {
      // Concurrently, so that the pool gives each server some of them, and by an app with empty caches.
      const other = await startChainApp(pool.api);
      await Promise.all(blocks.map((seqno) => other.ask(`${balance}&seqno=${seqno}`)));
      await other.close();
      return pool.status()[0]!.state === "banned";
    });
    expect(pool.status()[0]!.lastError).toContain("getAccountState: wrong account state");
    expect((await app.ask(balance)).json).toMatchObject({
      result: (truth.json as { result: string }).result,
    });
  });

  describe("above the limit of its kind is refused before it is parsed", () => {
    test.each([
      [
        "bytes",
        Buffer.alloc(3 << 20),
        /^getBlockHeader: the answer is too large: 3\d+ bytes exceed the limit of 2097152$/,
      ],
      [
        "cells",
        statedBag,
        /^getBlockHeader: the answer is too large: 65537 cells exceed the limit of 65536$/,
      ],
    ])("for its %s", async (_, headerProof, reason) => {
      const { parser, given } = gatedParser();
      const getBlockHeader: LiteApi["getBlockHeader"] = async ({ id }, call) =>
        id.seqno === 11 ? { id, headerProof } : chain.getBlockHeader({ id, stateUpdate: true }, call);
      const { app, pool } = await appOver([{ getBlockHeader }], parser);
      expect(await app.ask(`/api/v2/getBlockHeader?${masterchain}&seqno=11`)).toMatchObject({ status: 503 });
      expect(pool.status()[0]!.lastError).toMatch(reason);
      expect(given).toEqual([]);
    });
  });
});
