import { beforeAll, describe, expect, test } from "vitest";
import { CellError } from "../../../../../shared/ton/cells/cell-error.js";
import {
  type AccountId,
  type LiteApi,
  LiteError,
  type PartialBlockProof,
} from "../../../../../shared/ton/lite/lite-api.js";
import { invokerOf, type LiteMethod, liteApiFrom } from "../../../../../shared/ton/lite/lite-methods.js";
import { verifyEntry } from "../../../../../shared/ton/proofs/verify/accounts.js";
import type { CheckOptions } from "../../../../../shared/ton/proofs/verify/checked-calls.js";
import { OtherNetwork, ProofError, proofError } from "../../../../../shared/ton/proofs/verify/proof-error.js";
import type { ProvenChain } from "../../../../../shared/ton/proofs/verify/proven-chain.js";
import { verifyingLiteApi } from "../../../../../shared/ton/proofs/verify/verifying-lite-api.js";
import { liteMethods } from "../../../../../shared/ton/tl/lite-functions.js";
import {
  type BlockIdExt,
  formatBlockId,
  formatBlockIdExt,
  latestSeqno,
  masterchain,
  wholeShard,
} from "../../../../../shared/ton/tlb/block-id.js";
import { TlbError } from "../../../../../shared/ton/tlb/codec.js";
import { blockAt, learn, type Sample, strangeHash } from "../../../../helpers/chain/contract/target.js";
import { rememberedChain } from "./remembered-chain.js";

type Change = (answer: never, request: never) => unknown;
type Setting = {
  /** Answers to change, by method; a thrown error is the answer. */
  lies?: Partial<Record<LiteMethod, Change>>;
  head?: BlockIdExt | "unknown";
  prove?: (id: BlockIdExt) => Promise<void>;
  options?: CheckOptions;
};
type Asked = { method: LiteMethod; request: Record<string, unknown> };

const nothing = new Uint8Array(0);
const named = formatBlockId;

describe("the calls of a server that is verified", () => {
  let api: LiteApi;
  let sample: Sample;
  let facts: Awaited<ReturnType<typeof rememberedChain>>;
  beforeAll(async () => {
    facts = await rememberedChain();
    api = facts.api;
    sample = await learn(api);
    return () => facts.close();
  });

  /** A server whose masterchain is believed, with what it was asked and which blocks were proven. */
  function setUp({ lies = {}, head = sample.last, prove = async () => {}, options = {} }: Setting = {}) {
    const asked: Asked[] = [];
    const proven: BlockIdExt[] = [];
    const lite = liteApiFrom(liteMethods, async (method, request, call) => {
      asked.push({ method, request: request as Record<string, unknown> });
      const change = lies[method];
      const answer = await invokerOf(api)(method, request, call);
      return change ? change(answer as never, request as never) : answer;
    });
    const known = head === "unknown" ? undefined : head;
    const trust: ProvenChain = {
      head: known,
      headFor: async () => known!,
      newest: (each, call) => each.getMasterchainInfo({}, call),
      proveInfo: async () => ({ genUtime: 5 }),
      prove(_, id) {
        proven.push(id);
        return prove(id);
      },
    };
    const verified = verifyingLiteApi(lite, trust, options);
    return { asked, proven, ask: invokerOf(verified), verified };
  }

  /** The last transaction of an account. */
  async function lastOf(account: AccountId) {
    const query = { id: sample.last, account, proof: true };
    const { lastTransLt: lt, lastTransHash: hash } = verifyEntry(query, await api.getAccountState(query))
      .entry!;
    return { account, lt, hash };
  }

  const other = (id: BlockIdExt) => ({ ...id, fileHash: strangeHash });

  test("ask for proofs, and pass on those that were requested", async () => {
    const { last: id, recent, busy } = sample;
    const { account, methodId } = facts.method;
    const list = { id: busy, count: 3, account: true, lt: true, hash: true };
    const questions: [LiteMethod, object][] = [
      ["getAllShardsInfo", { id }],
      ["getShardInfo", { id, workchain: 0, shard: wholeShard, exact: true }],
      ["getShardInfo", { id, workchain: 7, shard: wholeShard, exact: true }],
      ["getAccountState", { id, account }],
      ["getAccountState", { id, account: { workchain: 9, id: strangeHash } }],
      ["getAccountStatePrunned", { id, account }],
      ["runSmcMethod", { id, account, methodId, params: nothing, result: true }],
      ["getOneTransaction", { id: recent.block, account: recent.account, lt: recent.lt }],
      ["listBlockTransactions", list],
      ["listBlockTransactionsExt", list],
      ["getConfigAll", { id }],
      ["getConfigParams", { id, paramList: [15, 34] }],
      ["getBlockOutMsgQueueSize", { id }],
      ["getDispatchQueueInfo", { id, maxAccounts: 5 }],
      ["getDispatchQueueMessages", { id, addr: strangeHash, afterLt: 0n, maxMessages: 5 }],
      ["getValidatorStats", { id, limit: 100 }],
    ];
    for (const [method, question] of questions)
      for (const proof of [true, false]) {
        const request = { ...question, proof };
        const { ask, asked } = setUp();
        const answer = await ask(method, request, {});
        const direct = await invokerOf(api)(method, request, {});
        expect([method, proof, answer]).toEqual([method, proof, direct]);
        expect(asked.find((each) => each.method === method)?.request).toMatchObject({ proof: true });
      }
  });

  test("pass on what has no proof", async () => {
    const { ask } = setUp();
    for (const method of ["getTime", "getVersion"] as const)
      expect(await ask(method, {}, {})).toEqual(await invokerOf(api)(method, {}, {}));
    const pending = { shardBlocks: [] } as never;
    const verified = verifyingLiteApi(
      { ...api, getPendingShardBlocks: async () => pending },
      {} as ProvenChain,
    );
    expect(await verified.getPendingShardBlocks({} as never)).toBe(pending);
  });

  test("reject with the method and the reason of a lie, and with other errors as they are", async () => {
    const error = await setUp({ lies: { getBlock: (answer: object) => ({ ...answer, id: sample.first }) } })
      .ask("getBlock", { id: sample.last }, {})
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProofError);
    const reason = `the answer is about ${named(sample.first)}, not about ${named(sample.last)}`;
    expect(error).toMatchObject({
      name: "ProofError",
      message: `getBlock: ${reason}`,
      evidence: {
        method: "getBlock",
        claimed: formatBlockIdExt(sample.first),
        proven: formatBlockIdExt(sample.last),
        block: sample.last,
      },
      cause: expect.objectContaining({ name: "ProofError", message: reason }),
    });
    const own = new LiteError(651, "not there");
    const failing = setUp({
      lies: {
        getBlock: () => {
          throw own;
        },
      },
    });
    await expect(failing.ask("getBlock", { id: sample.last }, {})).rejects.toBe(own);
  });

  test("name the method of a lie", async () => {
    const lie = () => Promise.reject(new ProofError("a lie"));
    const trust = { headFor: lie, newest: lie, proveInfo: lie, prove: lie } as unknown as ProvenChain;
    const ask = invokerOf(verifyingLiteApi(liteApiFrom(liteMethods, lie), trust));
    const unverified = new Set<LiteMethod>(["getTime", "getVersion", "getPendingShardBlocks"]);
    for (const method of liteMethods) {
      const error = await ask(method, { id: sample.last }, {}).catch((reason: unknown) => reason);
      expect([method, String(error)]).toEqual([
        method,
        unverified.has(method) ? "ProofError: a lie" : `ProofError: ${method}: a lie`,
      ]);
    }
  });

  test("are refused if an answer is of another block", async () => {
    const { last: id, first, recent } = sample;
    const elsewhere = (answer: object) => ({ ...answer, id: first });
    const questions: [LiteMethod, object][] = [
      ["getBlock", { id }],
      ["getState", { id }],
      ["getBlockHeader", { id }],
      ["getAllShardsInfo", { id }],
      ["getShardInfo", { id, workchain: 0, shard: wholeShard, exact: true }],
      ["getAccountState", { id, account: facts.method.account }],
      ["getAccountStatePrunned", { id, account: facts.method.account }],
      ["getOneTransaction", { id: recent.block, account: recent.account, lt: recent.lt }],
      ["listBlockTransactions", { id, count: 3, account: true, lt: true, hash: true }],
      ["listBlockTransactionsExt", { id, count: 3 }],
      ["getConfigAll", { id }],
      ["getConfigParams", { id, paramList: [15] }],
      ["getLibrariesWithProof", { id, libraryList: [facts.library] }],
      ["getBlockOutMsgQueueSize", { id }],
      ["getDispatchQueueInfo", { id, maxAccounts: 5 }],
      ["getDispatchQueueMessages", { id, addr: strangeHash, afterLt: 0n, maxMessages: 5 }],
      ["getValidatorStats", { id, limit: 100 }],
    ];
    for (const [method, request] of questions) {
      const { ask } = setUp({ lies: { [method]: elsewhere } });
      await expect(ask(method, request, {})).rejects.toThrow(/: the answer is about /);
    }
    const shard = (await api.getTransactions({ count: 1, ...(await lastOf(facts.method.account)) })).ids[0]!;
    const { verified } = setUp({
      lies: { getShardBlockProof: (answer: object) => ({ ...answer, links: [] }) },
    });
    await expect(verified.getShardBlockProof({ id: shard })).rejects.toThrow(/: the answer is about /);
  });

  test("have states, of the start and of a block", async () => {
    for (const id of [sample.zero, sample.last])
      expect(await setUp().verified.getState({ id })).toEqual(await api.getState({ id }));
    const lie = (answer: object) => ({ ...answer, fileHash: strangeHash });
    await expect(setUp({ lies: { getState: lie } }).verified.getState({ id: sample.zero })).rejects.toThrow(
      "wrong file hash of the state",
    );
    const renamed = { ...sample.zero, fileHash: strangeHash };
    const ofRenamed = (answer: object) => ({ ...answer, id: renamed });
    await expect(
      setUp({ lies: { getState: ofRenamed } }).verified.getState({ id: sample.zero }),
    ).rejects.toThrow(/the answer is about/);
    const { asked, verified } = setUp();
    await verified.getState({ id: sample.last });
    expect(asked.map(({ method }) => method)).toEqual(["getState", "getBlockHeader"]);
    expect(asked[1]?.request).toEqual({ id: sample.last, stateUpdate: true });
  });

  test("take what cannot be read for a lie, and a defect for a defect", () => {
    const defect = new TypeError("a defect");
    expect(proofError("getBlock", defect)).toBe(defect);
    for (const cause of [new ProofError("x"), new TlbError("x"), new CellError("bad-boc" as never, "x")])
      expect(proofError("getBlock", cause)).toMatchObject({
        name: "ProofError",
        message: "getBlock: x",
        cause,
      });
    expect(new OtherNetwork("x")).toBeInstanceOf(ProofError);
  });

  test("check the time of the newest block and the status of a message", async () => {
    const time = (lastUtime: number) =>
      setUp({ lies: { getMasterchainInfoExt: (answer: object) => ({ ...answer, lastUtime }) } });
    expect(await time(5).ask("getMasterchainInfoExt", {}, {})).toMatchObject({ lastUtime: 5 });
    await expect(time(6).ask("getMasterchainInfoExt", {}, {})).rejects.toThrow(
      "wrong time of the newest block",
    );
    const status = (given: number) => {
      const lite = { ...api, sendMessage: async () => ({ status: given }) };
      const trust = { proveInfo: async () => ({ genUtime: 0 }) } as unknown as ProvenChain;
      return verifyingLiteApi(lite, trust).sendMessage({ body: nothing });
    };
    expect(await status(1)).toEqual({ status: 1 });
    await expect(status(2)).rejects.toThrow("sendMessage: unexpected status of a message: 2");
  });

  test("read at the newest block once it is proven", async () => {
    const { account } = facts.method;
    const request = { id: { ...sample.last, seqno: latestSeqno }, account, proof: true };
    const { ask, proven, asked } = setUp();
    const answer = await ask("getAccountState", request, {});
    expect(answer).toEqual(await api.getAccountState({ ...request, id: sample.last }));
    expect(proven).toEqual([sample.last]);
    expect(asked[1]?.request["id"]).toEqual(sample.last);
    const named = setUp();
    await named.ask("getAccountState", { ...request, id: sample.last }, {});
    expect([named.proven, named.asked.length]).toEqual([[], 1]);
  });

  test("prove the block of each transaction, unless that was left out", async () => {
    const { account, lt, hash } = sample.recent;
    const request = { count: 3, account, lt, hash };
    const strict = setUp();
    const answer = await strict.verified.getTransactions(request);
    expect(answer).toEqual(await api.getTransactions(request));
    const blocks = new Set(answer.ids.map(named)).size;
    const lookups = ({ asked }: typeof strict) =>
      asked.filter(({ method }) => method === "lookupBlockWithProof");
    expect(lookups(strict)).toHaveLength(blocks);
    const lenient = setUp({ options: { proveTransactionBlocks: false } });
    expect(await lenient.verified.getTransactions(request)).toEqual(answer);
    expect(lookups(lenient)).toHaveLength(0);
    const lie = (ids: (all: BlockIdExt[]) => BlockIdExt[]) =>
      setUp({
        lies: { getTransactions: (given: typeof answer) => ({ ...given, ids: ids([...given.ids]) }) },
      }).verified.getTransactions(request);
    await expect(lie(([first, ...rest]) => [other(first!), ...rest])).rejects.toThrow(
      / with other hashes, not about /,
    );
    if (blocks > 1)
      await expect(lie((all) => all.map(() => all.at(-1)!))).rejects.toThrow(
        `${named(answer.ids.at(-1)!)} does not contain all transactions listed for it`,
      );
  });

  test("have libraries and queue sizes of the newest block", async () => {
    const { verified } = setUp();
    const { result } = await verified.getLibraries({ libraryList: [facts.library, strangeHash] });
    expect(result).toEqual((await api.getLibraries({ libraryList: [facts.library] })).result);
    for (const request of [{}, { wc: masterchain }, { wc: 0 }, { wc: 0, shard: 1n << 62n }, { wc: 5 }])
      expect([request, await verified.getOutMsgQueueSizes(request)]).toEqual([
        request,
        await api.getOutMsgQueueSizes(request),
      ]);
    const lie = setUp({ lies: { getBlockOutMsgQueueSize: (answer: object) => ({ ...answer, size: 99n }) } });
    await expect(lie.verified.getOutMsgQueueSizes({})).rejects.toThrow("wrong size of the queue");
    const codeless = { id: sample.last, libraryList: [facts.library], noData: true };
    expect((await verified.getLibrariesWithProof(codeless)).result).toEqual([
      { hash: facts.library, data: nothing },
    ]);
  });

  test("have the configuration of the last key block", async () => {
    const { last: id, zero } = sample;
    const request = { id, paramList: [15], fromPrevKeyBlock: true, proof: true };
    const known = await api.getConfigParams(request).catch((error: unknown) => error);
    const { verified, proven } = setUp();
    if (known instanceof LiteError) {
      await expect(verified.getConfigParams(request)).rejects.toBeInstanceOf(LiteError);
      return;
    }
    const answer = await verified.getConfigParams(request);
    expect(answer.stateProof).toEqual(nothing);
    expect(proven).toEqual([answer.id]);
    expect(answer.id.seqno).toBeGreaterThan(zero.seqno);
    const lie = setUp({
      lies: {
        getBlockHeader: async () => api.getBlockHeader({ id: sample.first }),
      },
    });
    await expect(lie.verified.getConfigParams({ ...request })).rejects.toThrow(/the answer is about/);
  });

  describe("for a proof of a block", () => {
    const proofOf = (from: BlockIdExt, to: BlockIdExt) =>
      api.getBlockProof({ knownBlock: from, targetBlock: to });

    test("lead to it, or closer", async () => {
      const { zero, first, last } = sample;
      const { verified } = setUp();
      expect(await verified.getBlockProof({ knownBlock: zero, targetBlock: last })).toEqual(
        await proofOf(zero, last),
      );
      expect(await verified.getBlockProof({ knownBlock: last, targetBlock: first })).toEqual(
        await proofOf(last, first),
      );
      const back = await verified.getBlockProof({ knownBlock: last, targetBlock: zero });
      expect(back.steps).toMatchObject([{ toKeyBlock: true, destProof: nothing }]);
      // It has no header: what a server says of it means nothing.
      const doubtful = (answer: PartialBlockProof) => ({
        ...answer,
        steps: answer.steps.map((link) => ({ ...link, toKeyBlock: false, destProof: Uint8Array.of(1) })),
      });
      const normal = setUp({ lies: { getBlockProof: doubtful } }).verified;
      expect(await normal.getBlockProof({ knownBlock: last, targetBlock: zero })).toEqual(back);
    });

    const wrong = async (asked: { from: BlockIdExt; to: BlockIdExt }, answer: unknown) => {
      const { verified } = setUp({ lies: { getBlockProof: () => answer } });
      const request = { knownBlock: asked.from, targetBlock: asked.to };
      return verified.getBlockProof(request).then(
        () => "nothing was refused",
        (error: Error) => error.message,
      );
    };

    test("are refused if they lead beyond it, or elsewhere", async () => {
      const { zero, first, last } = sample;
      const middle = await blockAt(api, 4);
      const instead = (to: BlockIdExt, target: BlockIdExt) =>
        `getBlockProof: the proof leads to ${named(to)} instead of ${named(target)}`;
      const partial = async (from: BlockIdExt, to: BlockIdExt) => ({
        ...(await proofOf(from, to)),
        complete: false,
      });
      // A step closer is fine.
      expect(await wrong({ from: zero, to: last }, await partial(zero, middle))).toBe("nothing was refused");
      expect(await wrong({ from: zero, to: middle }, await partial(zero, last))).toBe(instead(last, middle));
      expect(await wrong({ from: last, to: first }, await partial(last, middle))).toBe(
        instead(middle, first),
      );
      expect(await wrong({ from: middle, to: last }, await partial(middle, first))).toBe(
        instead(first, last),
      );
      const there = await proofOf(last, middle);
      const further = await proofOf(middle, first);
      const twice = { complete: true, from: last, to: first, steps: [...there.steps, ...further.steps] };
      expect(await wrong({ from: last, to: first }, twice)).toBe(instead(first, first));
    });

    test("must come near the newest block if none is named", async () => {
      const { zero, last } = sample;
      const end = (lag: number) =>
        setUp({ head: { ...last, seqno: last.seqno + lag } }).verified.getBlockProof({ knownBlock: zero });
      expect((await end(100)).to).toEqual(last);
      await expect(end(101)).rejects.toThrow("the proof ends too far behind the newest block");
      const { verified } = setUp({ head: "unknown" });
      expect((await verified.getBlockProof({ knownBlock: zero })).complete).toBe(true);
    });
  });

  describe("for a lookup", () => {
    const missing = new LiteError(651, "block is not in db");
    const fails = () => {
      throw missing;
    };

    test("have the header that was asked for", async () => {
      const { recent } = sample;
      const ways = [{ bySeqno: true }, { lt: recent.lt }];
      for (const way of ways) {
        const { verified, asked } = setUp();
        const bare = { id: recent.block, ...way };
        expect((await verified.lookupBlock(bare)).id).toEqual(recent.block);
        expect(asked.map(({ method }) => method)).toEqual(["lookupBlockWithProof"]);
        expect(asked[0]?.request["mcBlockId"]).toEqual(sample.last);
        expect(await verified.lookupBlock({ ...bare, valueFlow: true })).toEqual(
          await api.getBlockHeader({ id: recent.block, valueFlow: true }),
        );
      }
    });

    test("have no proofs of what needs none, whatever the server sends", async () => {
      const { last, first } = sample;
      const junk = Uint8Array.of(1);
      const ask = (request: object, lie: object) => {
        const lookupBlockWithProof = (answer: object) => ({ ...answer, ...lie });
        const { verified } = setUp({ lies: { lookupBlockWithProof } });
        return verified.lookupBlockWithProof({ mcBlockId: last, ...request } as never);
      };
      // From a block to itself, and before a block that is named by its number or the first one.
      const own = { clientMcStateProof: junk, mcBlockProof: junk, prevHeader: junk };
      expect(await ask({ id: last, bySeqno: true }, own)).toMatchObject({
        clientMcStateProof: nothing,
        mcBlockProof: nothing,
        prevHeader: nothing,
      });
      const early = await ask({ id: first, utime: 1 }, { prevHeader: junk });
      expect([early.id.seqno, early.prevHeader, early.clientMcStateProof.length > 0]).toEqual([
        1,
        nothing,
        true,
      ]);
      const byNumber = await ask({ id: { ...first, seqno: 3 }, bySeqno: true }, { prevHeader: junk });
      expect([byNumber.id.seqno, byNumber.prevHeader, byNumber.mcBlockProof.length > 0]).toEqual([
        3,
        nothing,
        true,
      ]);
      const { recent } = sample;
      const byLt = await ask({ id: recent.block, lt: recent.lt }, {});
      expect(byLt.prevHeader.length).toBeGreaterThan(0);
    });

    test("find by time", async () => {
      const found = await setUp().verified.lookupBlock({ id: sample.first, utime: 1 });
      expect(found.id).toEqual(sample.first);
    });

    test("ask again at the server's own newest block", async () => {
      let failures = 1;
      const lookupBlockWithProof = (answer: unknown) => (failures-- > 0 ? fails() : answer);
      const behind = setUp({ lies: { lookupBlockWithProof }, head: sample.first });
      const { id } = await behind.verified.lookupBlock({ id: sample.first, bySeqno: true });
      expect(id).toEqual(sample.first);
      expect(behind.proven).toEqual([sample.last]);
      expect(behind.asked.map(({ method }) => method)).toEqual([
        "lookupBlockWithProof",
        "getMasterchainInfo",
        "lookupBlockWithProof",
      ]);
    });

    test("keep the server's first error if its newest block is no other one, or is not proven", async () => {
      const same = setUp({ lies: { lookupBlockWithProof: fails } });
      await expect(same.verified.lookupBlock({ id: sample.first, bySeqno: true })).rejects.toBe(missing);
      expect(same.proven).toEqual([]);
      const unproven = setUp({
        lies: { lookupBlockWithProof: fails },
        head: sample.first,
        prove: () => Promise.reject(new LiteError(652, "another error")),
      });
      await expect(unproven.verified.lookupBlock({ id: sample.first, bySeqno: true })).rejects.toBe(missing);
      const lying = setUp({
        lies: { lookupBlockWithProof: fails },
        head: sample.first,
        prove: () => Promise.reject(new ProofError("a lie")),
      });
      await expect(lying.verified.lookupBlock({ id: sample.first, bySeqno: true })).rejects.toThrow(
        "lookupBlock: a lie",
      );
    });

    test("do not ask again after a lie", async () => {
      const lie = setUp({
        lies: { lookupBlockWithProof: (answer: object) => ({ ...answer, id: sample.last }) },
        head: sample.last,
      });
      await expect(
        lie.verified.lookupBlock({ id: { ...sample.last, workchain: 0 }, bySeqno: true }),
      ).rejects.toThrow(ProofError);
      expect(lie.asked.map(({ method }) => method)).toEqual(["lookupBlockWithProof"]);
    });
  });

  test("to a block of a shard prove its masterchain block", async () => {
    const { recent, last } = sample;
    const { verified, proven } = setUp();
    const answer = await verified.getShardBlockProof({ id: recent.block });
    expect(answer).toEqual(await api.getShardBlockProof({ id: recent.block }));
    expect(proven).toEqual([answer.masterchainId]);
    const refused = (error: Error) => setUp({ prove: () => Promise.reject(error) }).verified;
    const lie = new ProofError("not of this chain");
    // Servers echo the id of any masterchain block.
    await expect(refused(lie).getShardBlockProof({ id: last })).rejects.toMatchObject({
      code: 651,
      message: `block ${named(last)} is not in db`,
    });
    const error = new LiteError(1, "other");
    await expect(refused(error).getShardBlockProof({ id: last })).rejects.toBe(error);
    const ofShard = { id: last, workchain: 0, shard: wholeShard, exact: true };
    const { shardblk: shard } = await api.getShardInfo(ofShard);
    await expect(refused(lie).getShardBlockProof({ id: shard })).rejects.toThrow("not of this chain");
  });
});
