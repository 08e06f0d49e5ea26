import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import type { Payment } from "../../server/contracts/wallet-order.js";
import { Wallet, type WalletVersion } from "../../server/devnet/wallets/wallet.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { Message } from "../../shared/ton/tlb/message.js";
import { Address } from "../../shared/values/address.js";
import { currentParam } from "../helpers/chain/current-config.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import { variants } from "../helpers/effort.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const versions = variants<WalletVersion>(["v5r1", "tg"], ["v3r2", "v4r2"]);
const receiver = new Address(0, new Uint8Array(32).fill(0xab));
const masterReceiver = new Address(-1, new Uint8Array(32).fill(0xab));
const empty = "te6cckEBAQEAAgAAAEysuc0=";

let service: DevnetService;
let keys = 0;
/** Fee of a message without references, and price of a cell that is stored for ten million seconds. */
let [lumpFee, cellFee]: [number, number] = [0, 0];
beforeAll(async () => {
  service = await sharedService("empty");
  lumpFee = Number((await currentParam(service, 25)).lumpPrice);
  const { cellPricePs } = (await currentParam(service, 18)).get(0)!;
  cellFee = Number((cellPricePs * 10_000_000n) >> 16n);
});
afterAll(() => service.close());

type Fees = { in_fwd_fee: number; storage_fee: number; gas_fee: number; fwd_fee: number };
type Estimate = { source_fees: Fees & { "@type": string } };

async function estimate(params: object): Promise<Fees> {
  const { source_fees } = await service.run<Estimate>("estimateFee", params);
  const { "@type": type, ...fees } = source_fees;
  expect(type).toBe("fees");
  return fees;
}

/** Status and error of an estimate. */
async function refusal(params: object): Promise<[number, string]> {
  const { status, json } = await service.post("/api/v2/estimateFee", params);
  return [status, (json as { error: string }).error];
}

/** Fees of the last transaction: for storage, and all others. */
async function paid(address: Address): Promise<{ storage: number; other: number }> {
  const [transaction] = await service.run<{ storage_fee: string; other_fee: string }[]>("getTransactions", {
    address: address.toRaw(),
    limit: 1,
  });
  return { storage: Number(transaction!.storage_fee), other: Number(transaction!.other_fee) };
}

/** ACCEPT */
const acceptingCode = bocText(codeOf("F800"));

/** The parameters for a message that deploys the wallet. */
function deployment(wallet: Wallet, body: Cell) {
  const { code, data } = wallet.init;
  const init = { init_code: bocText(code!), init_data: bocText(data!) };
  return { address: wallet.address.toFriendly(), body: bocText(body), ...init };
}

async function placedWallet(version: WalletVersion, workchain = 0): Promise<Wallet> {
  const wallet = newWallet(version, workchain);
  const { code, data } = wallet.init;
  const address = wallet.address.toRaw();
  await place(service, { address, code: code!, data: data!, balance: "50000000000" });
  return wallet;
}

function newWallet(version: WalletVersion, workchain = 0): Wallet {
  return new Wallet(version, new SigningKey(new Uint8Array(32).fill(++keys)), workchain);
}

const validUntil = 0xffffffff;
const bodyOf = (message: Cell) => decode(Message, message).body;

/** A comment, long enough to need a second cell. */
const longText = (): Cell =>
  beginCell()
    .storeUint(0, 32)
    .storeBytes(new Uint8Array(100).fill(0x61))
    .storeRef(beginCell().storeBytes(new Uint8Array(90).fill(0x62)).endCell())
    .endCell();

async function expectTrueEstimate(wallet: Wallet, payments: Payment[], deploy = false) {
  const order = wallet.order({ seqno: deploy ? 0 : 1, validUntil, payments });
  const init = deploy && {
    init_code: bocText(wallet.init.code!),
    init_data: bocText(wallet.init.data!),
  };
  const address = wallet.address.toFriendly();
  const fees = await estimate({ address, body: bocText(bodyOf(order)), ...init });
  await service.run("sendQuery", { address, body: bocText(bodyOf(order)), ...init });
  await service.mine();
  const { storage, other } = await paid(wallet.address);
  expect(fees.in_fwd_fee + fees.gas_fee + fees.fwd_fee).toBe(other);
  // The transaction ran a second after the estimate; a second costs a thousand times as much on the masterchain.
  const aSecond = wallet.address.workchain === -1 ? 1000 : 1;
  expect(Math.abs(fees.storage_fee - storage)).toBeLessThanOrEqual(aSecond);
  return fees;
}

/** Sends an order, so that the wallet is deployed with seqno 1. */
async function used(wallet: Wallet): Promise<Wallet> {
  const order = wallet.order({ seqno: 0, validUntil, payments: [] });
  await service.run("sendBoc", { boc: bocText(order) });
  await service.mine();
  return wallet;
}

/** An order without payments that lacks its signature, for a wallet that is in use. */
async function unsignedOrder(): Promise<{ address: string; body: Cell }> {
  const wallet = await used(await placedWallet("v3r2"));
  const unsigned = beginCell().storeBytes(new Uint8Array(64));
  unsigned.storeUint(698_983_191, 32).storeUint(validUntil, 32).storeUint(1, 32);
  return { address: wallet.address.toFriendly(), body: unsigned.endCell() };
}

describe("estimateFee", () => {
  describe("an estimate equals the later cost of the transaction", () => {
    it.each(versions)("for a %s", async (version) => {
      const wallet = await used(await placedWallet(version));
      await service.run("devnet.advanceTime", { seconds: 10_000_000 });
      await service.mine();
      const fees = await expectTrueEstimate(wallet, [
        { to: receiver, value: 1n, bounce: false, body: longText() },
        { to: masterReceiver, value: 2n, bounce: false },
      ]);
      // Its account, code and data.
      expect(fees.storage_fee).toBeGreaterThan(2 * cellFee);
    });

    it("for a wallet on the masterchain", async () => {
      const wallet = await used(await placedWallet("v4r2", -1));
      await expectTrueEstimate(wallet, [{ to: receiver, value: 1n, bounce: false, body: longText() }]);
    });

    it("for a deployment", async () => {
      const wallet = newWallet("v4r2");
      const address = wallet.address.toRaw();
      await service.run("devnet.faucet", { address, amount: "5000000000" });
      await expectTrueEstimate(wallet, [{ to: receiver, value: 1n, bounce: false }], true);
    });

    it("for more messages than tonlib counts", async () => {
      const wallet = await used(await placedWallet("v5r1"));
      const payments = Array.from({ length: 100 }, () => ({ to: receiver, value: 1n, bounce: false }));
      await expectTrueEstimate(wallet, payments);
    });
  });

  describe("an estimate", () => {
    it("accepts every signature unless ignore_chksig is false", async () => {
      const wallet = await used(await placedWallet("v4r2"));
      const address = wallet.address.toFriendly();
      const good = bodyOf(wallet.order({ seqno: 1, validUntil, payments: [] }));
      const forged = beginCell().storeBytes(new Uint8Array(64)).storeSlice(good.parse().skip(512)).endCell();
      const fees = await estimate({ address, body: bocText(forged) });
      expect(fees.gas_fee).toBeGreaterThan(0);
      expect(await estimate({ address, body: bocText(good), ignore_chksig: false })).toEqual(fees);
      expect(await estimate({ address, body: bocText(forged), ignore_chksig: false })).toEqual({
        ...fees,
        gas_fee: 0,
      });
    });

    it("contains no gas fee where the contract does not accept the message", async () => {
      const wallet = await placedWallet("v3r2");
      const address = wallet.address.toFriendly();
      const wrongSeqno = bodyOf(
        wallet.order({ seqno: 5, validUntil, payments: [{ to: receiver, value: 1n }] }),
      );
      expect(await estimate({ address, body: bocText(wrongSeqno) })).toMatchObject({
        gas_fee: 0,
        fwd_fee: 0,
      });
    });

    it.each(versions)("is the same before and after a %s is funded", async (version) => {
      const wallet = newWallet(version);
      const order = wallet.order({ seqno: 0, validUntil, payments: [{ to: receiver, value: 1n }] });
      const params = deployment(wallet, bodyOf(order));
      const fees = await estimate(params);
      expect(fees.in_fwd_fee).toBeGreaterThan(lumpFee);
      expect(fees.gas_fee).toBeGreaterThan(0);
      expect(fees).toMatchObject({ storage_fee: 0, fwd_fee: lumpFee });
      await service.run("devnet.faucet", { address: wallet.address.toRaw(), amount: "5000000000" });
      await service.mine();
      expect(await estimate(params)).toEqual({ ...fees, storage_fee: expect.any(Number) });
    });

    it.each(versions)("is the same for a %s with too little balance", async (version) => {
      const wallet = await used(await placedWallet(version));
      const address = wallet.address.toRaw();
      const order = wallet.order({ seqno: 1, validUntil, payments: [{ to: receiver, value: 1n }] });
      const { storage_fee: _, ...fees } = await estimate({ address, body: bocText(bodyOf(order)) });
      expect([fees.gas_fee > 0, fees.fwd_fee]).toEqual([true, lumpFee]);
      const imported = fees.in_fwd_fee + fees.gas_fee;
      const needed = imported + fees.fwd_fee;
      for (const balance of [0, 1, fees.in_fwd_fee, imported - 1, imported, needed - 1]) {
        await service.run("devnet.setBalance", { address, balance: String(balance) });
        expect(await estimate({ address, body: bocText(bodyOf(order)) }), String(balance)).toMatchObject(
          fees,
        );
      }
    });

    it("uses init_code and init_data in place of the account's own, at any address", async () => {
      const wallet = newWallet("v3r2");
      const address = testAddress("b");
      await service.run("devnet.setBalance", { address, balance: "1000000000" });
      const order = wallet.order({ seqno: 0, validUntil, payments: [{ to: receiver, value: 1n }] });
      const fees = await estimate({
        address,
        body: bocText(bodyOf(order)),
        init_code: bocText(wallet.init.code!),
        init_data: bocText(wallet.init.data!),
      });
      expect([fees.gas_fee > 0, fees.fwd_fee]).toEqual([true, lumpFee]);
    });

    it("contains no forward fee where the run fails after accepting, or only reserves", async () => {
      const failing = testAddress("c");
      // ACCEPT, then 77 THROW
      await place(service, { address: failing, code: codeOf("F800F2C04D"), balance: "1000000000" });
      const failed = await estimate({ address: failing, body: empty });
      expect([failed.gas_fee > 0, failed.fwd_fee]).toEqual([true, 0]);
      const reserving = testAddress("d");
      // ACCEPT, 1 0 RAWRESERVE
      await place(service, { address: reserving, code: codeOf("F8007170FB02"), balance: "1000000000" });
      expect(await estimate({ address: reserving, body: empty })).toMatchObject({ fwd_fee: 0 });
    });

    it("is refused where the contract changes its code", async () => {
      const address = testAddress("e");
      // ACCEPT, an empty cell as code, SETCODE
      const code = beginCell().storeBytes(Buffer.from("F80088FB04", "hex")).storeRef(Cell.empty).endCell();
      await place(service, { address, code, balance: "1000000000" });
      const { json, status } = await service.post("/api/v2/estimateFee", { address, body: empty });
      expect([status, json]).toMatchObject([500, { error: "estimate_fee: action_set_code unsupported" }]);
    });
  });

  describe("bad parameters", () => {
    const address = testAddress("f");

    it.each([
      [{ address, body: "AAAA" }, 400, "INVALID_BAG_OF_CELLS: body"],
      [{ address, body: "" }, 400, "INVALID_BAG_OF_CELLS: body"],
      [{ address, body: empty, init_code: empty }, 400, "INVALID_BAG_OF_CELLS: init_data"],
      [{ address, body: empty, init_code: "AAAA", init_data: empty }, 400, "INVALID_BAG_OF_CELLS: init_code"],
      [{ address }, 422, "failed to parse post request: body is required"],
      [{ address: "x", body: empty }, 422, "failed to parse post request: Failed to parse ton_addr: 'x'"],
      [
        { address, body: empty, ignore_chksig: "maybe" },
        422,
        "failed to parse post request: failed to parse ignore_chksig",
      ],
    ])("%j are refused with %d", async (params, code, error) => {
      expect(await refusal(params)).toEqual([code, error]);
    });

    it("cells are refused if no transaction can hold them", async () => {
      const nested = (depth: number) => {
        let cell = Cell.empty;
        for (let level = 0; level < depth; level++) cell = beginCell().storeRef(cell).endCell();
        return bocText(cell);
      };
      const withPart = {
        body: (boc: string) => ({ body: boc, init_code: acceptingCode, init_data: empty }),
        init_code: (boc: string) => ({ body: empty, init_code: boc, init_data: empty }),
        init_data: (boc: string) => ({ body: empty, init_code: acceptingCode, init_data: boc }),
      };
      for (const [part, params] of Object.entries(withPart)) {
        const { gas_fee } = await estimate({ address, ...params(nested(1020)) });
        if (part !== "init_code") expect(gas_fee).toBeGreaterThan(0);
        const refused = [422, `${part} is too deep: at most 1020 levels of cells`];
        for (const depth of [1021, 1024])
          expect(await refusal({ address, ...params(nested(depth)) })).toEqual(refused);
      }
    });

    it("init_data without init_code is ignored", async () => {
      expect(await estimate({ address, body: empty, init_data: "AAAA" })).toEqual({
        in_fwd_fee: lumpFee,
        storage_fee: 0,
        gas_fee: 0,
        fwd_fee: 0,
      });
    });
  });
});

describe("estimateFeeSimple", () => {
  it("answers cells as objects like estimateFee answers bags", async () => {
    const { address, body } = await unsignedOrder();
    const object = { data: { b64: Buffer.from(body.parse().loadBytes(76)).toString("base64"), len: 608 } };
    const fees = await service.run("estimateFee", { address, body: bocText(body) });
    const simple = { address, body: { ...object, refs: [], special: false }, ignore_chksig: true };
    expect(await service.run("estimateFeeSimple", simple)).toEqual(fees);
  });

  it("refuses objects that are no cells", async () => {
    const address = testAddress("f");
    const { status, json } = await service.post("/api/v2/estimateFeeSimple", { address, body: { data: 5 } });
    expect([status, json]).toMatchObject([400, { error: "Error while parsing cell object" }]);
  });
});
