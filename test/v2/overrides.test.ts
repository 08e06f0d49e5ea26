import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import { Wallet } from "../../server/devnet/wallets/wallet.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { encodeConfigParam } from "../../shared/ton/tlb/config/config-param.js";
import { Message } from "../../shared/ton/tlb/message.js";
import { Address } from "../../shared/values/address.js";
import { currentParam } from "../helpers/chain/current-config.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import { freePort } from "../helpers/free-port.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";

const existing = testAddress("1");
const absent = testAddress("2");

// DROP NOW BALANCE, the data, configuration parameters -7 and 21
const reader = codeOf("30F823F827ED4480F9F8338015F833");
const one = beginCell().storeUint(1, 8).endCell();
const two = beginCell().storeUint(2, 8).endCell();

let service: DevnetService;
beforeAll(async () => {
  service = await startDevnetService({ adminPort: await freePort() });
  await place(service, { address: existing, code: reader, data: one, balance: "5000000000" });
});
afterAll(() => service.close());

type Run = { exit_code: number; stack: [type: string, value: unknown][]; block_id: { seqno: number } };

/** The balance of a stack's pair of coins and extra currencies. */
function coinsOf(pair: unknown): unknown {
  return (pair as { elements: { number: { number: string } }[] }).elements[0]!.number.number;
}

async function run(address: string, overrides?: object, seqno?: number) {
  const params = { address, method: 0, stack: [], ...(seqno && { seqno }), ...(overrides && { overrides }) };
  const { exit_code: exitCode, stack, block_id } = await service.run<Run>("runGetMethod", params);
  if (exitCode !== 0) return { exitCode };
  const [now, balance, data, seventh, gasPrices] = stack.map(([, value]) => value);
  const bytes = (cell: unknown) => (cell as { bytes: string } | null)?.bytes;
  return {
    now: Number(now),
    balance: coinsOf(balance),
    data: bytes(data),
    seventh: bytes(seventh),
    gasPrices: bytes(gasPrices),
    seqno: block_id.seqno,
  };
}

const refusalOf = async (method: string, params: object) => {
  const { error } = (await service.rpc(method, params)) as {
    error: { message: string; data: { code: number; param?: string } };
  };
  return [error.data.code, error.message, error.data.param];
};

describe("runGetMethod with overrides", () => {
  it("sees the values of this call, and of this call alone", async () => {
    const before = await run(existing);
    const overrides = {
      accounts: [{ address: existing, balance: "77", data: bocText(two) }],
      now: 1_234_567_890,
      config: [{ param: -7, boc: bocText(two) }],
    };
    expect(await run(existing, overrides)).toEqual({
      ...before,
      now: 1_234_567_890,
      balance: "77",
      data: bocText(two),
      seventh: bocText(two),
    });
    expect(before).toMatchObject({ balance: "5000000000", data: bocText(one), seventh: undefined });
    expect(await run(existing)).toEqual(before);
  });

  it("answers alike in every form, also as v3", async () => {
    const overrides = {
      accounts: [{ address: absent, code: bocText(codeOf("30ED44")), data: bocText(two) }],
    };
    const params = { address: absent, method: "any", stack: [], overrides };
    for (const method of ["runGetMethod", "runGetMethodStd", "v3.runGetMethod"]) {
      const forms = await service.inAllForms(method, params);
      expect(forms.length).toBeGreaterThan(1);
      for (const [form, end] of forms) {
        expect([form, end]).toEqual([form, forms[0]![1]]);
        expect(JSON.stringify(end)).toContain(bocText(two));
      }
    }
  });

  it("makes an account with a balance alone no contract, and keeps the data beside new code", async () => {
    expect(await run(absent, { accounts: [{ address: absent, balance: "1" }] })).toEqual({ exitCode: -13 });
    const code = bocText(codeOf("30F823F827ED446D6D"));
    expect(await run(existing, { accounts: [{ address: existing, code }] })).toMatchObject({
      data: bocText(one),
      balance: "5000000000",
    });
    expect(await run(absent, { accounts: [{ address: absent, code }] })).toMatchObject({
      data: bocText(Cell.empty),
      balance: "0",
    });
  });

  it("runs at an earlier block, whose answers without overrides stay what they were", async () => {
    const seqno = await service.mine();
    const before = await run(existing, undefined, seqno);
    await service.mine(2);
    await service.run("devnet.setData", { address: existing, data: bocText(beginCell().endCell()) });
    const overrides = { accounts: [{ address: existing, balance: "9" }] };
    for (let time = 0; time < 3; time++)
      expect(await run(existing, overrides, seqno)).toEqual({ ...before, balance: "9" });
    expect(await run(existing, undefined, seqno)).toEqual(before);
    await service.run("devnet.setData", { address: existing, data: bocText(one) });
  });

  it("is run again for each call, while its plain form is answered from the cache", async () => {
    const seqno = await service.mine();
    const hits = async () => {
      const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
      return Number(/tonwire_cache_reads_total\{[^}]*outcome="hit"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const before = await hits();
    for (let time = 0; time < 4; time++)
      await run(existing, { accounts: [{ address: existing, balance: "9" }] }, seqno);
    expect(await hits()).toBe(before);
    for (let time = 0; time < 4; time++) await run(existing, undefined, seqno);
    expect(await hits()).toBeGreaterThan(before);
  });
});

describe("estimateFee with overrides", () => {
  const wallet = new Wallet("v4r2", new SigningKey(new Uint8Array(32).fill(5)), 0);
  const address = wallet.address.toFriendly();
  const order = wallet.order({
    seqno: 0,
    validUntil: 0xffffffff,
    payments: [{ to: new Address(0, new Uint8Array(32).fill(0xab)), value: 1n, bounce: false }],
  });
  const body = bocText(decode(Message, order).body);
  const init = { code: bocText(wallet.init.code!), data: bocText(wallet.init.data!) };
  const placed = { accounts: [{ address, balance: "1000000000", ...init }] };

  async function feesOf(params: object, method = "estimateFee") {
    const answer = await service.run<{ source_fees: Record<string, number> }>(method, params);
    const { "@type": _, ...fees } = answer.source_fees;
    return fees;
  }

  it("estimates on a wallet that exists in the call only, in every form", async () => {
    const before = await feesOf({ address, body });
    expect(before).toMatchObject({ gas_fee: 0, fwd_fee: 0 });
    const fees = await feesOf({ address, body, overrides: placed });
    expect(fees["gas_fee"]).toBeGreaterThan(100_000);
    expect(await feesOf({ address, body, overrides: placed }, "v3.estimateFee")).toEqual(fees);
    expect(await feesOf({ address, body })).toEqual(before);
  });

  it("estimates a body given as an object alike", async () => {
    const overrides = {
      accounts: [{ address: absent, code: bocText(codeOf("F800")), balance: "1000000000" }],
    };
    const object = { data: { b64: "AQ==", len: 8 }, refs: [], special: false };
    const fees = await feesOf({ address: absent, body: bocText(one), overrides });
    expect(fees["gas_fee"]).toBeGreaterThan(0);
    expect(await feesOf({ address: absent, body: object, overrides }, "estimateFeeSimple")).toEqual(fees);
  });

  it("takes the prices that the call gives, and no other call does", async () => {
    const prices = await currentParam(service, 21);
    const dear = { ...prices, gasPrice: 3n * prices.gasPrice, flat: undefined };
    const config = [{ param: 21, boc: bocText(encodeConfigParam(21, dear)) }];
    const plain = await feesOf({ address, body, overrides: placed });
    const tripled = await feesOf({ address, body, overrides: { ...placed, config } });
    expect(tripled["gas_fee"]! / plain["gas_fee"]!).toBeCloseTo(3, 1);
    expect({ ...tripled, gas_fee: 0 }).toEqual({ ...plain, gas_fee: 0 });
    expect(await feesOf({ address, body, overrides: placed })).toEqual(plain);
  });

  it("counts the rent until the time of the call", async () => {
    const syncUtime = await timeOf(existing);
    const rent = async (seconds: number) => {
      const params = { address: existing, body, overrides: { now: syncUtime + seconds } };
      return (await feesOf(params))["storage_fee"]!;
    };
    const [short, long] = [await rent(10_000_000), await rent(20_000_000)];
    expect(short).toBeGreaterThan(0);
    expect(long / short).toBeCloseTo(2, 1);
  });

  it("takes the state of an earlier block", async () => {
    const seqno = await service.mine();
    await place(service, {
      address,
      code: wallet.init.code!,
      data: wallet.init.data!,
      balance: "1000000000",
    });
    await service.mine();
    expect(await feesOf({ address, body, seqno })).toMatchObject({ gas_fee: 0 });
    expect((await feesOf({ address, body }))["gas_fee"]).toBeGreaterThan(100_000);
    expect(await feesOf({ address, body, seqno }, "v3.estimateFee")).toMatchObject({ gas_fee: 0 });
    const none = await service.rpc("estimateFee", { address, body, seqno: 1_000_000 });
    expect(none).toMatchObject({ error: { data: { code: 500 } } });
  });
});

async function timeOf(address: string): Promise<number> {
  return (await service.run<{ sync_utime: number }>("getAddressInformation", { address })).sync_utime;
}

describe("overrides that are refused", () => {
  const of = (overrides: unknown) =>
    refusalOf("runGetMethod", { address: existing, method: 0, stack: [], overrides });
  const invalid = (text: string | RegExp) => [
    422,
    typeof text === "string" ? `failed to validate request: ${text}` : expect.stringMatching(text),
    "overrides",
  ];
  const account = (fields: object) => ({ accounts: [{ address: existing, ...fields }] });

  it("are named with the member that is wrong", async () => {
    expect(await of([])).toEqual(invalid("overrides must be an object"));
    expect(await of({ balance: "1" })).toEqual(
      invalid("overrides has no member balance; it takes accounts, now, config"),
    );
    expect(await of({ accounts: {} })).toEqual(invalid("overrides.accounts must be an array"));
    expect(await of({ accounts: [{ address: "x" }] })).toEqual(
      invalid("overrides.accounts[0].address is no address: x"),
    );
    expect(await of(account({ balnce: "1" }))).toEqual(
      invalid("overrides.accounts[0] has no member balnce; it takes address, balance, code, data"),
    );
    for (const balance of ["-1", "1.5", "9223372036854775808", {}])
      expect(await of(account({ balance }))).toEqual(
        invalid(
          "overrides.accounts[0].balance must be nanotons from 0 to 9223372036854775807, as decimal digits",
        ),
      );
    for (const code of ["", "%", 7])
      expect(await of(account({ code }))).toEqual(
        invalid("overrides.accounts[0].code must be a bag of cells, base64"),
      );
    for (const now of [0, 2 ** 32, 1.5, "1"])
      expect(await of({ now })).toEqual(invalid("overrides.now must be an integer from 1 to 4294967295"));
  });

  it("are those of too many accounts or parameters, or of one twice", async () => {
    const accounts = Array.from({ length: 33 }, (_, n) => ({
      address: `0:${n.toString(16).padStart(64, "0")}`,
      balance: "1",
    }));
    expect(await of({ accounts })).toEqual(invalid("overrides.accounts has more than 32 items"));
    expect(await run(existing, { accounts: accounts.slice(1) })).toMatchObject({ balance: "5000000000" });
    const twice = [{ address: existing }, { address: Address.read(existing)!.address.toFriendly() }];
    expect(await of({ accounts: twice })).toEqual([
      422,
      `overrides.accounts has ${existing} twice`,
      "overrides",
    ]);
    const config = Array.from({ length: 17 }, (_, n) => ({ param: 1000 + n, boc: bocText(one) }));
    expect(await of({ config })).toEqual(invalid("overrides.config has more than 16 items"));
    expect(await of({ config: [config[0], config[0]] })).toEqual([
      422,
      "overrides.config has 1000 twice",
      "overrides",
    ]);
  });

  it("are those of bags of cells that cannot be read, are too many or too deep", async () => {
    const bad = [400, "INVALID_BAG_OF_CELLS: overrides.accounts[0].data", undefined];
    expect(await of(account({ data: "AAAA" }))).toEqual(bad);
    const wide = (seed: number) => {
      let cells = Array.from({ length: 4096 }, (_, n) =>
        beginCell()
          .storeUint(seed + n, 32)
          .endCell(),
      );
      while (cells.length > 1)
        cells = Array.from({ length: cells.length / 4 }, (_, n) => {
          const parent = beginCell().storeUint(seed, 32);
          for (const cell of cells.slice(4 * n, 4 * n + 4)) parent.storeRef(cell);
          return parent.endCell();
        });
      return bocText(cells[0]!);
    };
    const config = [0, 1, 2, 3].map((n) => ({ param: 1000 + n, boc: wide(n * 1_000_000) }));
    expect(await of({ config })).toEqual([400, "INVALID_BAG_OF_CELLS: overrides.config[3].boc", undefined]);
    expect(await run(existing, { config: config.slice(1) })).toMatchObject({ balance: "5000000000" });
    let deep = one;
    for (let depth = 0; depth < 1001; depth++) deep = beginCell().storeRef(deep).endCell();
    expect(await of(account({ data: bocText(deep) }))).toEqual([
      422,
      "overrides.accounts[0].data is too deep: at most 1000 levels of cells",
      "overrides",
    ]);
  });

  it("are those of parameters that are not what their numbers say", async () => {
    for (const param of [8, 18, 20, 21, 24, 25, 31, 34, 43])
      expect(await of({ config: [{ param, boc: bocText(one) }] })).toEqual([
        422,
        `overrides.config[0].boc is no configuration parameter ${param}`,
        "overrides",
      ]);
    const version = encodeConfigParam(8, { version: 13, capabilities: 0n });
    const longer = beginCell().storeSlice(version.parse()).storeUint(1, 1).endCell();
    expect(await of({ config: [{ param: 8, boc: bocText(longer) }] })).toEqual([
      422,
      "overrides.config[0].boc is no configuration parameter 8",
      "overrides",
    ]);
  });

  it("are those of gas and prices that the executor cannot compute with", async () => {
    const prices = await currentParam(service, 21);
    const wrong = [
      { ...prices, gasCredit: prices.gasLimit + 1n },
      { ...prices, gasPrice: 1n << 63n },
      { ...prices, flat: { flatGasLimit: prices.gasLimit + 1n, flatGasPrice: 1n } },
    ];
    for (const each of wrong)
      expect(await of({ config: [{ param: 21, boc: bocText(encodeConfigParam(21, each)) }] })).toEqual([
        422,
        "overrides.config[0].boc has numbers that the executor cannot compute with",
        "overrides",
      ]);
    const storage = await currentParam(service, 18);
    const dear = storage.set(0, { ...storage.get(0)!, cellPricePs: 1n << 63n });
    expect((await of({ config: [{ param: 18, boc: bocText(encodeConfigParam(18, dear)) }] }))[0]).toBe(422);
  });

  it("may break the executor, which is their caller's fault and no other's", async () => {
    // A state of the account for which no gas can be paid from the credit.
    const forward = await currentParam(service, 25);
    const dear = encodeConfigParam(25, { ...forward, lumpPrice: 8_724_481_131n });
    const overrides = {
      accounts: [{ address: absent, balance: "10000000000", code: bocText(codeOf("F800F82330")) }],
      config: [{ param: 25, boc: bocText(dear) }],
    };
    const params = { address: absent, body: bocText(Cell.empty), overrides };
    const answer = (await service.rpc("estimateFee", params)) as { error?: { data: { code: number } } };
    expect([undefined, 422]).toContain(answer.error?.data.code);
    expect(await run(existing)).toMatchObject({ balance: "5000000000" });
  });

  it("cost nobody anything: the plain call is answered afterwards as before", async () => {
    expect(await run(existing)).toMatchObject({ balance: "5000000000", data: bocText(one) });
  });
});
