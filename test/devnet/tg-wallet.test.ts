import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import { requestedMessage } from "../../server/contracts/wallet-order.js";
import { externalMessage } from "../../server/devnet/wallets/compose.js";
import { Wallet } from "../../server/devnet/wallets/wallet.js";
import { type Builder, beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { tgWalletOpcodes, tgWalletParam } from "../../shared/ton/contracts/tg-wallet.js";
import { bocText, testAddress } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

/** The vector of the contract's documentation: a seed of 32 bytes of 1. */
const key = new SigningKey(new Uint8Array(32).fill(1));
const wallet = new Wallet("tg", key);
const address = wallet.address.toRaw();
const other = new Wallet("v4r2", new SigningKey(new Uint8Array(32).fill(5))).address;
const validUntil = 4_000_000_000;
const pay = (value: bigint) => ({ to: other, value, bounce: false });

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
beforeEach(async () => {
  const { id } = await service.run<{ id: string }>("devnet.snapshot");
  await service.run("devnet.faucet", { address, amount: "5000000000" });
  return () => service.run("devnet.revert", { id });
});

const send = async (message: Cell) => {
  const answer = (await service.rpc("sendBocReturnHash", { boc: bocText(message) })) as { error?: object };
  await service.mine();
  return answer.error;
};
const order = (seqno: number, payments = [pay(1_000_000_000n)]) =>
  wallet.order({ seqno, validUntil, payments });
const balance = () => service.run<string>("getAddressBalance", { address: other.toRaw() });

async function read(method: string): Promise<unknown> {
  const params = { address, method, stack: [] };
  const { exit_code, stack } = await service.run<{ exit_code: number; stack: [string, unknown][] }>(
    "runGetMethod",
    params,
  );
  return exit_code === 0 ? stack[0]![1] : `exit code ${exit_code}`;
}

/** A request with its signature. */
function signed(by: SigningKey, request: Builder): Cell {
  const signature = by.sign(request.endCell().hash());
  return beginCell().storeBytes(signature).storeBuilder(request).endCell();
}

const request = (opcode: number, seqno: number) =>
  beginCell().storeUint(opcode, 32).storeUint(0x7fff7f11, 32).storeUint(validUntil, 32).storeUint(seqno, 32);

/** The new key signs the account that it is for. */
function keyChange(opcode: number, seqno: number, next: SigningKey): Builder {
  const account = beginCell()
    .storeBytes(new TextEncoder().encode("KEY_ROTATION"))
    .storeInt(0, 8)
    .storeBytes(wallet.address.hash);
  const proof = beginCell().storeBytes(next.sign(account.endCell().hash()));
  const old = beginCell().storeBytes(new Uint8Array(32).fill(9));
  return request(opcode, seqno).storeBytes(next.publicKey).storeRef(proof.endCell()).storeRef(old.endCell());
}

describe("Telegram's wallet on a devnet", () => {
  it("has the address of the documented vector", () => {
    expect(address).toBe("0:2441bd0dcb1bf6c478b445ee3684f1c878ce6f27819048dd843842140effe1a7");
  });

  it("is deployed by its first request, and answers get-methods by the code in the configuration", async () => {
    expect(await send(order(0))).toBeUndefined();
    expect(await balance()).toBe("1000000000");
    expect(await Promise.all(["revision", "seqno", "get_subwallet_id"].map(read))).toEqual([
      "0x0",
      "0x1",
      "0x7fff7f11",
    ]);
    await service.run("devnet.setConfig", { param: tgWalletParam });
    expect(await read("seqno")).toBe("exit code 7");
    expect(await send(order(1))).toMatchObject({ data: { exit_code: 7, exit_name: "no-wallet-code" } });
  });

  it("sends many messages by one request, in their order", async () => {
    await send(order(0));
    const payments = Array.from({ length: 9 }, (_, i) => pay(BigInt(i + 1) * 1_000_000n));
    expect(await send(order(1, payments))).toBeUndefined();
    const [last] = await service.run<{ out_msgs: { value: string }[] }[]>("getTransactions", {
      address,
      limit: 1,
    });
    expect(last!.out_msgs.map(({ value }) => value)).toEqual(payments.map(({ value }) => `${value}`));
  });

  it("refuses requests that are not right, with the reason in words", async () => {
    await send(order(0));
    const cases: [Cell, number, string][] = [
      [order(7), 133, "wrong-seqno"],
      [wallet.order({ seqno: 1, validUntil: 1, payments: [pay(1n)] }), 136, "expired"],
      [externalMessage(wallet.address, signed(key, request(0xabcdef, 1))), 65535, "unknown-operation"],
    ];
    for (const [message, code, name] of cases)
      expect(await send(message)).toMatchObject({ data: { exit_code: code, exit_name: name } });
    const foreign = signed(new SigningKey(new Uint8Array(32).fill(2)), request(0x63896e75, 1));
    expect(await send(externalMessage(wallet.address, foreign))).toMatchObject({
      data: { exit_name: "bad-signature" },
    });
  });

  it("takes a request that somebody else pays for, and ignores one with another signature", async () => {
    await send(order(0, []));
    const { internal } = tgWalletOpcodes.sendOne;
    const relayed = request(internal, 1)
      .storeUint(3, 8)
      .storeRef(requestedMessage(pay(2_000_000n)));
    const deliver = (body: Cell) =>
      service.run("devnet.impersonate", {
        from: testAddress("7"),
        to: address,
        value: "100000000",
        body: bocText(body),
      });
    await deliver(signed(new SigningKey(new Uint8Array(32).fill(2)), relayed));
    expect(await read("seqno")).toBe("0x1");
    await deliver(signed(key, relayed));
    await service.mine();
    expect(await read("seqno")).toBe("0x2");
    expect(await balance()).toBe("2000000");
  });

  it("takes another key that signs for the account, and obeys it from then on", async () => {
    await send(order(0));
    const next = new SigningKey(new Uint8Array(32).fill(3));
    const { external } = tgWalletOpcodes.changeKey;
    const change = (by: SigningKey, to: SigningKey) =>
      send(externalMessage(wallet.address, signed(by, keyChange(external, 1, to))));
    expect(await change(key, key)).toMatchObject({ data: { exit_code: 148, exit_name: "key-not-changed" } });
    expect(await change(key, next)).toBeUndefined();
    expect(await read("get_public_key")).toBe(`0x${Buffer.from(next.publicKey).toString("hex")}`);
    const [last] = await service.run<{ out_msgs: { msg_data: object }[] }[]>("getTransactions", {
      address,
      limit: 1,
    });
    expect(last!.out_msgs).toHaveLength(1);
    expect(await send(order(2))).toMatchObject({ data: { exit_name: "bad-signature" } });
  });
});
