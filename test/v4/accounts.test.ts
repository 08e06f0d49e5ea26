import {
  beginCell,
  Cell,
  Address as CoreAddress,
  comment,
  parseTuple,
  serializeTuple,
  storeAccount,
  type TupleItem,
} from "@ton/core";
import { TonClient4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Address } from "../../shared/values/address.js";
import { codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const friendly = (raw: string) => Address.read(raw)!.address.toFriendly();
const contract = testAddress("c");
const address = friendly(contract);
const nobody = friendly(testAddress("d"));

/** Leaves its arguments on the stack, below the method's id; DROP. */
const echo = codeOf("30");

type Answer = { status: number; text: string; json: unknown };
type Account = {
  account: { state: object; balance: object; last: object | null; storageStat: object | null };
};

let service: DevnetService;
let seqno: number;
beforeAll(async () => {
  service = await sharedService("empty");
  await place(service, { address: contract, code: echo, balance: "5000000000" });
  seqno = await service.mine(1);
});
afterAll(() => service.close());

const ask = (path: string): Promise<Answer> => service.get(`/api/v4/block/${path}`);
const failure = { status: 500, text: "500 Internal Error" };
const inPath = (cell: Cell) => cell.toBoc({ idx: false, crc32: false }).toString("base64url");
const stackText = (items: TupleItem[]) => inPath(serializeTuple(items));

async function inOneWay<T>(method: string, params: Record<string, unknown>): Promise<T> {
  const ends = await service.inAllForms(method, params);
  const first = ends[0]![1];
  for (const [form, ended] of ends) expect([form, ended]).toEqual([form, first]);
  return (first as { result: T }).result;
}

describe("v4.account", () => {
  it("shows active and absent accounts", async () => {
    const { account } = await inOneWay<Account>("v4.account", { seqno, address });
    const code = Cell.fromBase64((account.state as { code: string }).code);
    expect(account).toMatchObject({
      state: { type: "active", data: "te6cckEBAQEAAgAAAEysuc0=" },
      balance: { coins: "5000000000", currencies: {} },
      last: null,
      storageStat: { duePayment: null, used: { bits: expect.any(Number), cells: expect.any(Number) } },
    });
    expect(code.bits.toString()).toBe("30");
    expect((await inOneWay<Account>("v4.account", { seqno, address: nobody })).account).toEqual({
      state: { type: "uninit" },
      balance: { coins: "0", currencies: {} },
      last: null,
      storageStat: null,
    });
  });

  it("shows frozen accounts, as @ton/ton reads them", async () => {
    const at = Address.read(testAddress("e"))!.address;
    const stateHash = Buffer.alloc(32, 7);
    const account = beginCell()
      .storeBit(true)
      .store(
        storeAccount({
          addr: new CoreAddress(at.workchain, Buffer.from(at.hash)),
          storageStats: {
            used: { cells: 1n, bits: 103n },
            storageExtra: null,
            lastPaid: 0,
            duePayment: null,
          },
          storage: {
            lastTransLt: 0n,
            balance: { coins: 5n },
            state: { type: "frozen", stateHash: BigInt(`0x${stateHash.toString("hex")}`) },
          },
        }),
      )
      .endCell();
    await service.run("devnet.setAccount", {
      address: at.toRaw(),
      account: account.toBoc().toString("base64"),
    });
    const now = await service.mine(1);
    const shown = await inOneWay<Account>("v4.account", { seqno: now, address: at.toFriendly() });
    expect(shown.account).toMatchObject({
      state: { type: "frozen", stateHash: stateHash.toString("base64") },
      balance: { coins: "5", currencies: {} },
    });
    const client = new TonClient4({ endpoint: `${service.url}/api/v4` });
    const read = await client.getAccount(now, CoreAddress.parse(at.toRaw()));
    expect(read.account).toMatchObject(shown.account);
    expect((await client.getAccountLite(now, CoreAddress.parse(at.toRaw()))).account.state).toEqual(
      shown.account.state,
    );
  });

  it("is refused for raw and wrong addresses, absent workchains, and blocks that are not there", async () => {
    const wrong = `${address.slice(0, -1)}${address.endsWith("A") ? "B" : "A"}`;
    const elsewhere = friendly(testAddress("1", 5));
    for (const path of [`${seqno}/${contract}`, `${seqno}/${wrong}`, `${seqno}/x`, `${seqno}/${elsewhere}`])
      expect(await ask(path)).toMatchObject(failure);
    for (const path of [`0/${address}`, `-1/${address}`, `9999999/${address}`, `x/${address}`])
      expect(await ask(path)).toMatchObject(failure);
    expect(await service.rpc("v4.account", { seqno, address: contract })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("not a friendly address") },
    });
  });

  it("takes all friendly forms of an address", async () => {
    const { address: account } = Address.read(contract)!;
    const forms = [
      account.toFriendly({ bounceable: false }),
      account.toFriendly({ testOnly: true }),
      encodeURIComponent(account.toFriendly({ urlSafe: false })),
    ];
    for (const form of forms)
      expect((await ask(`${seqno}/${form}`)).json).toEqual((await ask(`${seqno}/${address}`)).json);
  });
});

describe("v4.accountLite", () => {
  it("has hashes in place of code and data", async () => {
    const { account } = await service.run<Account>("v4.account", { seqno, address });
    const lite = await inOneWay<Account>("v4.accountLite", { seqno, address });
    const { code, data } = account.state as { code: string; data: string };
    const hash = (boc: string) => Cell.fromBase64(boc).hash().toString("base64");
    expect(lite).toEqual({
      account: { ...account, state: { type: "active", codeHash: hash(code), dataHash: hash(data) } },
    });
  });
});

describe("v4.accountChanged", () => {
  it("is true after a transaction, and for accounts without one", async () => {
    const receiver = friendly(testAddress("e"));
    const { lt, block } = await service.run<{ lt: string; block: { seqno: number } }>("devnet.faucet", {
      address: receiver,
    });
    const place = { seqno: block.seqno, address: receiver };
    const changedSince = async (since: string) =>
      (await inOneWay<{ changed: boolean }>("v4.accountChanged", { ...place, lt: since })).changed;
    expect([await changedSince(String(BigInt(lt) - 1n)), await changedSince(lt)]).toEqual([true, false]);
    expect(await inOneWay("v4.accountChanged", { seqno, address: nobody, lt: "1" })).toMatchObject({
      changed: true,
    });
    for (const wrong of ["-1", "x", "1".repeat(30)])
      expect(await ask(`${seqno}/${address}/changed/${wrong}`)).toMatchObject(failure);
  });
});

describe("v4.run", () => {
  type Run = { arguments: unknown[]; result: unknown[] | null; exitCode: number; resultRaw: string | null };
  const items: TupleItem[] = [
    { type: "null" },
    { type: "nan" },
    { type: "int", value: -(2n ** 255n) },
    { type: "cell", cell: comment("cell") },
    { type: "slice", cell: comment("slice") },
    { type: "builder", cell: comment("builder") },
    {
      type: "tuple",
      items: [
        { type: "int", value: 1n },
        { type: "tuple", items: [] },
      ],
    },
  ];

  it("takes and shows values of all types, by path, by body and by JSON-RPC", async () => {
    const params = { seqno, address, command: "anything", args: stackText(items) };
    const { arguments: shown, result, exitCode, resultRaw } = await inOneWay<Run>("v4.run", params);
    const boc = (text: string) => comment(text).toBoc({ idx: false }).toString("base64");
    expect(shown).toEqual([
      { type: "null" },
      { type: "nan" },
      { type: "int", value: String(-(2n ** 255n)) },
      { type: "cell", cell: boc("cell") },
      { type: "slice", cell: boc("slice") },
      { type: "builder", cell: boc("builder") },
      {
        type: "tuple",
        items: [
          { type: "int", value: "1" },
          { type: "tuple", items: [] },
        ],
      },
    ]);
    expect([exitCode, result]).toEqual([0, shown]);
    const raw = parseTuple(Cell.fromBase64(resultRaw!));
    expect(serializeTuple(raw).equals(serializeTuple(items))).toBe(true);
    const path = `/api/v4/block/${seqno}/${address}/run/anything`;
    const posted = await service.post(path, params.args, { headers: { "Content-Type": "text/plain" } });
    expect(posted.json).toEqual((await service.get(`${path}/${params.args}`)).json);
    expect((await service.post(path, "")).json).toMatchObject({ arguments: [], result: [] });
  });

  it("takes names with characters that paths escape", async () => {
    const { json } = await ask(`${seqno}/${address}/run/${encodeURIComponent("get/über?")}`);
    expect(json).toMatchObject({ exitCode: 0, result: [] });
  });

  it("has no result without code, and only the raw one of values that are nested too deep", async () => {
    expect(await inOneWay<Run>("v4.run", { seqno, address: nobody, command: "seqno" })).toMatchObject({
      result: null,
      exitCode: -256,
      resultRaw: null,
    });
    // DROP; PUSHINT 0; PUSHINT 300; PUSHCONT { TUPLE 1 }; REPEAT
    const deep = testAddress("f");
    await place(service, { address: deep, code: codeOf("307081012C926F01E4"), balance: "1000000000" });
    const at = await service.mine(1);
    const run = await service.run<Run>("v4.run", { seqno: at, address: friendly(deep), command: "deep" });
    expect([run.exitCode, run.result]).toEqual([0, null]);
    let [value] = parseTuple(Cell.fromBase64(run.resultRaw!));
    for (let level = 0; level < 300; level++) [value] = (value as { items: TupleItem[] }).items;
    expect(value).toEqual({ type: "int", value: 0n });
  });

  it("is refused for arguments that are no stack, and for too many", async () => {
    const noStack = beginCell().storeUint(1, 3).endCell();
    const many = beginCell().storeUint(8001, 24).storeRef(beginCell().endCell()).endCell();
    const continuation = beginCell()
      .storeUint(1, 24)
      .storeRef(beginCell().endCell())
      .storeUint(0x06, 8)
      .endCell();
    for (const args of [inPath(noStack), inPath(many), inPath(continuation), "AAAA", "!"])
      expect(await ask(`${seqno}/${address}/run/x/${args}`)).toMatchObject(failure);
    const path = `/api/v4/block/${seqno}/${address}/run/x`;
    expect(await service.post(path, "A".repeat(90_000))).toMatchObject(failure);
    expect((await ask(`${seqno}/${address}/run/x/${"A".repeat(9000)}`)).status).toBe(413);
  });
});
