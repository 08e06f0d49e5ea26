import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { registry } from "../../shared/methods/registry.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";
import { anyKind, type FreshDatabase } from "../helpers/store/databases.js";

const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const zero = "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c";
const hash = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=";
const encoded = encodeURIComponent(hash);
const wallet = {
  user_friendly: "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI",
  domain: null,
  interfaces: [],
};
const nobody = { user_friendly: null, domain: null, interfaces: [] };

let fresh: FreshDatabase;
let app: IndexApp;
beforeAll(async () => {
  fresh = await anyKind[1]();
  app = await startIndexApp(fresh.database);
});
afterAll(async () => {
  await app.close();
  await fresh.close();
});

const conversion = (name: string) => `failed to decode: schema: error converting value for "${name}"`;
const item = (index: number, name: string) =>
  `failed to decode: schema: error converting value for index ${index} of "${name}"`;
/** The same value many times, as one parameter. */
const times = (count: number, name: string, value: string) =>
  Array.from({ length: count }, () => value)
    .join(",")
    .replace(/^/, `${name}=`);

describe("a refused parameter", () => {
  it.each([
    ["transactions?account=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M", item(0, "account")],
    [
      "transactions?account=83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8",
      item(0, "account"),
    ],
    [`transactions?account=128:${"0".repeat(64)}`, item(0, "account")],
    ["transactions?account=null", item(0, "account")],
    [`transactions?account=${friendly}&account=bad`, item(1, "account")],
    [`transactions?account=${friendly},bad`, item(0, "account")],
    ["transactions?account[=x", "unmatched brackets"],
    [`transactions?hash=${"a".repeat(63)}`, item(0, "hash")],
    [`transactions?hash=${"a".repeat(45)}`, item(0, "hash")],
    [`transactions?hash=${"A".repeat(42)}==`, item(0, "hash")],
    [`transactions?hash=${"+".repeat(42)}8=`, item(0, "hash")],
    ["blocks?shard=9223372036854775808", conversion("shard")],
    ["blocks?shard=", conversion("shard")],
    ["messages?opcode=4294967296", conversion("opcode")],
    ["messages?opcode=0x100000000", conversion("opcode")],
    ["messages?opcode=-2147483649", conversion("opcode")],
    ["messages?opcode=abcxyz", conversion("opcode")],
    ["blocks?start_utime=yesterday", conversion("start_utime")],
    ["blocks?Start_Utime=-1", conversion("Start_Utime")],
    ["blocks?end_utime=4294967296", conversion("end_utime")],
    ["transactions?start_lt=-1", conversion("start_lt")],
    ["transactions?lt=0x10", conversion("lt")],
    ["transactions?limit=abc", conversion("limit")],
    ["transactions?limit=1.5", conversion("limit")],
    ["transactions?limit=3000000000", conversion("limit")],
    ["transactions?limit=abc&start_lt=x", `${conversion("limit")} (and 1 other error)`],
    ["transactions?start_lt=x&limit=abc&lt=y", `${conversion("start_lt")} (and 2 other errors)`],
    [`accountStates?address=${friendly}&include_boc=yes`, conversion("include_boc")],
    ["transactions?limit=1001", "limit is not allowed: 1001 > 1000"],
    ["traces?limit=1001", "limit is not allowed: 1001 > 1000"],
    ["topAccountsByBalance?limit=1025", "limit is not allowed: 1025 > 1024"],
    ["transactions?sort=up", "wrong value for sort parameter"],
    ["accountStates", "address of account is required"],
    ["walletStates?address=", "address of account is required"],
    [`accountStates?${times(125, "address", zero)}`, undefined],
    ["addressBook", "at least 1 address required"],
    ["metadata?address=,", "at least 1 address required"],
    ["transactionsByMessage?direction=in", "at least one of msg_hash, body_hash, opcode should be specified"],
    ["transactionsByMessage?msg_hash=", "at least one of msg_hash, body_hash, opcode should be specified"],
    ["transactionsByMessage?opcode=0&direction=both", "direction should be one of: in, out"],
    ["transactions?direction=in", "direction can be specified only with msg_hash or opcode"],
    ["adjacentTransactions", "hash is required"],
    [`adjacentTransactions?hash=${encoded}&direction=up`, "direction should be one of: in, out"],
    [`messages?hash=${encoded}&msg_hash=${encoded}`, "cannot use both legacy and new message hashes"],
    ["messages?direction=up", "direction should be one of: in, out"],
    ["transactionsByMasterchainBlock", "seqno is required"],
    ["masterchainBlockShards", "seqno is required"],
    ["masterchainBlockShardState?seqno=x", conversion("seqno")],
    [
      `traces?account=${friendly}&trace_id=${encoded}`,
      "only one of account, trace_id, tx_hash, msg_hash should be specified",
    ],
    ["decode?opcodes=0xzz", "invalid opcode format at index 0: zz"],
    ["decode?opcodes=0x0,0xzz", "invalid opcode format at index 1: zz"],
    ["decode?opcodes=0x0,,0x1", "invalid opcode format at index 1: "],
    [`decode?${times(1001, "opcodes", "0")}`, "opcodes list exceeds maximum length of 1000"],
    [`decode?${times(1001, "bodies", "00")}`, "bodies list exceeds maximum length of 1000"],
  ])("of %s", async (path, error) => {
    expect(await app.get(path)).toEqual(error === undefined ? [200, expect.anything()] : [422, { error }]);
  });

  it.each([
    ["v3.accountStates", 1001, "maximum 1000 addresses allowed"],
    ["v3.walletStates", 1001, "maximum 1000 addresses allowed"],
    ["v3.addressBook", 1025, "maximum 1024 addresses allowed"],
    ["v3.metadata", 1025, "maximum 1024 addresses allowed"],
  ])("of %s is refused with the maximum in the text", async (method, count, message) => {
    const params = { address: Array.from({ length: count }, () => raw) };
    const { json } = await app.post("/jsonRPC", { jsonrpc: "2.0", id: 1, method, params });
    expect(json).toMatchObject({ error: { code: -32602, message, data: { code: 422 } } });
  });
});

describe("a parameter in one of its forms", () => {
  const books = { transactions: [], address_book: {} };
  it.each([
    [`transactions?account=${friendly},${zero}`, books],
    [`transactions?account[]=${friendly}`, books],
    [`transactions?hash=0x${"AB".repeat(32)}`, books],
    [`transactions?hash=${encodeURIComponent(`${hash}=====`)}`, books],
    [`transactions?hash=${"_".repeat(42)}8`, books],
    ["transactions?opcode=-1&direction=in", books],
    ["transactions?start_utime=1.7e9", books],
    ["transactions?limit=1000&sort=ASC&_=1700000000000", books],
    ["messages?source=null&destination=addr_none", { messages: [], address_book: {}, metadata: {} }],
    ["messages?exclude_externals=on&only_externals=T", { messages: [], address_book: {}, metadata: {} }],
    ["masterchainBlockShards?seqno=1&sort=up", undefined],
    ["topAccountsByBalance?limit=1024", []],
    [`accountStates?address=${friendly}&include_boc=on`, { accounts: [], address_book: {}, metadata: {} }],
    [`walletStates?address=${friendly}`, { wallets: [], address_book: {}, metadata: {} }],
    ["addressBook?address=hello", { hello: nobody }],
    [`addressBook?address=${friendly}&address=${raw}`, { [friendly]: wallet, [raw]: wallet }],
    ["metadata?address=hello", {}],
    [`traces?tx_hash=${encoded}&include_actions=true`, { traces: [], address_book: {}, metadata: {} }],
    ["decode", { opcodes: [], bodies: [] }],
    [
      "decode?opcodes=0x0&opcodes=0x0f8a7ea5&opcodes=-1",
      { opcodes: ["text_comment", "jetton_transfer", "bounce"], bodies: [] },
    ],
    ["decode?opcodes=0x0,0x0f8a7ea5", { opcodes: ["text_comment", "jetton_transfer"], bodies: [] }],
    ["decode?opcodes=12345678901", undefined],
  ])("is taken: %s", async (path, body) => {
    const [status, answered] = await app.get(path);
    if (body === undefined) expect([404, 422]).toContain(status);
    else expect([status, answered]).toEqual([200, body]);
  });

  it("is answered with 404 while nothing is indexed", async () => {
    const none = [404, { error: "blocks not found" }];
    expect(await app.get("masterchainInfo")).toEqual(none);
    expect(await app.get("masterchainBlockShards?seqno=1")).toEqual(none);
    expect(await app.get(`adjacentTransactions?hash=${encoded}`)).toEqual([
      404,
      { error: "adjacent transactions not found" },
    ]);
  });
});

describe("a query", () => {
  it.each([
    ["accountStates", 1000, 200],
    ["walletStates", 1000, 200],
    ["addressBook", 1024, 200],
    ["metadata", 1024, 200],
    ["addressBook", 1080, 422],
    ["addressBook", 2200, 413],
  ])("of %s with %i addresses is answered with %i", async (path, count, status) => {
    const query = Array.from({ length: count }, () => `address=${friendly}`).join("&");
    expect((await app.get(`${path}?${query}`))[0]).toBe(status);
  });
});

describe("documents", () => {
  it.each([
    ["accountStates", ["address"]],
    ["metadata", ["address"]],
    ["adjacentTransactions", ["hash"]],
    ["masterchainBlockShards", ["seqno"]],
    ["walletInformation", ["address"]],
    ["message", ["boc"]],
    ["runGetMethod", ["address", "method"]],
    ["decode", undefined],
  ] as const)("name the required parameters of %s", (name, required) => {
    expect(
      z.toJSONSchema(registry.v3[name].params, { io: "input", unrepresentable: "any" }).required,
    ).toEqual(required);
  });
});

describe("options", () => {
  it("leave out the address book and bound the time", async () => {
    const bookless = await app.ask(`/api/v3/messages?x_no_address_book=1`);
    expect(bookless.json).toEqual({ messages: [], address_book: {}, metadata: {} });
    const brief = await app.ask("/api/v3/transactions", { headers: { "X-Timeout": "0" } });
    expect(brief.status).toBe(200);
  });
});
