import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePrefix } from "../helpers/http/wire.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const address = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const whole = "-9223372036854775808";
const block = { workchain: -1, shard: whole, seqno: 1 };
const hash = "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3";
const ends = { source: address, destination: address };

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
afterAll(() => service.close());

type Params = Record<string, unknown>;
const longText = "9".repeat(5000);

/** Case, method, parameters, and the error text after the prefix of the wire form. */
const unreadable: [name: string, method: string, params: Params, text: string][] = [
  ["a word as number", "getAddressInformation", { address, seqno: "invalid" }, "failed to parse seqno"],
  ["an unknown boolean", "getTransactions", { address, archival: "maybe" }, "failed to parse archival"],
  ["a shard in hex", "lookupBlock", { ...block, shard: "8000000000000000" }, "failed to parse shard"],
  ["an unsigned shard", "lookupBlock", { ...block, shard: "9223372036854775808" }, "failed to parse shard"],
  ["a bad shard", "getBlockHeader", { ...block, shard: "x" }, "failed to parse shard"],
  ["a bad shard", "getBlockTransactions", { ...block, shard: "x" }, "failed to parse shard"],
  ["no workchain", "getShardBlockProof", { shard: whole, seqno: 1 }, "workchain required"],
  ["no shard", "getShardBlockProof", { workchain: 0, seqno: 1 }, "shard required"],
  ["no seqno", "getShardBlockProof", { workchain: 0, shard: whole }, "seqno required"],
  ["a letter as number", "getAddressInformation", { address, seqno: "x" }, "failed to parse seqno"],
  ["a fraction", "getShards", { seqno: 1.5 }, "failed to parse seqno"],
  ["beyond 32 bits", "getShards", { seqno: 2 ** 31 }, "failed to parse seqno"],
  ["beyond 64 bits", "getTransactions", { address, lt: "9223372036854775808", hash }, "failed to parse lt"],
  ["a long number", "getShards", { seqno: longText }, "failed to parse seqno"],
  [
    "a long address",
    "getAddressState",
    { address: "x".repeat(5000) },
    `Failed to parse ton_addr: '${"x".repeat(128)}...'`,
  ],
  ["a bad hash", "getTransactions", { address, lt: "5", hash: "zz" }, "invalid hash: 'zz'"],
  ["a bad hash", "getBlockHeader", { ...block, root_hash: "zz" }, "invalid hash: 'zz'"],
  ["a bad hash among others", "getLibraries", { libraries: [hash, "zz"] }, "invalid hash: 'zz'"],
  [
    "a bad account",
    "getBlockTransactions",
    { ...block, after_lt: 1, after_hash: "zz" },
    "failed to parse after_hash",
  ],
  ["a bad workchain", "lookupBlock", { ...block, workchain: "base" }, "failed to parse workchain"],
  ["a bad param", "getConfigParam", { param: "one" }, "failed to parse param"],
];

/** Parameters of which one is given without the other. */
const halves: [method: string, params: Params, together: string][] = [
  ["getTransactions", { address, lt: 5 }, "lt and hash"],
  ["getTransactions", { address, hash }, "lt and hash"],
  ["getTransactionsStd", { address, lt: 0 }, "lt and hash"],
  ["getBlockTransactions", { ...block, after_lt: 5 }, "after_lt and after_hash"],
  ["getBlockTransactionsExt", { ...block, after_hash: hash }, "after_lt and after_hash"],
];

const outOfRange: [name: string, method: string, params: Params, text: string][] = [
  ...halves.map(([method, params, together]): [string, string, Params, string] => [
    "one of two",
    method,
    params,
    `${together} should be used together`,
  ]),
  ...["getAddressInformation", "getAddressBalance", "getAddressState", "getWalletInformation"].flatMap(
    (method) =>
      [0, -1].map((seqno): [string, string, Params, string] => [
        "a seqno below 1",
        method,
        { address, seqno },
        "seqno should be positive",
      ]),
  ),
  ["a limit below 1", "getTransactions", { address, limit: 0 }, "limit should be positive"],
  ["a limit above 1000", "getTransactions", { address, limit: 1001 }, "limit should be less or equal 1000"],
  [
    "a limit above 1000",
    "getTransactionsStd",
    { address, limit: 1001 },
    "limit should be less or equal 1000",
  ],
  ["a negative lt", "getTransactions", { address, lt: -1, hash }, "lt should be non-negative"],
  [
    "no key of a block",
    "lookupBlock",
    { workchain: -1, shard: whole },
    "exactly one of seqno, lt, unixtime should be specified",
  ],
  [
    "two keys of a block",
    "lookupBlock",
    { ...block, lt: 1 },
    "exactly one of seqno, lt, unixtime should be specified",
  ],
  ["a count below 1", "getBlockTransactions", { ...block, count: 0 }, "count should be positive"],
  [
    "a count above 10000",
    "getBlockTransactionsExt",
    { ...block, count: 10001 },
    "count should be less or equal 10000",
  ],
  [
    "a negative from_seqno",
    "getShardBlockProof",
    { ...block, from_seqno: -1 },
    "from_seqno should be non-negative",
  ],
  ["neither name of the number", "getConfigParam", {}, "only one of config_id or param should be specified"],
  ["a negative created_lt", "tryLocateTx", { ...ends, created_lt: -1 }, "created_lt should be non-negative"],
  ["block 0", "getMasterchainBlockSignatures", { seqno: 0 }, "seqno should be positive"],
  [
    "a negative time",
    "lookupBlock",
    { workchain: -1, shard: whole, unixtime: -1 },
    "unixtime should be non-negative",
  ],
];

describe("refused parameters", () => {
  it.each(unreadable)("%s: %s %j is not readable", async (_, method, params, text) => {
    for (const [form, ended] of await service.inAllForms(method, params))
      expect([form, ended]).toEqual([form, { error: parsePrefix(form) + text, code: 422 }]);
  });

  it.each(outOfRange)("%s: %s %j is out of range", async (_, method, params, text) => {
    for (const [form, ended] of await service.inAllForms(method, params))
      expect([form, ended]).toEqual([form, { error: `failed to validate request: ${text}`, code: 422 }]);
  });

  it.each([
    ["getAddressInformation", {}, "address", "Failed to parse ton_addr: ''"],
    ["getTransactions", {}, "address", "Failed to parse ton_addr: ''"],
    ["getShards", {}, "seqno", "failed to parse seqno"],
    ["lookupBlock", { seqno: 1 }, "workchain", "failed to parse workchain"],
    ["getBlockHeader", { workchain: -1, seqno: 1 }, "shard", "failed to parse shard"],
    ["tryLocateSourceTx", ends, "created_lt", "failed to parse created_lt"],
  ])("%s %j lacks %s", async (method, params, name, asEmpty) => {
    for (const [form, ended] of await service.inAllForms(method, params)) {
      const text = form === "GET" ? asEmpty : `${name} is required`;
      expect([form, ended]).toEqual([form, { error: parsePrefix(form) + text, code: 422 }]);
    }
  });

  it("more than 16 libraries are refused with 400", async () => {
    const libraries = Array.from({ length: 17 }, (_, i) => i.toString(16).padStart(64, "0"));
    for (const [form, ended] of await service.inAllForms("getLibraries", { libraries }))
      expect([form, ended]).toEqual([
        form,
        {
          error:
            "INVALID_FIELD: Field library_list has invalid value : too many libraries requested, 16 maximum",
          code: 400,
        },
      ]);
  });
});

describe("accepted parameters", () => {
  it.each([
    ["an lt of 0", "getTransactions", { address, lt: 0 }, []],
    ["a boolean as word", "getTransactions", { address, archival: "Yes" }, []],
    ["a boolean in capitals", "getTransactions", { address, archival: "ON" }, []],
    ["a boolean as digit", "getTransactions", { address, archival: "0" }, []],
    ["a limit of 100 with archival", "getTransactions", { address, limit: 100, archival: true }, []],
    ["an empty hash", "getTransactions", { address, hash: "" }, []],
  ])("%s: %s %j", async (_, method, params, result) => {
    for (const [form, ended] of await service.inAllForms(method, params))
      expect([form, ended]).toEqual([form, { result }]);
  });

  it("numbers as JSON numbers and as text are the same", async () => {
    const [first, ...others] = (
      await Promise.all(
        ["1", 1].map((seqno) => service.inAllForms("getAddressInformation", { address, seqno })),
      )
    ).flat();
    for (const [, ended] of others) expect(ended).toEqual(first![1]);
    expect(first![1]).toMatchObject({ result: { block_id: { seqno: 1 } } });
  });
});

describe("a parameter given by both of its names", () => {
  it("is refused in a body; in a query config_id wins", async () => {
    const both = { param: 1, config_id: 2 };
    const counting = await service.run("getConfigParam", { config_id: 2 });
    expect(counting).not.toEqual(await service.run("getConfigParam", { param: 1 }));
    const text = "failed to validate request: only one of config_id or param should be specified";
    for (const [form, ended] of await service.inAllForms("getConfigParam", both))
      expect([form, ended]).toEqual([
        form,
        form === "GET" ? { result: counting } : { error: text, code: 422 },
      ]);
  });
});

describe("reads of missing objects", () => {
  const cannotFind = (place: string) =>
    `LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000) ${place} not in db`;

  it.each([
    "getAddressInformation",
    "getExtendedAddressInformation",
    "getWalletInformation",
    "getAddressBalance",
    "getAddressState",
    "getShardAccountCell",
  ])("%s at a block that is not there yet", async (method) => {
    for (const [form, ended] of await service.inAllForms(method, { address, seqno: 999_999_999 }))
      expect([form, ended]).toEqual([
        form,
        { error: `${cannotFind("seqno=999999999: seqno")} (last known masterchain block: 1)`, code: 500 },
      ]);
  });

  it.each([
    ["getShards", { seqno: 7 }],
    ["getMasterchainBlockSignatures", { seqno: 7 }],
    ["getConfigAll", { seqno: 7 }],
    ["getConfigParam", { param: 1, seqno: 7 }],
    ["getBlockHeader", { ...block, seqno: 7 }],
    ["getBlockTransactions", { ...block, seqno: 7 }],
    ["getBlockTransactionsExt", { ...block, seqno: 7 }],
    ["getShardBlockProof", { ...block, seqno: 7 }],
  ])("%s %j", async (method, params) => {
    for (const [form, ended] of await service.inAllForms(method, params))
      expect([form, ended]).toEqual([
        form,
        { error: `${cannotFind("seqno=7: seqno")} (last known masterchain block: 1)`, code: 500 },
      ]);
  });

  it("a logical time or a time in the future", async () => {
    const at = async (by: object) =>
      service.inAllForms("lookupBlock", { workchain: -1, shard: whole, ...by });
    for (const [, ended] of await at({ lt: "9000000000000000000" }))
      expect(ended).toEqual({
        error: expect.stringContaining(cannotFind("lt=9000000000000000000: lt")),
        code: 500,
      });
    for (const [, ended] of await at({ unixtime: 2_147_483_647 }))
      expect(ended).toEqual({
        error: expect.stringMatching(/cannot find block .* utime=2147483647/),
        code: 500,
      });
  });

  it("a workchain that does not exist", async () => {
    for (const workchain of [5, -2, 2_147_483_647]) {
      for (const [, ended] of await service.inAllForms("lookupBlock", { ...block, workchain }))
        expect(ended).toEqual({
          error: expect.stringMatching(/^LITE_SERVER_NOTREADY: cannot find block \(/),
          code: 500,
        });
    }
  });

  it("come with the code of the liteserver in strict JSON-RPC", async () => {
    expect(await service.rpc("getShards", { seqno: 7 })).toEqual({
      jsonrpc: "2.0",
      id: 1,
      ok: false,
      error: {
        code: -32000,
        message: `${cannotFind("seqno=7: seqno")} (last known masterchain block: 1)`,
        data: { code: 500, kind: "liteserver-error", liteserver_code: 651, not_found: true },
      },
    });
  });
});
