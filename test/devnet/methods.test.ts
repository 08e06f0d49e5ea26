import {
  Address,
  beginCell,
  Cell,
  external as externalMessage,
  internal,
  storeMessage,
  storeMessageRelaxed,
} from "@ton/core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { addKey } from "../helpers/services/keys.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const empty = "te6cckEBAQEAAgAAAEysuc0=";
const someone = (digit: string) => `0:${digit.repeat(64)}`;

type Answer = { result?: unknown; error?: { code: number; message: string; data: { code: number } } };
type Block = { workchain: number; seqno: number };
type Receipt = { tx_hash: string; lt: string; block: Block };

let service: TestService;
beforeAll(async () => {
  service = await startService({ story: false, mining: "manual", clock: "fixed" });
});
afterAll(() => service.close());
beforeEach(() => run("devnet.reset"));

const call = (method: string, params: unknown = {}) => service.rpc(method, params) as Promise<Answer>;

/** The result of a call that succeeds. */
async function run<T = unknown>(method: string, params: unknown = {}): Promise<T> {
  const { result, error } = await call(method, params);
  expect(error).toBeUndefined();
  return result as T;
}

async function refusal(
  method: string,
  params: unknown,
): Promise<[status: number, code: number, text: string]> {
  const { error } = await call(method, params);
  return [error!.data.code, error!.code, error!.message];
}

const balance = (address: string) => run<string>("getAddressBalance", { address });
const head = async () => (await run<{ last: Block }>("getMasterchainInfo")).last.seqno;
const timeOf = async (seqno: number) => {
  const params = { workchain: -1, shard: "-9223372036854775808", seqno };
  return (await run<{ gen_utime: number }>("getBlockHeader", params)).gen_utime;
};

describe("devnet.info", () => {
  it("describes the chain, its faucet and its wallets", async () => {
    const info = await run<Record<string, unknown> & { wallets: unknown[] }>("devnet.info");
    expect(info).toMatchObject({
      network: "devnet",
      global_id: -20250,
      seed: "tonwire",
      clock: "fixed",
      mining: { mode: "manual" },
      faucet: { type: "v4r2", balance: "1000000000000000000" },
    });
    const { init } = await run<{ init: { root_hash: string } }>("getMasterchainInfo");
    expect(info["zero_states"]).toMatchObject({ masterchain: { seqno: 0, root_hash: init.root_hash } });
    expect(info.wallets).toHaveLength(7);
    for (const { address, balance: funds } of info.wallets as { address: string; balance: string }[]) {
      expect(await balance(address)).toBe(funds);
    }
    expect(info["contracts"]).toEqual([]);
  });
});

describe("devnet.faucet", () => {
  it("answers once the payment has arrived, with the transaction that received it", async () => {
    const address = someone("a");
    const { tx_hash, lt, block } = await run<Receipt>("devnet.faucet", { address, amount: "1500000000" });
    expect(await balance(address)).toBe("1500000000");
    expect(await head()).toBe(block.seqno);
    const [transaction] = await run<{ transaction_id: { lt: string; hash: string } }[]>("getTransactions", {
      address,
    });
    expect(transaction!.transaction_id).toMatchObject({
      lt,
      hash: tx_hash,
    });
  });

  it("gives ten TON by default, serves many calls at once, and takes JSON numbers", async () => {
    const addresses = [..."0123456789"].map(someone);
    await Promise.all(addresses.map((address) => run("devnet.faucet", { address })));
    for (const address of addresses) expect(await balance(address)).toBe("10000000000");
    await run("devnet.faucet", { address: someone("a"), amount: 5 });
    expect(await balance(someone("a"))).toBe("5");
  });

  it("serves more calls at once than the mempool holds messages of one account", async () => {
    const params = { address: someone("a"), amount: "1" };
    const gifts = Array.from({ length: 260 }, () => run<Receipt>("devnet.faucet", params));
    const arrivals = new Set((await Promise.all(gifts)).map(({ tx_hash }) => tx_hash));
    expect(arrivals.size).toBe(260);
  });
});

describe("devnet.relay", () => {
  const to = Address.parse(someone("c"));
  const body = beginCell().storeUint(7, 32).endCell();
  const message = beginCell().store(storeMessageRelaxed(internal({ to, value: 5n, bounce: false, body })));
  const text = (cell: Cell) => cell.toBoc().toString("base64");

  it("sends a message from the faucet, given as a whole or in parts", async () => {
    const { faucet } = await run<{ faucet: { address: string } }>("devnet.info");
    for (const [params, value] of [
      [{ boc: text(message.endCell()) }, "100000000"],
      [{ address: someone("c"), body: text(body), value: "700" }, "700"],
    ] as const) {
      const { tx_hash, lt } = await run<Receipt>("devnet.relay", params);
      const [transaction] = await run<{ in_msg: object; transaction_id: object }[]>("getTransactions", {
        address: someone("c"),
      });
      const source = Address.parse(faucet.address).toString();
      expect(transaction).toMatchObject({
        transaction_id: { lt, hash: tx_hash },
        in_msg: { source, value, msg_data: { body: text(body) } },
      });
    }
  });

  it("refuses what is no message, no parts of one, or both", async () => {
    const either = "failed to validate request: either boc or both address and body should be specified";
    const parts = { address: someone("c"), body: text(body) };
    const boc = text(message.endCell());
    // The message of the faucet's wallet has it two levels down.
    const deep = Array(511)
      .fill(0)
      .reduce<Cell>((cell) => beginCell().storeRef(cell).endCell(), body);
    const external = beginCell()
      .store(storeMessage(externalMessage({ to, body })))
      .endCell();
    for (const [params, reason] of [
      [{}, either],
      [{ address: someone("c") }, either],
      [{ boc, ...parts }, either],
      [{ boc, state_init: text(body) }, either],
      [{ boc: text(external) }, "boc is not an internal message"],
      [{ boc: text(body) }, "boc is not an internal message"],
      [{ boc: "AAAA" }, "boc is not a bag of one cell"],
      [{ ...parts, state_init: text(body) }, "state_init is not a StateInit"],
      [{ ...parts, body: text(deep) }, "external message is too deep"],
      [{ ...parts, address: `1:${"1".repeat(64)}` }, "there is no workchain 1"],
    ] as const)
      expect((await refusal("devnet.relay", params))[2]).toContain(reason);
  });
});

describe("devnet.mine", () => {
  it("makes the number of blocks asked for, with the interval between them", async () => {
    const before = await head();
    const { block, mined } = await run<{ block: Block; mined: number }>("devnet.mine", {
      blocks: 3,
      interval: 60,
    });
    expect(mined).toBe(3);
    expect(block.seqno).toBe(before + 3);
    expect((await timeOf(before + 3)) - (await timeOf(before + 2))).toBe(60);
  });
});

describe("devnet.settle", () => {
  it("answers at once while nothing waits", async () => {
    const { last } = await run<{ last: Block }>("getMasterchainInfo");
    expect(await run("devnet.settle")).toEqual({
      settled: true,
      waiting: { messages: 0, queued: 0, blocks: 0 },
      story_told: true,
      block: last,
    });
  });
});

describe("addresses and hashes", () => {
  it("are taken in every form, and answered as v3 writes them", async () => {
    const { faucet, wallets } = await run<{ faucet: { address: string }; wallets: { address: string }[] }>(
      "devnet.info",
    );
    for (const { address } of [faucet, ...wallets]) expect(address).toMatch(/^0:[0-9A-F]{64}$/);
    const to = Address.parseRaw(someone("a"));
    const forms = [
      someone("a"),
      someone("A"),
      to.toString(),
      to.toString({ urlSafe: false, bounceable: false }),
    ];
    for (const address of forms) {
      const { tx_hash } = await run<Receipt>("devnet.faucet", { address, amount: "1000000000" });
      expect(tx_hash).toMatch(/^[A-Za-z0-9+/]{43}=$/);
      const bytes = Buffer.from(tx_hash, "base64");
      const hashes = [
        tx_hash,
        bytes.toString("hex"),
        bytes.toString("hex").toUpperCase(),
        bytes.toString("base64url"),
      ];
      for (const hash of hashes)
        expect(await run("devnet.transactionLog", { hash })).toHaveProperty("vm_log");
    }
    expect(await balance(someone("a"))).toMatch(/^4\d{9}$|^39\d{8}$/);
  });
});

describe("devnet.setMining", () => {
  it("makes messages wait for devnet.mine in manual mode", async () => {
    const { mining } = await run<{ mining: { interval_ms: number } }>("devnet.info");
    expect(await run("devnet.setMining", { mode: "manual" })).toEqual({
      mode: "manual",
      interval_ms: mining.interval_ms,
    });
    const before = await head();
    const { mined } = await run<{ mined: number }>("devnet.mine");
    expect(mined).toBe(1);
    expect(await head()).toBe(before + 1);
  });
});

describe("devnet.setTime", () => {
  it("sets the time of the next block forward, and refuses to set it back", async () => {
    const last = await run<{ now: number }>("devnet.info");
    expect(await run("devnet.setTime", { time: last.now + 1000 })).toEqual({ now: last.now + 1000 });
    const { block } = await run<{ block: Block }>("devnet.mine");
    expect(await timeOf(block.seqno)).toBe(last.now + 1000);
    expect(await refusal("devnet.setTime", { time: last.now })).toEqual([
      409,
      -32000,
      `time ${last.now} is before the last block's time ${last.now + 1000}`,
    ]);
  });
});

describe("devnet.advanceTime", () => {
  it("moves the time of the next block forward", async () => {
    const last = await run<{ now: number }>("devnet.info");
    const { now } = await run<{ now: number }>("devnet.advanceTime", { seconds: 3600 });
    expect(now).toBe(last.now + 3600);
    const { block } = await run<{ block: Block }>("devnet.mine");
    expect(await timeOf(block.seqno)).toBe(now);
  });
});

describe("devnet.setClock", () => {
  it("selects the machine's clock or the devnet's own", async () => {
    expect(await run("devnet.setClock", { mode: "fixed" })).toMatchObject({ mode: "fixed" });
  });
});

describe("devnet.setNextBlockTime", () => {
  it("sets the time of the next block, and no further", async () => {
    await run("devnet.setClock", { mode: "wall" });
    await run("devnet.mine");
    const now = await timeOf(await head());
    const next = { time: now + 50_000 };
    expect(await run("devnet.setNextBlockTime", next)).toEqual({ now: next.time });
    await run("devnet.mine");
    expect(await timeOf(await head())).toBe(next.time);
    expect(await refusal("devnet.setNextBlockTime", { time: now })).toEqual([
      409,
      -32000,
      `time ${now} is before the last block's time ${next.time}`,
    ]);
    await run("devnet.setClock", { mode: "fixed" });
  });
});

describe("devnet.calls", () => {
  type PastCall = {
    time: string;
    method: string;
    params: object;
    duration_ms: number;
    outcome: string;
    exit_meaning?: string;
  };

  it("explains why a contract refused a message", async () => {
    const [wallet] = (await run<{ wallets: { address: string }[] }>("devnet.info")).wallets;
    await refusal("sendQuery", { address: wallet!.address, body: "te6cckEBAQEAAgAAAEysuc0=" });
    const [refused] = await run<PastCall[]>("devnet.calls", { limit: 1 });
    expect(refused).toMatchObject({ method: "sendQuery", outcome: "message-rejected" });
    expect(refused!.exit_meaning).toMatch(/\.$/);
  });

  it("lists calls, newest first, with the outcome and without keys", async () => {
    await run("getAddressBalance", { address: someone("1") });
    await service.get(`/api/v2/getAddressState?address=${someone("2")}&api_key=${service.key}`, {
      key: null,
    });
    await refusal("devnet.revert", { id: "x".repeat(300) });
    const run7 = {
      address: someone("7"),
      method: "get",
      stack: [
        ["num", "7"],
        ["tvm.Cell", "te6"],
      ],
    };
    await call("runGetMethod", run7);
    await call("runGetMethod", {
      ...run7,
      stack: Array.from({ length: 300 }, () => ["num", "7".repeat(20)]),
    });
    const seed = "7e".repeat(32);
    await call("devnet.addValidatorKey", { seed });
    await call("devnet.addValidatorKey", [seed]);
    await call("devnet.addValidatorKey", [seed, seed]);
    const calls = await run<PastCall[]>("devnet.calls", { limit: 7 });
    expect(calls.map(({ method, params, outcome }) => [method, params, outcome])).toEqual([
      ["devnet.addValidatorKey", {}, "ok"],
      ["devnet.addValidatorKey", {}, "ok"],
      ["runGetMethod", { ...run7, stack: expect.any(Array) }, expect.any(String)],
      ["runGetMethod", run7, expect.any(String)],
      ["devnet.revert", { id: `${"x".repeat(200)}… (300 characters)` }, "invalid-params"],
      ["getAddressState", { address: someone("2") }, "ok"],
      ["getAddressBalance", { address: someone("1") }, "ok"],
    ]);
    const [, , { params: long }] = calls as unknown as [unknown, unknown, { params: { stack: unknown[] } }];
    expect(long.stack[0]).toEqual(["num", "7".repeat(20)]);
    expect(long.stack.at(-1)).toBe("…");
    expect(JSON.stringify(long).length).toBeLessThan(6000);
    for (const { time, duration_ms: ms } of calls)
      expect([Date.parse(time) > 0, ms >= 0]).toEqual([true, true]);
    const all = JSON.stringify(await run("devnet.calls", { limit: 1000 }));
    expect(all).not.toContain(service.key);
    expect(all).not.toContain(seed);
    expect(await refusal("devnet.calls", { limit: 1001 })).toEqual([422, -32602, expect.any(String)]);
  });
});

describe("devnet.calls of several keys", () => {
  it("shows a key its own calls only, and the devnet's own key all", async () => {
    const [ann, bob] = [await addKey(service), await addKey(service)];
    const ask = (key: string, method: string, params: object) =>
      service.rpc(method, params, { key }) as Promise<{ result: { method: string; params: object }[] }>;
    await ask(ann, "getAddressBalance", { address: someone("a") });
    await ask(bob, "getAddressBalance", { address: someone("b") });
    await service.get(`/api/v2/getAddressBalance?address=${someone("c")}`, { key: null });
    // Equal calls at the same time.
    const shown = await Promise.all(
      [ann, bob, service.key].map(async (key) => {
        const { result } = await ask(key, "devnet.calls", { limit: 1000 });
        return result.filter(({ method }) => method === "getAddressBalance").map(({ params }) => params);
      }),
    );
    const of = (digit: string) => ({ address: someone(digit) });
    expect(shown[0]).toEqual([of("a")]);
    expect(shown[1]).toEqual([of("b")]);
    expect(shown[2]!.slice(0, 3)).toEqual([of("c"), of("b"), of("a")]);
  });
});

describe("devnet.faucetJetton", () => {
  let world: DevnetService;
  beforeAll(async () => {
    world = await sharedService("story");
  });
  afterAll(() => world.close());

  it("needs a jetton", async () => {
    const order = { address: someone("1"), amount: "5" };
    expect(await refusal("devnet.faucetJetton", order)).toEqual([
      404,
      -32000,
      "the devnet has no sample jetton; name one as jetton",
    ]);
    const before = await head();
    expect(await refusal("devnet.faucetJetton", { ...order, jetton: someone("2") })).toEqual([
      404,
      -32000,
      `${someone("2")} is no jetton`,
    ]);
    expect(await head()).toBe(before);
  });

  it("mints the sample jetton, or another one in the name of its admin", async () => {
    const ask = world.run;
    type Info = { contracts: { address: string; kind: string; description: string }[] };
    const { contracts } = await ask<Info>("devnet.info");
    const jettons = contracts.filter(({ kind }) => kind === "jetton_master");
    expect(jettons).toHaveLength(3);
    const held = async (jetton: string) => {
      const owner = beginCell()
        .storeAddress(Address.parse(someone("1")))
        .endCell();
      const stack = [["tvm.Slice", owner.toBoc().toString("base64")]];
      const params = { address: jetton, method: "get_wallet_address", stack };
      const answer = await ask<{ stack: [[string, { bytes: string }]] }>("runGetMethod", params);
      const wallet = Cell.fromBase64(answer.stack[0][1].bytes).beginParse().loadAddress().toRawString();
      return (await ask<{ balance: string }>("getTokenData", { address: wallet })).balance;
    };
    const [sample, other] = jettons;
    await ask("devnet.faucetJetton", { address: someone("1"), amount: "5" });
    await ask("devnet.faucetJetton", { address: someone("1"), amount: "7" });
    expect(String(await held(sample!.address))).toBe("12");
    await ask("devnet.faucetJetton", { address: someone("1"), amount: "3", jetton: other!.address });
    expect(String(await held(other!.address))).toBe("3");
  });
});

describe("devnet.snapshots", () => {
  it("lists named and numbered snapshots, oldest first", async () => {
    const seqno = await head();
    await run("devnet.snapshot", { name: "before" });
    const { id } = await run<{ id: string }>("devnet.snapshot");
    await run("devnet.mine");
    await run("devnet.snapshot", { name: "after" });
    expect(await run("devnet.snapshots")).toEqual([
      { id: "before", seqno },
      { id, seqno },
      { id: "after", seqno: seqno + 1 },
    ]);
    expect(await refusal("devnet.snapshot", { name: "before" })).toEqual([
      409,
      -32000,
      "there is a snapshot before already",
    ]);
    for (const name of ["1", "", "a b", "x".repeat(65)])
      expect((await refusal("devnet.snapshot", { name }))[0]).toBe(422);
    await run("devnet.revert", { id: "before" });
    expect(await run("devnet.snapshots")).toEqual([{ id: "before", seqno }]);
  });
});

describe("devnet.deleteSnapshot", () => {
  it("frees the name of a snapshot", async () => {
    await run("devnet.snapshot", { name: "mine" });
    expect(await run("devnet.deleteSnapshot", { id: "mine" })).toEqual({ id: "mine" });
    expect(await run("devnet.snapshots")).toEqual([]);
    expect(await refusal("devnet.deleteSnapshot", { id: "mine" })).toEqual([
      404,
      -32000,
      "there is no snapshot mine",
    ]);
    expect(await run("devnet.snapshot", { name: "mine" })).toMatchObject({ id: "mine" });
  });
});

describe("devnet.snapshot", () => {
  it("names the snapshot and the last block", async () => {
    const { last } = await run<{ last: Block }>("getMasterchainInfo");
    const first = await run<{ id: string; block: Block }>("devnet.snapshot");
    expect(first).toEqual({ id: expect.any(String), block: last });
    expect(await run("devnet.snapshot")).toEqual({
      id: expect.not.stringMatching(`^${first.id}$`),
      block: last,
    });
  });
});

describe("devnet.revert", () => {
  it("brings back the state of a snapshot, cached answers included", async () => {
    const address = someone("b");
    await run("devnet.faucet", { address, amount: "1000000000" });
    const { id, block } = await run<{ id: string; block: Block }>("devnet.snapshot");
    const shared = { workchain: -1, shard: "-9223372036854775808", seqno: block.seqno + 1 };
    const { block: later } = await run<Receipt>("devnet.faucet", { address, amount: "1000000000" });
    const forgotten = await run<{ root_hash: string }>("lookupBlock", shared);
    const younger = await run<{ id: string }>("devnet.snapshot");
    expect(later.seqno).toBeGreaterThan(block.seqno);

    expect(await run("devnet.revert", { id })).toEqual({ block, settled: true });
    expect(await head()).toBe(block.seqno);
    expect(await balance(address)).toBe("1000000000");
    expect((await refusal("lookupBlock", shared))[0]).toBe(500);
    expect(await refusal("devnet.revert", { id: younger.id })).toEqual([
      404,
      -32000,
      `there is no snapshot ${younger.id}`,
    ]);

    await run("devnet.faucet", { address: someone("c"), amount: "1" });
    expect((await run<{ root_hash: string }>("lookupBlock", shared)).root_hash).not.toBe(forgotten.root_hash);
    expect(await run("devnet.revert", { id })).toEqual({ block, settled: true });
  });
});

describe("devnet.setBalance", () => {
  it("reads a JSON integer above 2^53 with every digit", async () => {
    const address = someone("d");
    const params = `{"address":"${address}","balance":123456789012345679}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"devnet.setBalance","params":${params}}`;
    expect((await service.post("/jsonRPC", body)).json).toHaveProperty("result");
    expect(await balance(address)).toBe("123456789012345679");
  });
});

/** Sets code or data without a transaction, and expects the rest of the account unchanged. */
async function expectOnlyChanged(part: "code" | "data", method: string): Promise<void> {
  const address = someone("d");
  const before = { balance: "123456789012345678", code: empty, data: empty };
  await run("devnet.setAccount", { address, ...before });
  const other = beginCell().storeUint(7, 32).endCell().toBoc().toString("base64");
  const { block } = await run<{ block: Block }>(method, { address, [part]: other });
  expect(await run("getAddressInformation", { address })).toMatchObject({
    ...{ ...before, [part]: other, state: "active", block_id: block },
  });
}

describe("devnet.setCode", () => {
  it("sets the code, and nothing else", () => expectOnlyChanged("code", "devnet.setCode"));
});

describe("devnet.setData", () => {
  it("sets the data, and nothing else", () => expectOnlyChanged("data", "devnet.setData"));
});

describe("devnet.impersonate", () => {
  it("delivers an internal message in the name of any account", async () => {
    const from = someone("e");
    const to = someone("f");
    const { lt } = await run<Receipt>("devnet.impersonate", { from, to, value: "700", bounce: false });
    const [transaction] = await run<{ in_msg: { value: string }; transaction_id: { lt: string } }[]>(
      "getTransactions",
      { address: to },
    );
    expect(transaction).toMatchObject({ transaction_id: { lt }, in_msg: { value: "700" } });
  });
});

describe("devnet.transactionLog", () => {
  it("runs a transaction again, given by its hash or by account and lt", async () => {
    const { faucet } = await run<{ faucet: { address: string } }>("devnet.info");
    await run("devnet.faucet", { address: someone("a") });
    const [paid] = await run<{ transaction_id: { lt: string; hash: string } }[]>("getTransactions", {
      address: faucet.address,
      limit: 1,
    });
    const { lt, hash } = paid!.transaction_id;
    const byHash = await run<{ vm_log: string; exit_code: number }>("devnet.transactionLog", { hash });
    expect(byHash.exit_code).toBe(0);
    expect(byHash.vm_log).toContain("ACCEPT");
    expect(byHash.vm_log).toContain("stack: ");
    expect(await run("devnet.transactionLog", { address: faucet.address, lt })).toEqual(byHash);
    expect(await refusal("devnet.transactionLog", { address: faucet.address, lt: 5 })).toContain(
      "the devnet has no such transaction",
    );
    const elector = `-1:${"33".repeat(32)}`;
    const [tick] = await run<{ transaction_id: { hash: string } }[]>("getTransactions", {
      address: elector,
      limit: 1,
    });
    const ofTick = await run<{ exit_code: number }>("devnet.transactionLog", {
      hash: tick!.transaction_id.hash,
    });
    expect(ofTick.exit_code).toBe(0);
  });
});

describe("devnet.reset", () => {
  it("starts the chain again with its first block", async () => {
    await run("devnet.faucet", { address: someone("a") });
    expect(await run("devnet.reset")).toMatchObject({ block: { workchain: -1, seqno: 1 } });
    expect(await head()).toBe(1);
    expect(await balance(someone("a"))).toBe("0");
  });
});

describe("the devnet's methods", () => {
  it("refuse parameters that they cannot use", async () => {
    const address = someone("a");
    const [invalid, unreadable] = ["failed to validate request: ", "failed to parse post request: "];
    const most = `${invalid}amount should be less or equal 1000000000000000`;
    for (const [name, params, text] of [
      ["faucet", { address, amount: "0" }, `${invalid}amount should be positive`],
      ["faucet", { address, amount: "1000000000000001" }, most],
      ["faucet", { address, amount: 2 ** 60 }, most],
      ["faucet", { address, amount: "1.5" }, `${unreadable}failed to parse amount`],
      ["faucet", { address: "nobody" }, `${unreadable}Failed to parse ton_addr: 'nobody'`],
      ["faucet", {}, `${unreadable}address is required`],
      ["faucet", { address: `5:${"a".repeat(64)}` }, "there is no workchain 5"],
      ...[{ blocks: 0 }, { blocks: 1001 }, { blocks: "x" }, { interval: -1 }].map((each) => ["mine", each]),
      ...[-1, 60_001, "soon"].map((timeout_ms) => ["settle", { timeout_ms }]),
      ["setMining", { mode: "gold" }],
      ["setClock", { mode: "sundial" }, `${unreadable}mode should be one of wall, fixed`],
      ["advanceTime", { seconds: 0 }],
      ["setBalance", { address, balance: `${2n ** 63n}` }],
      ["setCode", { address, code: "AAAA" }, "code is not a bag of one cell"],
      ["setData", { address, data: "AAAA" }, "data is not a bag of one cell"],
      ["transactionLog", { lt: 5 }, `${invalid}either hash or both address and lt should be specified`],
    ] as [string, object, string?][])
      expect([name, params, ...(await refusal(`devnet.${name}`, params))]).toEqual([
        ...[name, params, 422, -32602, text ?? expect.any(String)],
      ]);
    for (const [name, params] of [
      ["revert", { id: "0" }],
      ["revert", { id: "1e0" }],
      ["transactionLog", { hash: "ab".repeat(32) }],
    ] as const)
      expect((await refusal(`devnet.${name}`, params))[0]).toBe(404);
  });

  it("have no REST path", async () => {
    expect((await service.get("/api/v2/devnet.info")).status).toBe(404);
    expect((await service.get("/api/v2/devnet/info")).status).toBe(404);
  });
});
