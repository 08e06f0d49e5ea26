import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiteApi, LiteError } from "../../../../../shared/ton/lite/lite-api.js";
import { ProofError } from "../../../../../shared/ton/proofs/verify/proof-error.js";
import type { TrustChain } from "../../../../../shared/ton/proofs/verify/trust/trust-chain.js";
import { verifyingLiteApi } from "../../../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { latestSeqno, masterchain, wholeShard } from "../../../../../shared/ton/tlb/block-id.js";
import { busyChain } from "../../../../helpers/chain/busy-chain.js";
import { learn, type Sample, strangeHash, type Target } from "../../../../helpers/chain/contract/target.js";
import { trustFromZero } from "../../../../helpers/chain/trusted.js";
import { sized } from "../../../../helpers/effort.js";
import { liesAbout } from "../../../../helpers/peers/lies.js";

const everyLie = sized(12, 1);

type Method = keyof LiteApi;
type Question = { method: Method; request: object };
type Ask = (request: object) => Promise<unknown>;

/** Not provable: a server's clock and version, and the results of get-methods. */
const unproven: Partial<Record<Method, RegExp>> = {
  getMasterchainInfoExt: /^\.(now|version|capabilities)#/,
  runSmcMethod: /^\.(exitCode|result|initC7)/,
};

describe("a server that changes one part of one answer", () => {
  let target: Target;
  let sample: Sample;
  let trust: TrustChain;
  beforeAll(async () => {
    target = await busyChain();
    sample = await learn(target.api);
    trust = await trustFromZero(target.api);
    await trust.newest(target.api, {});
  });
  afterAll(() => target.close?.());

  test.each(questions())("%s, %s, is detected", async (method, _, ask) => {
    const request = ask(sample, target);
    const lies = await liesTo({ method, request });
    expect(lies.length).toBeGreaterThan(5);
    const believed: string[] = [];
    // Neighbours change the same part of an answer in other ways.
    for (const { path, lie } of lies.filter((_, place) => place % everyLie === 0)) {
      const outcome = await lie();
      if (outcome !== "caught") believed.push(`${path}: ${outcome}`);
    }
    expect(believed).toEqual([]);
  });

  /** Every change of any answer that the call requests; the last answer is the one to the caller. */
  async function liesTo(question: Question) {
    const asked = await answersTo(question);
    const truth = await call(verifyingLiteApi(target.api, trust), question);
    return asked.flatMap(({ method, index, answer }) =>
      Array.from(liesAbout(answer), ({ path, answer: lie }) => ({
        path: `${method} ${index}${path}`,
        lie: () =>
          unproven[method]?.test(path)
            ? Promise.resolve("caught")
            : tell(question, truth, { method, index, lie }),
      })),
    );
  }

  /** The requests that a call sends to the server; of several to one method the last. */
  async function answersTo(question: Question) {
    const asked: { method: Method; index: number; answer: unknown }[] = [];
    const spy = intercepted((method, answer) => {
      asked.push({ method, index: asked.filter((each) => each.method === method).length, answer });
      return answer;
    });
    await call(verifyingLiteApi(spy, await trustFromZero(target.api)), question);
    return asked.filter(({ method }, at) => asked.findLastIndex((each) => each.method === method) === at);
  }

  /** Calls a server that lies once. A correct answer is fine: it does not depend on the lie. */
  async function tell(
    question: Question,
    truth: unknown,
    { method, index, lie }: { method: Method; index: number; lie: unknown },
  ) {
    let seen = 0;
    const liar = intercepted((asked, answer) => (asked === method && seen++ === index ? lie : answer));
    const own = await trustFromZero(target.api);
    try {
      const answer = await call(verifyingLiteApi(liar, own), question);
      expect(comparable(answer)).toEqual(comparable(truth));
      return "caught";
    } catch (error) {
      // An honest error to a request based on the lie also keeps it from the caller.
      if (error instanceof ProofError || error instanceof LiteError) return "caught";
      return String(error);
    }
  }

  function intercepted(change: (method: Method, answer: unknown) => unknown): LiteApi {
    const methods = target.api as unknown as Record<Method, Ask>;
    const changed = Object.keys(target.api).map((name) => {
      const method = name as Method;
      return [method, async (request: object) => change(method, await methods[method](request))];
    });
    return Object.fromEntries(changed) as LiteApi;
  }
});

function call(api: LiteApi, { method, request }: Question): Promise<unknown> {
  return (api as unknown as Record<Method, Ask>)[method](request);
}

/** Without the server's clock. */
function comparable(answer: unknown): unknown {
  const { now: _, ...rest } = answer as { now?: number };
  return rest;
}

type Case = [method: Method, title: string, ask: (sample: Sample, target: Target) => object];

function questions(): Case[] {
  const proof = true;
  const absent = { workchain: 0, id: strangeHash };
  const list = { count: 3, account: true, lt: true, hash: true, proof };
  return [
    ["getMasterchainInfo", "the newest block", () => ({})],
    ["getMasterchainInfoExt", "the newest block", () => ({})],
    ["getBlock", "a file", ({ busy: id }) => ({ id })],
    ["getState", "of the start", ({ zero: id }) => ({ id })],
    ["getState", "of a block", ({ first: id }) => ({ id })],
    [
      "getBlockHeader",
      "with all parts",
      ({ last: id }) => ({
        id,
        stateUpdate: true,
        valueFlow: true,
        extra: true,
        shardHashes: true,
        prevBlockSignatures: true,
      }),
    ],
    ["lookupBlock", "by number", ({ busy: id }) => ({ id, bySeqno: true })],
    ["lookupBlock", "by lt", ({ recent }) => ({ id: recent.block, lt: recent.lt })],
    [
      "lookupBlock",
      "by time, with its state's hash",
      ({ first: id }) => ({ id, utime: 1, stateUpdate: true }),
    ],
    [
      "lookupBlockWithProof",
      "of a shard",
      ({ last: mcBlockId, recent }) => ({ id: recent.block, mcBlockId, bySeqno: true }),
    ],
    ["getAllShardsInfo", "proven", ({ last: id }) => ({ id, proof })],
    [
      "getShardInfo",
      "that exists",
      ({ last: id }) => ({ id, workchain: 0, shard: wholeShard, exact: true, proof }),
    ],
    [
      "getShardInfo",
      "that does not exist",
      ({ last: id }) => ({ id, workchain: 7, shard: wholeShard, exact: true, proof }),
    ],
    ["getShardBlockProof", "of a block", ({ recent }) => ({ id: recent.block })],
    ["getAccountState", "of a contract", ({ last: id, recent }) => ({ id, account: recent.account, proof })],
    ["getAccountState", "of an absent account", ({ last: id }) => ({ id, account: absent, proof })],
    [
      "getAccountState",
      "without a shard",
      ({ last: id }) => ({ id, account: { workchain: 9, id: strangeHash }, proof }),
    ],
    [
      "getAccountState",
      "at the newest block",
      ({ last, recent }) => ({ id: { ...last, seqno: latestSeqno }, account: recent.account, proof }),
    ],
    [
      "getAccountStatePrunned",
      "of a contract",
      ({ last: id, recent }) => ({ id, account: recent.account, proof }),
    ],
    [
      "runSmcMethod",
      "of a contract",
      ({ last: id }, { method }) => ({
        id,
        account: method!.account,
        methodId: method!.methodId,
        params: new Uint8Array(0),
        proof,
        stateProof: true,
        result: true,
      }),
    ],
    [
      "getTransactions",
      "of a contract",
      ({ recent: { account, lt, hash } }) => ({ count: 3, account, lt, hash }),
    ],
    [
      "getOneTransaction",
      "that exists",
      ({ recent: { block: id, account, lt } }) => ({ id, account, lt, proof }),
    ],
    [
      "getOneTransaction",
      "that does not exist",
      ({ recent: { block: id, account } }) => ({ id, account, lt: 1n, proof }),
    ],
    ["listBlockTransactions", "a page", ({ busy: id }) => ({ id, ...list })],
    [
      "listBlockTransactions",
      "all, backwards, with metadata",
      ({ busy: id }) => ({ id, ...list, count: 256, reverseOrder: true, metadata: true }),
    ],
    [
      "listBlockTransactionsExt",
      "a page behind another",
      ({ busy: id, transactions: [first] }) => ({
        id,
        count: 3,
        after: { account: first!.account.id, lt: first!.lt },
        proof,
      }),
    ],
    ["getConfigAll", "of a state", ({ last: id }) => ({ id, proof })],
    [
      "getConfigParams",
      "with the blocks before",
      ({ last: id }) => ({ id, paramList: [15, 34, -999], prevBlocks: true, proof }),
    ],
    ["getLibraries", "one of them known", (_, { library }) => ({ libraryList: [library!, strangeHash] })],
    [
      "getLibrariesWithProof",
      "with publishers",
      ({ last: id }, { library }) => ({ id, libraryList: [library!], publishers: true }),
    ],
    ["getBlockProof", "forward", ({ zero: knownBlock, last: targetBlock }) => ({ knownBlock, targetBlock })],
    ["getBlockProof", "back", ({ last: knownBlock, first: targetBlock }) => ({ knownBlock, targetBlock })],
    [
      "getBlockProof",
      "back to the start",
      ({ last: knownBlock, zero: targetBlock }) => ({ knownBlock, targetBlock }),
    ],
    ["getOutMsgQueueSizes", "of the masterchain", () => ({ wc: masterchain, shard: wholeShard })],
    ["getBlockOutMsgQueueSize", "proven", ({ last: id }) => ({ id, proof })],
    ["getValidatorStats", "proven", ({ last: id }) => ({ id, limit: 100, proof })],
    ["getDispatchQueueInfo", "proven", ({ last: id }) => ({ id, maxAccounts: 5, proof })],
    [
      "getDispatchQueueMessages",
      "with bodies",
      ({ last: id }) => ({ id, addr: strangeHash, afterLt: 0n, maxMessages: 5, messagesBoc: true, proof }),
    ],
  ];
}
