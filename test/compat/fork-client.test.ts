import { Address, beginCell, comment, internal, SendMode, toNano } from "@ton/core";
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DevnetInfoResult } from "../../client/api.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { prefundedWallet } from "../helpers/services/devnet-wallet.js";
import { startFork, startForkedNetwork } from "../helpers/services/forked.js";

// The unchanged @ton/ton client against a fork of a network with sample data.

describe("TonClient on a fork", () => {
  let network: DevnetService;
  let fork: DevnetService;
  let info: DevnetInfoResult;
  beforeAll(async () => {
    const forked = await startForkedNetwork();
    network = forked.network;
    fork = await startFork({ fork: forked.config });
    info = await network.run("devnet.info");
  });
  afterAll(async () => {
    await fork?.close();
    await network?.close();
  });

  const clientOf = ({ url, key }: DevnetService) =>
    new TonClient({ endpoint: `${url}/api/v2/jsonRPC`, apiKey: key });
  const unknown = new Address(0, Buffer.alloc(32, 0x71));

  it("reads wallets of the network and pays from them, which the network does not see", async () => {
    const { publicKey, secretKey, address } = await prefundedWallet(network, "v4r2");
    const [there, here] = [network, fork].map((service) => clientOf(service));
    const contract = WalletContractV4.create({ workchain: 0, publicKey });
    expect(contract.address.equals(Address.parse(address))).toBe(true);
    const [theirs, own] = [there!.open(contract), here!.open(contract)];
    const before = await theirs.getBalance();
    expect(await own.getBalance()).toBe(before);
    const seqno = await own.getSeqno();
    expect(seqno).toBe(await theirs.getSeqno());
    const messages = [
      internal({ to: unknown, value: toNano(3), bounce: false, body: comment("from a fork") }),
    ];
    await own.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
    expect(await own.getSeqno()).toBe(seqno + 1);
    expect(await here!.getBalance(unknown)).toBeGreaterThan(toNano("2.9"));
    expect(await own.getBalance()).toBeLessThan(before - toNano(3));
    expect(await theirs.getBalance()).toBe(before);
    expect(await there!.getBalance(unknown)).toBe(0n);
    const [newest, ...older] = await here!.getTransactions(contract.address, { limit: 5 });
    expect(newest!.outMessages.get(0)!.info.dest?.toString()).toBe(unknown.toString());
    const theirNewest = await there!.getTransactions(contract.address, { limit: 4 });
    expect(older.map(({ lt }) => lt)).toEqual(theirNewest.map(({ lt }) => lt));
  });

  it("moves jettons in the name of their owner", async () => {
    const master = Address.parse(info.contracts.find(({ kind }) => kind === "jetton_master")!.address);
    const jettonWallet = info.contracts.find(({ kind }) => kind === "jetton_wallet")!.address;
    const client = clientOf(fork);
    const { stack } = await client.runMethod(Address.parse(jettonWallet), "get_wallet_data");
    const held = stack.readBigNumber();
    const owner = stack.readAddress();
    const jettons = client.open(JettonMaster.create(master));
    expect((await jettons.getJettonData()).totalSupply).toBeGreaterThanOrEqual(held);
    const to = await client.runMethod(stack.readAddress(), "get_wallet_address", [
      { type: "slice", cell: beginCell().storeAddress(unknown).endCell() },
    ]);
    const receiver = client.open(JettonWallet.create(to.stack.readAddress()));
    expect(await receiver.getBalance()).toBe(0n);
    const body = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(7, 64)
      .storeCoins(held)
      .storeAddress(unknown)
      .storeAddress(owner)
      .storeBit(false)
      .storeCoins(1n)
      .storeBit(false)
      .endCell();
    await fork.run("devnet.impersonate", {
      from: owner.toString(),
      to: jettonWallet,
      value: toNano("0.3").toString(),
      body: body.toBoc().toString("base64"),
    });
    expect(await receiver.getBalance()).toBe(held);
    expect(await client.open(JettonWallet.create(Address.parse(jettonWallet))).getBalance()).toBe(0n);
    expect(
      await clientOf(network)
        .open(JettonWallet.create(Address.parse(jettonWallet)))
        .getBalance(),
    ).toBe(held);
  });

  it("shows where the fork began, and how its requests fare", async () => {
    const { fork: shown } = await fork.run<DevnetInfoResult>("devnet.info");
    const { last } = await network.run<{ last: { seqno: number } }>("getMasterchainInfo");
    expect(shown).toMatchObject({ source: "network.json", proven: true, failures: 0 });
    expect(shown!.block.seqno).toBeLessThanOrEqual(last.seqno);
    expect(shown!.requests).toBeGreaterThan(0);
  });
});
