import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AdnlClient } from "../../../server/chain/adnl/client.js";
import type { LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { encodeQuery, liteMethods, queryOf } from "../../../shared/ton/tl/lite-functions.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { systemTimers } from "../../../shared/values/timers.js";
import { busyChain } from "../../helpers/chain/busy-chain.js";
import { learn, type Sample, type Target } from "../../helpers/chain/contract/target.js";
import { type AskBytes, byJsonRpc, byPost, startLiteApp } from "../../helpers/http/lite-app.js";
import { byFrames, openLiteSocket } from "../../helpers/http/lite-frames.js";
import { openGateway } from "../../helpers/peers/gateway-line.js";

describe("lite.query and ADNL", () => {
  let chain: Target;
  let sample: Sample;
  let bySocket: AskBytes;
  let others: AskBytes[];
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    chain = await busyChain();
    sample = await learn(chain.api);
    const { gateway, address } = await openGateway(chain.api);
    const app = await startLiteApp(chain.api);
    const client = await AdnlClient.open(address, { timers: systemTimers, randomBytes });
    bySocket = (query) => client.query(wire.encode("liteServer.query", { data: query }), Date.now() + 60_000);
    const socket = await openLiteSocket(app.url);
    others = [byJsonRpc(app), byPost(app), byFrames(socket)];
    closing.push(
      () => socket.close(),
      () => client.close(),
      () => gateway.close(),
      () => app.close(),
      () => chain.close?.(),
    );
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  /** Requests of each function: with and without options, and one that is refused. */
  const requests: Record<LiteMethod, () => object[]> = {
    getMasterchainInfo: () => [{}],
    getMasterchainInfoExt: () => [{}, { shardsApplied: true }],
    getTime: () => [{}],
    getVersion: () => [{}],
    getBlock: () => [{ id: sample.busy }, { id: sample.zero }],
    getState: () => [{ id: sample.first }, { id: unknown() }],
    getBlockHeader: () => [{ id: sample.last }, { id: sample.busy, extra: true, valueFlow: true }],
    lookupBlock: () => [
      { id: sample.busy, bySeqno: true },
      { id: sample.busy, lt: sample.recent.lt },
      { id: sample.busy, utime: 1 },
      { id: { ...sample.last, seqno: 1e6 }, bySeqno: true },
    ],
    lookupBlockWithProof: () => [
      { id: sample.busy, mcBlockId: sample.last, bySeqno: true },
      { id: sample.busy, mcBlockId: sample.first, bySeqno: true },
    ],
    getAllShardsInfo: () => [{ id: sample.last }, { id: unknown() }],
    getShardInfo: () => [{ id: sample.last, workchain: 0, shard: wholeShard, exact: false }],
    getShardBlockProof: () => [{ id: sample.shards[0]! }, { id: unknown() }],
    getAccountState: () => [
      { id: sample.last, account: sample.recent.account },
      { id: sample.last, account: { workchain: 0, id: new Uint8Array(32) } },
      { id: { ...sample.last, seqno: 0xffffffff }, account: sample.recent.account },
      { id: sample.last, account: { workchain: 7, id: new Uint8Array(32) } },
    ],
    getAccountStatePrunned: () => [{ id: sample.last, account: sample.recent.account }],
    runSmcMethod: () => {
      const { account, methodId } = chain.method!;
      const run = { id: sample.last, account, methodId, params: new Uint8Array(0), result: true };
      return [run, { ...run, proof: true, stateProof: true }, { ...run, methodId: 1n }];
    },
    sendMessage: () => [{ body: Uint8Array.of(1, 2, 3) }, { body: new Uint8Array(65_536) }],
    getTransactions: () => {
      const { account, lt, hash } = sample.recent;
      return [
        { account, lt, hash, count: 5 },
        { account, lt, hash, count: 0 },
      ];
    },
    getOneTransaction: () => {
      const { block: id, account, lt } = sample.recent;
      return [
        { id, account, lt },
        { id, account, lt: lt + 1n },
      ];
    },
    listBlockTransactions: () => [
      { id: sample.busy, count: 100, account: true, lt: true, hash: true },
      { id: sample.busy, count: 1, account: true, metadata: true, proof: true, reverseOrder: true },
    ],
    listBlockTransactionsExt: () => [{ id: sample.busy, count: 3, proof: true }],
    getConfigAll: () => [{ id: sample.last }, { id: sample.last, fromPrevKeyBlock: true }],
    getConfigParams: () => [{ id: sample.last, paramList: [0, 34, -5] }],
    getLibraries: () => [{ libraryList: [chain.library!] }, { libraryList: [] }],
    getLibrariesWithProof: () => [{ id: sample.last, libraryList: [chain.library!], publishers: true }],
    getBlockProof: () => [
      { knownBlock: sample.zero },
      { knownBlock: sample.zero, targetBlock: sample.first, baseOnGiven: true },
      { knownBlock: unknown() },
    ],
    getOutMsgQueueSizes: () => [{}, { wc: 0, shard: wholeShard }],
    getBlockOutMsgQueueSize: () => [{ id: sample.last, proof: true }],
    getValidatorStats: () => [{ id: sample.last, limit: 10 }],
    getDispatchQueueInfo: () => [{ id: sample.shards[0]!, maxAccounts: 5, proof: true }],
    getDispatchQueueMessages: () => [
      { id: sample.shards[0]!, addr: sample.recent.account.id, afterLt: 0n, maxMessages: 5 },
    ],
    getPendingShardBlocks: () => [{}],
  };
  const unknown = () => ({ ...sample.last, rootHash: new Uint8Array(32).fill(7) });

  test.each(liteMethods)("give equal bytes for %s in every form, twice", async (method) => {
    for (const request of requests[method]()) {
      const query = encodeQuery(queryOf(method, request));
      const answer = await bySocket(query);
      expect(answer.length).toBeGreaterThan(4);
      for (const ask of [...others, others[0]!])
        expect(Buffer.from(await ask(query))).toEqual(Buffer.from(answer));
    }
  });
});
