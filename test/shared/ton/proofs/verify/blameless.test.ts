import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { LiteserversOptions } from "../../../../../server/chain/liteservers/liteservers.js";
import { type LiteApi, LiteError } from "../../../../../shared/ton/lite/lite-api.js";
import { invokerOf, liteApiFrom } from "../../../../../shared/ton/lite/lite-methods.js";
import { ProofError } from "../../../../../shared/ton/proofs/verify/proof-error.js";
import { liteMethods } from "../../../../../shared/ton/tl/lite-functions.js";
import { masterchain, wholeShard } from "../../../../../shared/ton/tlb/block-id.js";
import { busyChain } from "../../../../helpers/chain/busy-chain.js";
import {
  learn,
  type Sample,
  strange,
  strangeHash,
  type Target,
} from "../../../../helpers/chain/contract/target.js";
import { blockId, FakeLiteServer } from "../../../../helpers/chain/fake-chain.js";
import { verified } from "../../../../helpers/chain/trusted.js";
import { ManualTimers } from "../../../../helpers/manual-timers.js";
import { openGateway, throughGateway } from "../../../../helpers/peers/gateway-line.js";
import { openLiteserversForTest, verifierFor } from "../../../../helpers/peers/open-liteservers.js";
import { until } from "../../../../helpers/until.js";

type Question = (api: LiteApi, sample: Sample) => Promise<unknown>;

const noAnswer = 2n ** 64n - 1n;
const lookup = { workchain: masterchain, shard: wholeShard, seqno: 0 };

/** Unanswerable requests that callers may send. */
const oddQuestions: readonly (readonly [title: string, ask: Question])[] = [
  ["a block at the beginning of time", (api) => api.lookupBlock({ id: lookup, lt: 0n })],
  ["a block of the year 1970", (api) => api.lookupBlock({ id: lookup, utime: 0 })],
  ["the first block of a shard", (api) => api.lookupBlock({ id: { ...lookup, workchain: 0 }, lt: 0n })],
  ["a block at the end of time", (api) => api.lookupBlock({ id: lookup, lt: noAnswer })],
  ["an invalid prefix", (api) => api.lookupBlock({ id: { ...lookup, shard: 0n, seqno: 3 }, bySeqno: true })],
  [
    "the proof of a block that does not exist",
    (api, { last }) => api.getShardBlockProof({ id: strange(last) }),
  ],
  [
    "the proof of a block with a wrong file hash",
    (api, { first }) => api.getShardBlockProof({ id: { ...first, fileHash: strangeHash } }),
  ],
  ["the header of a block that does not exist", (api, { last }) => api.getBlockHeader({ id: strange(last) })],
  [
    "transactions at the highest lt",
    (api, { recent: { account, hash } }) => api.getTransactions({ account, lt: noAnswer, hash, count: 5 }),
  ],
  [
    "a transaction with a wrong hash",
    (api, { recent: { account, lt } }) => api.getTransactions({ account, lt, hash: strangeHash, count: 5 }),
  ],
  [
    "no transactions",
    (api, { recent: { account, lt, hash } }) => api.getTransactions({ account, lt, hash, count: 0 }),
  ],
  [
    "a transaction with the highest lt",
    (api, { busy: id, recent: { account } }) => api.getOneTransaction({ id, account, lt: noAnswer }),
  ],
];

describe("unanswerable requests", () => {
  let target: Target;
  let sample: Sample;
  beforeAll(async () => {
    target = await busyChain();
    sample = await learn(target.api);
  });
  afterAll(() => target.close?.());

  test.each(oddQuestions)("are not held against an honest server: %s", async (_, ask) => {
    const { api, close } = await throughGateway(target.api);
    onTestFinished(close);
    const lite = await verified(api);
    await lite.getMasterchainInfo();
    const outcome = await ask(lite, sample).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(LiteError);
  });

  test("get no server banned", async () => {
    const gateways = await Promise.all([1, 2, 3].map(() => openGateway(target.api)));
    for (const { gateway } of gateways) onTestFinished(() => gateway.close());
    const addresses = gateways.map(({ address }) => address);
    const pool = await openLiteserversForTest(target.api, addresses, {
      verify: await verifierFor(target.api),
    });
    for (const [, ask] of oddQuestions) await ask(pool.api, sample).catch(() => {});
    expect(pool.status().map(({ state }) => state)).toEqual(["alive", "alive", "alive"]);
  });
});

describe("an answer whose proof fails", () => {
  const question = { id: blockId(60) };

  /** Honest servers, and a verifier that fails for some of them. */
  async function doubting(isDoubted: (nth: number) => boolean) {
    let asked = 0;
    const servers = await FakeLiteServer.start3(100, 100, 100);
    const verify = (api: LiteApi): LiteApi =>
      liteApiFrom(liteMethods, async (method, request, call) => {
        const answer = await invokerOf(api)(method, request, call);
        if (method === "getBlockHeader" && isDoubted(asked++))
          throw new ProofError(`${method}: it does not hold`, { method });
        return answer;
      });
    const addresses = servers.map(({ address }) => address);
    const warnings: string[] = [];
    const log = { info() {}, warn: (_: object, text: string) => void warnings.push(text) };
    const options = { timers: new ManualTimers(), verify, log: log as unknown as LiteserversOptions["log"] };
    const pool = await openLiteserversForTest(FakeLiteServer.info, addresses, options);
    await until("all servers", () => pool.status().every(({ head }) => head !== undefined));
    return { pool, warnings };
  }

  test("gets the server banned once another server's proof holds", async () => {
    const { pool, warnings } = await doubting((nth) => nth < 2);
    await pool.api.getBlockHeader(question);
    const states = pool.status().map(({ state }) => state);
    expect(states.toSorted()).toEqual(["alive", "banned", "banned"]);
    expect(warnings).toEqual(["liteserver is banned", "liteserver is banned"]);
  });

  test("gets no server banned while no server's proof holds", async () => {
    const { pool, warnings } = await doubting(() => true);
    const doubt = "proof of a liteserver failed, and no other server answered";
    for (let i = 1; i <= 3; i++) {
      await expect(pool.api.getBlockHeader(question)).rejects.toMatchObject({ code: "unavailable" });
      expect(warnings).toEqual(Array.from({ length: 3 * i }, () => doubt));
    }
    for (const { state, lastError } of pool.status())
      expect([state, lastError]).toEqual(["alive", "getBlockHeader: it does not hold"]);
  });
});
