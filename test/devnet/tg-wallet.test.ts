import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import { requestedMessage } from "../../server/contracts/wallet-order.js";
import { contractCode } from "../../server/devnet/contracts/codes.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { Message } from "../../shared/ton/tlb/message.js";
import { tgWalletOpcodes, tgWalletParam } from "../../shared/values/tg-wallet.js";
import { bocText, testAddress } from "../helpers/contracts/contracts.js";
import {
  keyChange,
  keyOf,
  sendOneRequest,
  signedBy,
  TgAccount,
  tgKey,
  tgRequest,
} from "../helpers/contracts/tg-wallet.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { prefundedWallet } from "../helpers/services/devnet-wallet.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";

type Received = { in_msg: { message_content: { decoded: object | null } } };
type Traced = { error?: { message: string }; result?: { transactions: object } };

const otherKey = keyOf(2);
const other = new TgAccount({} as DevnetService, keyOf(5)).wallet.address;
const pay = (value: bigint) => ({ to: other, value, bounce: false });

let service: DevnetService;
let account: TgAccount;

function useService(kind: "empty" | "indexed"): void {
  beforeAll(async () => {
    service = await sharedService(kind);
    account = new TgAccount(service);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    await service.run("devnet.faucet", { address: account.address, amount: "5000000000" });
    return () => service.run("devnet.revert", { id });
  });
}

const received = () => service.run<string>("getAddressBalance", { address: other.toRaw() });
const sendSigned = (request: Parameters<typeof signedBy>[1], key = tgKey) =>
  account.send(account.messageOf(signedBy(key, request)));

describe("Telegram's wallet on a devnet", () => {
  useService("empty");

  it("has the address of the documented vector", () => {
    expect(account.address).toBe("0:2441bd0dcb1bf6c478b445ee3684f1c878ce6f27819048dd843842140effe1a7");
  });

  it("is the seventh of the prefunded ones, with the key of its 12 words", async () => {
    const { wallets } = await service.run<{ wallets: object[] }>("devnet.info");
    const { address, mnemonic, secretKey } = await prefundedWallet(service, "tg");
    const shown = { type: "tg", name: "Tess", address, mnemonic, balance: "10000000000000" };
    expect([wallets.length, wallets.at(-1)]).toEqual([7, shown]);
    expect(mnemonic.split(" ")).toHaveLength(12);
    const tess = new TgAccount(service, new SigningKey(secretKey.subarray(0, 32)));
    expect(tess.address.toUpperCase()).toBe(address);
    expect(await tess.read("seqno")).toBe(0n);
    expect(await tess.send(tess.order(0, [pay(3n)]))).toBeUndefined();
    expect([await tess.read("seqno"), await received()]).toEqual([1n, "3"]);
  });

  it("is deployed by its first request, and answers get-methods by the code in the configuration", async () => {
    expect(await account.send(account.order(0, [pay(1_000_000_000n)]))).toBeUndefined();
    expect(await received()).toBe("1000000000");
    const methods = ["revision", "seqno", "get_subwallet_id"];
    expect(await Promise.all(methods.map((method) => account.read(method)))).toEqual([0n, 1n, 0x7fff7f11n]);
    await service.run("devnet.setConfig", { param: tgWalletParam });
    expect(await account.read("seqno")).toBe("exit code 7");
    expect(await account.send(account.order(1, [pay(1n)]))).toMatchObject({
      exit_code: 7,
      exit_name: "no-wallet-code",
    });
  });

  it("sends many messages by one request, in their order", async () => {
    await account.send(account.order(0, []));
    const payments = Array.from({ length: 9 }, (_, i) => pay(BigInt(i + 1) * 1_000_000n));
    expect(await account.send(account.order(1, payments))).toBeUndefined();
    expect(await account.newestValues()).toEqual(payments.map(({ value }) => `${value}`));
  });

  it("refuses requests that are not right, with the reason in words", async () => {
    await account.send(account.order(0, []));
    const { address } = account.wallet;
    const short = beginCell().storeUint(7, 32).endCell();
    const cases: [Cell, number, string, RegExp][] = [
      [short, 9, "cell-underflow", /Cell/],
      [signedBy(tgKey, sendOneRequest(7, pay(1n))), 133, "wrong-seqno", /sequence number/],
      [signedBy(tgKey, sendOneRequest(1, pay(1n), { walletId: 5 })), 134, "wrong-wallet-id", /another id/],
      [signedBy(otherKey, sendOneRequest(1, pay(1n))), 135, "bad-signature", /signature/],
      [signedBy(tgKey, keyChange(address, 1, tgKey)), 148, "key-not-changed", /present one/],
      [signedBy(tgKey, keyChange(address, 1, otherKey, tgKey)), 149, "invalid-key-proof", /proof/],
      [signedBy(tgKey, tgRequest(0xabcdef, 1)), 65535, "unknown-operation", /./],
    ];
    for (const [body, code, name, meaning] of cases)
      expect(await account.send(account.messageOf(body))).toMatchObject({
        ...{ exit_code: code, exit_name: name, exit_meaning: expect.stringMatching(meaning) },
      });
    const late = account.wallet.order({ seqno: 1, validUntil: 1, payments: [pay(1n)] });
    expect(await account.send(late)).toMatchObject({ exit_code: 136, exit_name: "expired" });
    expect(await account.read("seqno")).toBe(1n);
  });

  it("takes a request that somebody else pays for, and ignores one with another signature", async () => {
    await account.send(account.order(0, []));
    const relayed = tgRequest(tgWalletOpcodes.sendOne.internal, 1)
      .storeUint(3, 8)
      .storeRef(requestedMessage(pay(2_000_000n)));
    const deliver = (body: Cell) =>
      service.run("devnet.impersonate", {
        from: testAddress("7"),
        to: account.address,
        value: "100000000",
        body: bocText(body),
      });
    await deliver(signedBy(otherKey, relayed));
    expect(await account.read("seqno")).toBe(1n);
    await deliver(signedBy(tgKey, relayed));
    await service.mine();
    expect([await account.read("seqno"), await received()]).toEqual([2n, "2000000"]);
  });

  it("takes another key that signs for the account, and obeys it from then on", async () => {
    await account.send(account.order(0, []));
    const next = keyOf(3);
    expect(await sendSigned(keyChange(account.wallet.address, 1, next))).toBeUndefined();
    expect(await account.read("get_public_key")).toBe(
      BigInt(`0x${Buffer.from(next.publicKey).toString("hex")}`),
    );
    // The log of the change.
    expect(await account.newestValues()).toEqual(["0"]);
    expect(await sendSigned(sendOneRequest(2, pay(5n)))).toMatchObject({ exit_name: "bad-signature" });
    expect(await sendSigned(sendOneRequest(2, pay(5n)), next)).toBeUndefined();
    expect(await received()).toBe("5");
  });
});

describe("Telegram's wallet, with an index", () => {
  useService("indexed");
  const emulated = async (params: object) => (await service.rpc("v3.emulate.trace", params)) as Traced;
  const indexed = async () => untilIndexed(service, await service.mine());
  beforeAll(indexed);

  it("is foretold with the code that the configuration has, or that the call puts there", async () => {
    await account.send(account.order(0, [pay(1_000_000n)]));
    await indexed();
    const message = account.order(1, [pay(11n), pay(12n)]);
    const boc = bocText(message);
    const body = bocText(decode(Message, message).body);
    const { address } = account;
    const foretold = async (more: object = {}) => {
      const traced = await emulated({ boc, ...more });
      const { source_fees: fees } = await service.run<{ source_fees: { gas_fee: number } }>("estimateFee", {
        ...{ address, body, ...more },
      });
      return [traced.error?.message ?? Object.keys(traced.result!.transactions).length, fees.gas_fee > 0];
    };
    expect(await foretold()).toEqual([3, true]);
    await service.run("devnet.setConfig", { param: tgWalletParam });
    expect(await foretold()).toEqual([
      expect.stringMatching(
        /stopped with exit code 7 \(the configuration of the network has no code for these wallets\)\.$/,
      ),
      false,
    ]);
    const config = [{ param: tgWalletParam, boc: bocText(contractCode("tg-wallet")) }];
    expect(await foretold({ overrides: { config } })).toEqual([3, true]);
    const method = { address, method: "seqno", stack: [], overrides: { config } };
    expect(await service.run("runGetMethod", method)).toMatchObject({ stack: [["num", "0x1"]] });
    // Money arrives without the code.
    await service.run("devnet.faucet", { address, amount: "1000000000" });
    expect(BigInt(await service.run<string>("getAddressBalance", { address }))).toBeGreaterThan(
      5_900_000_000n,
    );
  });

  it("has its requests read behind their signature, also those that somebody else delivers", async () => {
    const first = account.order(0, [pay(1_000_000n)]);
    const traced = await emulated({ boc: bocText(first) });
    await account.send(first);
    const relayed = signedBy(
      tgKey,
      tgRequest(tgWalletOpcodes.sendOne.internal, 1)
        .storeUint(3, 8)
        .storeRef(requestedMessage(pay(2_000_000n))),
    );
    await service.run("devnet.impersonate", {
      ...{ from: testAddress("7"), to: account.address, value: "100000000", body: bocText(relayed) },
    });
    await indexed();
    const request = (way: string, seqno: number) => ({
      "@type": "tg_wallet_signed",
      request: { "@type": `tg_wallet_send_one_${way}`, seqno: String(seqno), send_mode: "3" },
    });
    const { transactions } = await service.run<{ transactions: Received[] }>("v3.transactions", {
      account: [account.address],
      limit: 2,
    });
    const decoded = ({ in_msg: { message_content: content } }: Received) => content.decoded;
    expect(transactions.map(decoded)).toMatchObject([request("internal", 1), request("external", 0)]);
    const [expected] = Object.values(traced.result!.transactions) as Received[];
    expect(decoded(expected!)).toEqual(decoded(transactions[1]!));
  });

  it("pays for a request that it cannot carry out, whose status says why", async () => {
    await account.send(account.order(0, [pay(1_000_000n)]));
    const none = tgRequest(tgWalletOpcodes.sendBulk.external, 2).storeUint(0, 8).storeBit(false);
    const cases: [Cell, number, string][] = [
      [signedBy(tgKey, sendOneRequest(1, pay(1n), { mode: 1 })), 137, "must ignore errors"],
      [signedBy(tgKey, none), 147, "no messages, or another number of them"],
    ];
    for (const [body, code, meaning] of cases) {
      const message = account.messageOf(body);
      expect(await account.send(message)).toBeUndefined();
      await indexed();
      const status = await service.run<{ text: string }>("v3.messageStatus", {
        ...{ boc: bocText(message), include_text: true },
      });
      expect(status).toMatchObject({
        status: "completed",
        success: false,
        failures: [{ phase: "compute", exit_code: code, exit_meaning: expect.stringContaining(meaning) }],
      });
      expect(status.text).toContain(`stopped with exit code ${code} (`);
    }
    expect(await account.read("seqno")).toBe(3n);
  });

  it("has a status for the request that is sent, is used, and has expired", async () => {
    const statusOf = (message: Cell) => service.run("v3.messageStatus", { boc: bocText(message) });
    const wallet = { interface: "tg_wallet", seqno: 0, next_seqno: 0, valid_until: 4_000_000_000 };
    const first = account.order(0, [pay(7_000_000n)]);
    expect(await statusOf(first)).toMatchObject({ status: "unknown", reason: "acceptable", wallet });
    await account.send(first);
    await indexed();
    expect(await statusOf(first)).toMatchObject({ status: "completed", success: true });
    expect(await statusOf(account.order(0, [pay(2n)]))).toMatchObject({
      ...{ status: "expired", reason: "seqno", wallet: { ...wallet, next_seqno: 1 } },
    });
    const late = account.wallet.order({ seqno: 1, validUntil: 1, payments: [pay(1n)] });
    expect(await statusOf(late)).toMatchObject({ status: "expired", reason: "valid_until" });
  });
});
