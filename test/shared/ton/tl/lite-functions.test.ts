import { describe, expect, test } from "vitest";
import { LiteError } from "../../../../shared/ton/lite/lite-api.js";
import type { LiteMethod } from "../../../../shared/ton/lite/lite-methods.js";
import { wire } from "../../../../shared/ton/tl/codecs.js";
import {
  decodeAnswer,
  encodeAnswer,
  encodeError,
  encodeQuery,
  liteMethods,
  queryFrom,
  queryOf,
} from "../../../../shared/ton/tl/lite-functions.js";
import { TlError } from "../../../../shared/ton/tl/tl-error.js";
import type { BlockIdExt } from "../../../../shared/ton/tlb/block-id.js";

const hash = new Uint8Array(32).fill(7);
const bytes = Uint8Array.of(1, 2, 3);
const none = new Uint8Array(0);
const id: BlockIdExt = { workchain: 0, shard: 1n << 63n, seqno: 5, rootHash: hash, fileHash: hash };
const account = { workchain: 0, id: hash };
const place = { workchain: -1, shard: 1n << 63n, seqno: 9 };

/** Calls and the mode each of them makes up. */
const questions: [LiteMethod, object, number][] = [
  ["getMasterchainInfoExt", { shardsApplied: true }, 1],
  ["getMasterchainInfoExt", {}, 0],
  ["getBlockHeader", { id, stateUpdate: true, extra: true, prevBlockSignatures: true }, 0b1010001],
  ["lookupBlock", { id: place, bySeqno: true }, 1],
  ["lookupBlock", { id: place, lt: 5n, valueFlow: true, shardHashes: true }, 0x222],
  ["lookupBlockWithProof", { id: place, mcBlockId: id, utime: 4_000_000_000, stateUpdate: true }, 0x14],
  ["runSmcMethod", { id, account, methodId: 0x10001n, params: bytes, proof: true, fullC7: true }, 0b100001],
  ["listBlockTransactions", { id, count: 2, account: true, hash: true, metadata: true }, 0x105],
  ["listBlockTransactions", { id, count: 2, after: { account: hash, lt: 1n }, reverseOrder: true }, 0xc0],
  ["listBlockTransactionsExt", { id, count: 2, proof: true }, 0x20],
  ["getBlockProof", { knownBlock: id }, 0],
  ["getBlockProof", { knownBlock: id, targetBlock: id, baseOnGiven: true }, 0x1001],
  ["getBlockProof", { knownBlock: id, toNewest: true }, 2],
  ["getConfigAll", { id, fromPrevKeyBlock: true, prevBlocks: true, proof: true }, 0x8080],
  ["getConfigParams", { id, paramList: [-71, 8], capabilities: true, proof: true }, 0x200],
  ["getLibrariesWithProof", { id, libraryList: [hash], noData: true }, 2],
  ["getOutMsgQueueSizes", {}, 0],
  ["getOutMsgQueueSizes", { wc: 0, shard: 5n }, 1],
  ["getBlockOutMsgQueueSize", { id, proof: true }, 1],
  ["getValidatorStats", { id, limit: 3, modifiedAfter: 4_000_000_000, proof: true }, 4],
  ["getDispatchQueueInfo", { id, afterAddr: hash, maxAccounts: 3 }, 2],
  ["getDispatchQueueMessages", { id, addr: hash, afterLt: 0n, maxMessages: 3, messagesBoc: true }, 4],
  ["getPendingShardBlocks", { wc: 0, shard: 5n }, 1],
];

describe("queries", () => {
  for (const [method, request, mode] of questions)
    test(`${method} with mode ${mode} survives a round trip`, () => {
      const question = queryOf(method, request);
      expect(question.mode).toBe(mode);
      expect(queryFrom(wire.decode(encodeQuery(question)))).toEqual({ method, request, mode });
    });

  test("for a workchain without a shard are for the whole workchain", () => {
    expect(queryOf("getOutMsgQueueSizes", { wc: 0 }).request).toEqual({ wc: 0, shard: 1n << 63n });
  });

  test("whose answer always has a proof ask for one", () => {
    const arrived = queryFrom(wire.decode(encodeQuery(queryOf("getAccountState", { id, account }))));
    expect(arrived.request).toEqual({ id, account, proof: true });
  });

  test("with unknown bits are rejected where a liteserver does so", () => {
    const run = { mode: 0x40, id, account, methodId: 1n, params: none };
    const refusals: [string, object, string][] = [
      ["liteServer.runSmcMethod", run, "unsupported mode in runSmcMethod"],
      ["liteServer.getMasterchainInfoExt", { mode: 2 }, "unsupported getMasterchainInfo mode"],
    ];
    for (const [name, value, text] of refusals)
      expect(() => queryFrom({ name, value: value as never })).toThrow(new LiteError(-400, text));
    const header = queryFrom({ name: "liteServer.getBlockHeader", value: { id, mode: 0xffff } });
    expect(Object.keys(header.request)).toHaveLength(6);
  });

  test("for functions that LiteApi does not have are rejected", () => {
    for (const name of ["liteServer.nonfinal.getCandidate", "liteServer.blockData", "tcp.ping"])
      expect(() => queryFrom({ name, value: {} })).toThrow(new LiteError(621, "unknown query"));
    expect(liteMethods).toHaveLength(31);
  });
});

describe("answers", () => {
  function travelled(method: LiteMethod, request: object, answer: unknown): unknown {
    const question = queryOf(method, request);
    return decodeAnswer(question, encodeAnswer(question, answer));
  }

  test("survive a round trip, without the mode", () => {
    const metadata = { depth: 1, initiator: account, initiatorLt: 4n };
    const ids = [
      { account: hash, lt: 3n, metadata },
      { account: hash, lt: 4n },
    ];
    const listed = { id, reqCount: 2, incomplete: true, ids, proof: none };
    const wanted = { id, count: 2, account: true, lt: true, metadata: true };
    expect(travelled("listBlockTransactions", wanted, listed)).toEqual(listed);
    const run = { id, shardblk: id, exitCode: -14, result: bytes, initC7: none };
    const call = { id, account, methodId: 1n, params: none, result: true, initC7: true };
    expect(travelled("runSmcMethod", call, run)).toEqual(run);
    const messages = [
      { addr: hash, lt: 1n, hash, metadata: { ...metadata, depth: -1, initiatorLt: 2n ** 64n - 1n } },
    ];
    const queue = { id, messages, complete: false, proof: bytes };
    const query = { id, addr: hash, afterLt: 0n, maxMessages: 1, proof: true };
    expect(travelled("getDispatchQueueMessages", query, queue)).toEqual(queue);
  });

  test("carry proofs only if these were asked for", () => {
    const state = { id, shardblk: id, shardProof: bytes, proof: bytes, state: bytes };
    expect(travelled("getAccountState", { id, account, proof: true }, state)).toEqual(state);
    const bare = { ...state, shardProof: none, proof: none };
    expect(travelled("getAccountState", { id, account }, state)).toEqual(bare);
  });

  test("echo the mode on the wire as a liteserver does", () => {
    const lookup = queryOf("lookupBlock", { id: place, bySeqno: true, extra: true });
    expect(wire.decode(encodeAnswer(lookup, { id, headerProof: none })).value).toMatchObject({ mode: 0x10 });
    const list = queryOf("listBlockTransactions", {
      id,
      count: 1,
      lt: true,
      reverseOrder: true,
      metadata: true,
    });
    const given = { id, reqCount: 1, incomplete: false, ids: [{ lt: 1n }], proof: none };
    expect(wire.decode(encodeAnswer(list, given)).value["ids"]).toEqual([{ mode: 0x42, lt: 1n }]);
  });

  test("may be errors", () => {
    const question = queryOf("getTime", {});
    const error = encodeError(new LiteError(651, "node not synced"));
    expect(() => decodeAnswer(question, error)).toThrow(new LiteError(651, "node not synced"));
  });

  test("to another query, or with other fields than asked for, are rejected", () => {
    const question = queryOf("getTime", {});
    const version = wire.encode("liteServer.version", { mode: 0, version: 1, capabilities: 0n, now: 1 });
    expect(() => decodeAnswer(question, version)).toThrow(TlError);
    const run = { id, account, methodId: 1n, params: none };
    const withoutResult = encodeAnswer(queryOf("runSmcMethod", run), { id, shardblk: id, exitCode: 0 });
    expect(() => decodeAnswer(queryOf("runSmcMethod", { ...run, result: true }), withoutResult)).toThrow(
      "other fields than asked for",
    );
    const list = { id, reqCount: 1, incomplete: false, ids: [{ lt: 1n }], proof: none };
    const byLt = encodeAnswer(queryOf("listBlockTransactions", { id, count: 1, lt: true }), list);
    const byHash = queryOf("listBlockTransactions", { id, count: 1, hash: true });
    expect(() => decodeAnswer(byHash, byLt)).toThrow("other fields than asked for");
  });
});
