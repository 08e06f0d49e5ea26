import { gunzipSync, gzipSync } from "node:zlib";
import { Address, beginCell, Cell, loadAccount, storeAccount } from "@ton/core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isLong } from "../helpers/effort.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

type Block = { workchain: number; seqno: number; root_hash: string };

const someone = (digit: string) => `0:${digit.repeat(64)}`;
const boc = (cell: Cell) => cell.toBoc().toString("base64");
const number = (value: number) => boc(beginCell().storeUint(value, 32).endCell());

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService();
});
afterAll(() => service?.close());
beforeEach(async () => {
  const { id } = await service.run<{ id: string }>("devnet.snapshot");
  return () => service.run("devnet.revert", { id });
});

async function refusal(method: string, params: object, { rpc } = service): Promise<[number, string]> {
  const { error } = (await rpc(method, params)) as { error: { message: string; data: { code: number } } };
  return [error.data.code, error.message];
}

const last = async ({ run } = service) => (await run<{ last: Block }>("getMasterchainInfo")).last;
const stateOf = (address: string, { run } = service) =>
  run<{ state: string; balance: string; code: string; data: string }>("getAddressInformation", { address });

/** Checks that a call is refused and leaves the chain unchanged. */
async function expectRefused(
  method: string,
  params: object,
  wanted: [number, string | RegExp],
): Promise<void> {
  const before = await last();
  const [status, text] = await refusal(method, params);
  expect([status, text]).toEqual([wanted[0], expect.stringMatching(wanted[1])]);
  expect(await last()).toEqual(before);
}

describe("devnet.setAccount", () => {
  it("sets several parts of an account in one block", async () => {
    const { seqno } = await last();
    const change = { address: someone("a"), balance: "5000000000", code: number(1), data: number(2) };
    const { block } = await service.run<{ block: Block }>("devnet.setAccount", change);
    expect(block.seqno).toBe(seqno + 1);
    expect(await stateOf(someone("a"))).toMatchObject({ state: "active", balance: "5000000000" });
    await service.run("devnet.setAccount", { address: someone("a"), data: number(3) });
    const { balance, code, data } = await stateOf(someone("a"));
    expect(balance).toBe("5000000000");
    expect([code, data].map((each) => Cell.fromBase64(each).beginParse().loadUint(32))).toEqual([1, 3]);
  });

  it("takes a whole account, which goes on from there", async () => {
    const address = someone("b");
    const account = {
      addr: Address.parseRaw(address),
      storageStats: {
        used: { cells: 1n, bits: 103n },
        lastPaid: 0,
        duePayment: null,
        storageExtra: null,
      },
      storage: {
        lastTransLt: 99n,
        balance: { coins: 7_000_000_000n },
        state: { type: "frozen" as const, stateHash: 5n },
      },
    };
    const cell = beginCell().storeBit(true).store(storeAccount(account)).endCell();
    await service.run("devnet.setAccount", { address, account: boc(cell) });
    expect(await stateOf(address)).toMatchObject({ state: "frozen", balance: "7000000000" });
    await service.run("devnet.faucet", { address, amount: "1000000000" });
    expect(BigInt((await stateOf(address)).balance)).toBeGreaterThan(7_900_000_000n);
    expect(loadAccount(cell.beginParse().skip(1)).addr.toRawString()).toBe(address);
    await expectRefused("devnet.setAccount", { address: someone("c"), account: boc(cell) }, [
      422,
      `account is not that of 0:${"c".repeat(64)}`,
    ]);
  });

  it("refuses more money than an index can keep, as others do", async () => {
    const refused: [number, string] = [422, "all accounts together"];
    const most = String(2n ** 63n - 1n);
    await expectRefused("devnet.setAccount", { address: someone("e"), balance: most }, refused);
    await expectRefused("devnet.setBalance", { address: `-1:${"e".repeat(64)}`, balance: most }, refused);
    const money = { from: someone("e"), to: someone("f"), value: most };
    await expectRefused("devnet.impersonate", money, refused);
    const half = String(2n ** 61n);
    await service.run("devnet.setBalance", { address: someone("e"), balance: half });
    await service.run("devnet.setBalance", { address: someone("e"), balance: "0" });
  });

  it("refuses invalid accounts and empty changes", async () => {
    const address = someone("d");
    await expectRefused("devnet.setAccount", { address }, [422, "either account or some of balance"]);
    await expectRefused("devnet.setAccount", { address, account: number(1), balance: "1" }, [422, "either"]);
    await expectRefused("devnet.setAccount", { address, account: number(0xf0000000) }, [
      422,
      "not an Account",
    ]);
    await expectRefused("devnet.setAccount", { address, account: number(0) }, [422, "account is "]);
    await expectRefused("devnet.setAccount", { address, code: "AAAA" }, [
      422,
      "code is not a bag of one cell",
    ]);
  });
});

describe("devnet.setConfig", () => {
  const param = async (config_id: number) =>
    (await service.run<{ config: { bytes: string } }>("getConfigParam", { config_id })).config.bytes;

  it("sets, and removes, one parameter in a key block", async () => {
    const { block } = await service.run<{ block: Block }>("devnet.setConfig", {
      param: 777,
      value: number(42),
    });
    const shard = "-9223372036854775808";
    const header = await service.run("getBlockHeader", { workchain: -1, shard, seqno: block.seqno });
    expect(header).toMatchObject({ is_key_block: true });
    expect(
      Cell.fromBase64(await param(777))
        .beginParse()
        .loadUint(32),
    ).toBe(42);
    await service.run("devnet.setConfig", { param: 777 });
    await expectRefused("devnet.setConfig", { param: 777 }, [404, "the configuration has no parameter 777"]);
  });

  it("sets all parameters", async () => {
    const { config } = await service.run<{ config: { bytes: string } }>("getConfigAll");
    await service.run("devnet.setConfig", { param: 1234, value: number(1) });
    const changed = (await service.run<{ config: { bytes: string } }>("getConfigAll")).config.bytes;
    expect(changed).not.toBe(config.bytes);
    await service.run("devnet.setConfig", { config: config.bytes });
    expect((await service.run<{ config: { bytes: string } }>("getConfigAll")).config.bytes).toBe(
      config.bytes,
    );
  });

  it("refuses a configuration that no block can be made with", async () => {
    const before = await last();
    await expectRefused("devnet.setConfig", { param: 20, value: number(1) }, [
      422,
      /no block can be made with this configuration: parameter 20: .*#dd or #de/,
    ]);
    await expectRefused("devnet.setConfig", { param: 34 }, [422, "parameter 34 is required"]);
    await expectRefused("devnet.setConfig", { param: 18 }, [422, "parameter 18 is required"]);
    await expectRefused("devnet.setConfig", { config: number(1) }, [422, /config/]);
    await expectRefused("devnet.setConfig", {}, [422, "either param or config"]);
    await expectRefused("devnet.setConfig", { param: 1, config: number(1) }, [422, "either param or config"]);
    // 2^32 extra currencies in 34 cells.
    let branch = beginCell().storeUint(0, 2).storeUint(1, 5).storeUint(1, 8).endCell();
    for (let depth = 0; depth < 32; depth++)
      branch = beginCell().storeUint(0, 2).storeRef(branch).storeRef(branch).endCell();
    const currencies = boc(beginCell().storeBit(true).storeRef(branch).endCell());
    await expectRefused("devnet.setConfig", { param: 7, value: currencies }, [422, /parameter 7: .*entries/]);
    expect(await last()).toEqual(before);
    await service.mine(2);
  });

  it("is refused when the data of its contract have been replaced", async () => {
    const address = `-1:${"5".repeat(64)}`;
    const garbage = beginCell().storeRef(Cell.EMPTY).storeRef(Cell.EMPTY).endCell();
    for (const data of [garbage, beginCell().storeRef(garbage).endCell(), Cell.EMPTY]) {
      await service.run("devnet.setData", { address, data: boc(data) });
      expect(await refusal("devnet.setConfig", { param: 9, value: number(0) })).toEqual([
        409,
        "the data of the configuration contract are no configuration",
      ]);
    }
    const { seqno } = await last();
    await service.mine(1);
    expect((await last()).seqno).toBe(seqno + 1);
  });
});

it("devnet.faucet is refused when the data of its wallet have been replaced", async () => {
  const { faucet } = await service.run<{ faucet: { address: string } }>("devnet.info");
  await service.run("devnet.setData", { address: faucet.address, data: boc(Cell.EMPTY) });
  expect(await refusal("devnet.faucet", { address: someone("a"), amount: "1" })).toEqual([
    409,
    "the devnet's wallet cannot send: its data have no seqno any more",
  ]);
});

describe("devnet.exportState", () => {
  it("makes a file that names its format", async () => {
    const { state, block } = await service.run<{ state: string; block: Block }>("devnet.exportState");
    expect(Buffer.from(state, "base64").toString("latin1")).toMatch(/^tonwire devnet state 1\n/);
    expect(block).toEqual(await last());
  });
});

describe("devnet.importState", () => {
  const exported = async ({ run } = service) => (await run<{ state: string }>("devnet.exportState")).state;

  it("brings back a chain of another process with its transactions and named snapshots", async () => {
    const { tx_hash: hash } = await service.run<{ tx_hash: string }>("devnet.faucet", {
      address: someone("e"),
    });
    await service.run("devnet.snapshot", { name: "funded" });
    await service.run("devnet.setBalance", { address: someone("e"), balance: "1" });
    const wanted = await last();
    const state = await exported();

    const data = temporaryFolder();
    let again = await startDevnetService({ data });
    await again.run("devnet.snapshot", { name: "own" });
    await again.mine(7);
    await again.run("devnet.importState", { state });
    expect(await exported(again)).toBe(state);
    if (isLong) {
      await again.close();
      again = await startDevnetService({ data, index: true });
    }
    expect(await last(again)).toEqual(wanted);
    expect((await stateOf(someone("e"), again)).balance).toBe("1");
    const { vm_log: log } = await again.run<{ vm_log: string }>("devnet.transactionLog", { hash });
    expect(log).toBe("");
    expect(await again.run("devnet.snapshots")).toEqual([{ id: "funded", seqno: wanted.seqno - 1 }]);
    await again.run("devnet.revert", { id: "funded" });
    expect((await stateOf(someone("e"), again)).balance).toBe("10000000000");
    await again.run("devnet.faucet", { address: someone("f") });
    await again.close();
  });

  it("refuses files that are damaged, of another version, or of another chain", async () => {
    await service.mine(3);
    const state = await exported();
    const head = "tonwire devnet state 1\n";
    const file = (text: string, content: Uint8Array) =>
      Buffer.concat([Buffer.from(text), gzipSync(content)]).toString("base64");
    const content = gunzipSync(Buffer.from(state, "base64").subarray(head.length));
    const flipped = Buffer.from(content);
    flipped[content.length - 100]! ^= 1;
    const attempt = (given: string, wanted: [number, string | RegExp]) =>
      expectRefused("devnet.importState", { state: given }, wanted);
    await attempt("", [422, "this is not a state file of a devnet"]);
    await attempt(file("tonwire devnet state 2\n", content), [
      422,
      "has version 2; this service reads version 1",
    ]);
    await attempt(Buffer.from(`${head}nothing`).toString("base64"), [422, "the state file is damaged: "]);
    await attempt(file(head, flipped), [422, "is cut or changed"]);
    await attempt(file(head, content.subarray(0, -1)), [422, "is cut or changed"]);
    await attempt(file(head, content.subarray(0, 20)), [422, "the state file is damaged: "]);
    const foreign = Buffer.from(content);
    const seedAt = content.indexOf("tonwire");
    foreign.write("nowtire", seedAt);
    // The first zero state.
    foreign[seedAt + 7]! ^= 1;
    await attempt(file(head, foreign), [409, 'the state is that of a devnet with the seed "nowtire"']);
  });
});
