import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import {
  Address,
  beginCell,
  type Cell,
  comment,
  external,
  internal,
  SendMode,
  storeMessage,
  toNano,
} from "@ton/core";
import { type KeyPair, keyPairFromSeed } from "@ton/crypto";
import { JettonMaster, TonClient, WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jettonsOf } from "../../server/devnet/story/jetton-trade.js";
import { collectionOf } from "../../server/devnet/story/nft-trade.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { loadTonWeb } from "../helpers/peers/tonweb.js";
import { prefundedWallet } from "../helpers/services/devnet-wallet.js";
import { startService, type TestService } from "../helpers/services/service.js";
import { storyEnded } from "../helpers/stories/story.js";
import { until } from "../helpers/until.js";

// The first steps of a developer: a wallet, money from a prefunded wallet, a payment, and a look at its result. Once with
// @ton/ton alone, once with tonweb alone, once with curl and a signed message.

const cast = participantsOf("tonwire", await devnetWallets("tonwire"));
const jetton = jettonsOf(cast).acorn.address.toFriendly();
const collection = collectionOf(cast);
const item = collection.item(0n).toFriendly();

let service: TestService;
let endpoint: string;
beforeAll(async () => {
  service = await startService({ story: true, mining: "message", clock: "fixed" });
  endpoint = `${service.url}/api/v2/jsonRPC`;
  await storyEnded(service);
});
afterAll(() => service.close());

const newAddress = () => new Address(0, randomBytes(32));

/** New keys, and the keys of a prefunded wallet. */
async function keys(): Promise<{ mine: KeyPair; rich: KeyPair }> {
  return { mine: keyPairFromSeed(randomBytes(32)), rich: await prefundedWallet(service, "v4r2") };
}

describe("a first day on the devnet", () => {
  it("works with @ton/ton alone", async () => {
    const { mine, rich } = await keys();
    const client = new TonClient({ endpoint, apiKey: service.key });
    const bank = client.open(WalletContractV4.create({ workchain: 0, publicKey: rich.publicKey }));
    const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: mine.publicKey }));
    const sendMode = SendMode.PAY_GAS_SEPARATELY;
    const pay = async (from: typeof wallet, secretKey: Buffer, to: Address, value: string, text: string) => {
      const seqno = await from.getSeqno();
      const messages = [internal({ to, value, bounce: false, body: text })];
      await from.sendTransfer({ seqno, secretKey, messages, sendMode });
      await until("the payment is made", async () => (await from.getSeqno()) > seqno);
    };

    await pay(bank, rich.secretKey, wallet.address, "5", "welcome");
    await until("the money is there", async () => (await client.getBalance(wallet.address)) === toNano("5"));
    expect(await client.isContractDeployed(wallet.address)).toBe(false);
    const friend = newAddress();
    await pay(wallet, mine.secretKey, friend, "0.5", "for you");
    expect(await client.isContractDeployed(wallet.address)).toBe(true);
    expect(await wallet.getSeqno()).toBe(1);

    const received = await until(
      "the payment is there",
      async () => (await client.getTransactions(friend, { limit: 1 }))[0],
    );
    expect(received.inMessage!.body.equals(comment("for you"))).toBe(true);
    const info = received.inMessage!.info;
    if (info.type !== "internal") throw new Error("the payment came as something else");
    const { createdLt } = info;
    const located = await client.tryLocateResultTx(wallet.address, friend, createdLt.toString());
    expect(located.hash()).toEqual(received.hash());

    const { latestSeqno } = await client.getMasterchainInfo();
    const [shard] = await client.getWorkchainShards(latestSeqno);
    expect(await client.getShardTransactions(0, shard!.seqno, shard!.shard)).toBeInstanceOf(Array);
    const transfer = wallet.createTransfer({
      seqno: 1,
      secretKey: mine.secretKey,
      messages: [internal({ to: friend, value: "0.1", bounce: false })],
    });
    const fees = await client.estimateExternalMessageFee(wallet.address, {
      body: transfer,
      initCode: null,
      initData: null,
      ignoreSignature: true,
    });
    expect(fees.source_fees.gas_fee).toBeGreaterThan(0);

    const master = client.open(JettonMaster.create(Address.parse(jetton)));
    expect((await master.getJettonData()).totalSupply).toBe(995_250_000_000_000n);
    const { stack } = await client.runMethod(Address.parse(item), "get_nft_data");
    expect(stack.readNumber()).toBe(-1);
    expect(stack.readNumber()).toBe(0);
    expect(stack.readAddress().toString()).toBe(collection.address.toFriendly());
  });

  it("works with tonweb alone", async () => {
    const TonWeb = loadTonWeb();
    const { mine, rich } = await keys();
    const provider = new TonWeb.HttpProvider(endpoint, { apiKey: service.key });
    const Wallet = TonWeb.Wallets.all["v4R2"]!;
    const bank = new Wallet(provider, { publicKey: rich.publicKey, wc: 0 });
    const wallet = new Wallet(provider, { publicKey: mine.publicKey, wc: 0 });
    const address = await wallet.getAddress();
    const order = (
      toAddress: string,
      tons: string,
      seqno: number,
      payload: string,
      secretKey: Uint8Array,
    ) => ({
      secretKey,
      toAddress,
      amount: new TonWeb.utils.BN(toNano(tons).toString()),
      seqno,
      payload,
    });

    const paid = (await bank.methods.seqno().call()) ?? 0;
    await bank.methods
      .transfer(order(address.toString(true, true, false), "5", paid, "welcome", rich.secretKey))
      .send();
    const text = address.toString(true, true, true);
    await until("the money is there", async () => (await provider.getBalance(text)) !== "0");
    await wallet.deploy(mine.secretKey).send();
    await until("it is deployed", async () => (await wallet.methods.seqno().call()) === 1);
    const friend = newAddress().toString({ bounceable: false });
    const transfer = wallet.methods.transfer(order(friend, "0.5", 1, "for you", mine.secretKey));
    expect(await transfer.estimateFee()).toMatchObject({ source_fees: { gas_fee: expect.any(Number) } });
    await transfer.send();
    await until("the payment is made", async () => (await wallet.methods.seqno().call()) === 2);

    type Received = { data: string; in_msg: { message: string; created_lt: string } };
    const received = await until(
      "the payment is there",
      async () => (await provider.getTransactions(friend, 1))[0] as Received | undefined,
    );
    expect(received.in_msg.message).toBe("for you");
    const { created_lt } = received.in_msg;
    const located = await provider.send("tryLocateResultTx", {
      source: text,
      destination: friend,
      created_lt,
    });
    expect(located).toMatchObject({ data: received.data });
    const { seqno } = (await provider.getMasterchainInfo()).last;
    const block = { workchain: -1, shard: "-9223372036854775808", seqno };
    expect(await provider.send("getBlockTransactionsExt", block)).toMatchObject({ req_count: 40 });
    const token = await provider.send("getTokenData", { address: jetton });
    expect(token).toMatchObject({ contract_type: "jetton_master", total_supply: "995250000000000" });
    expect(await provider.send("getTokenData", { address: item })).toMatchObject({
      contract_type: "nft_item",
      index: "0",
      collection_address: collection.address.toFriendly(),
    });
  });

  it.skipIf(!hasCurl())("works with curl alone (it needs curl: apt-get install curl)", async () => {
    const { mine, rich } = await keys();
    const bank = WalletContractV4.create({ workchain: 0, publicKey: rich.publicKey });
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: mine.publicKey });
    const me = wallet.address.toString({ bounceable: false });
    const friend = newAddress().toString({ bounceable: false });
    const seqnoOf = async (address: string) => {
      const call = { address, method: "seqno", stack: [] };
      const { exit_code, stack } = await curl<{ exit_code: number; stack: [string, string][] }>(
        "runGetMethod",
        call,
      );
      return exit_code === 0 ? Number(stack[0]![1]) : 0;
    };
    const pay = async (
      from: WalletContractV4,
      secretKey: Buffer,
      to: string,
      value: string,
      body: string,
    ) => {
      const seqno = await seqnoOf(from.address.toString());
      const messages = [internal({ to, value, bounce: false, body })];
      const sendMode = SendMode.PAY_GAS_SEPARATELY;
      const order = from.createTransfer({ seqno, secretKey, messages, sendMode });
      const boc = messageTo(from, order, seqno === 0);
      const sent = await curl<{ hash: string }>("sendBocReturnHash", { boc });
      await until("the payment is made", async () => (await seqnoOf(from.address.toString())) > seqno);
      return { order, ...sent };
    };

    await pay(bank, rich.secretKey, me, "5", "welcome");
    await until(
      "the money is there",
      async () => (await curl(`getAddressBalance?address=${me}`)) === "5000000000",
    );
    expect(await curl(`getAddressState?address=${me}`)).toBe("uninitialized");
    const { order } = await pay(wallet, mine.secretKey, friend, "0.5", "for you");
    expect(await curl(`getWalletInformation?address=${me}`)).toMatchObject({
      wallet_type: "wallet v4 r2",
      seqno: 1,
    });

    type Received = {
      data: string;
      in_msg: { created_lt: string; message: string };
      transaction_id: { lt: string };
    };
    const received = await until(
      "the payment is there",
      async () => (await curl<Received[]>(`getTransactions?address=${friend}&limit=1`))[0],
    );
    expect(received.in_msg.message).toBe("for you");
    const { created_lt } = received.in_msg;
    const located = `tryLocateResultTx?source=${me}&destination=${friend}&created_lt=${created_lt}`;
    expect(await curl(located)).toMatchObject({ data: received.data });
    const block = await curl<{ seqno: number; shard: string }>(
      `lookupBlock?workchain=0&shard=-9223372036854775808&lt=${received.transaction_id.lt}`,
    );
    const { transactions } = await curl<{ transactions: { data: string }[] }>(
      `getBlockTransactionsExt?workchain=0&shard=${block.shard}&seqno=${block.seqno}`,
    );
    expect(transactions.map(({ data }) => data)).toContain(received.data);
    const fees = { address: me, body: order.toBoc().toString("base64"), ignore_chksig: true };
    expect(await curl("estimateFee", fees)).toMatchObject({
      source_fees: { in_fwd_fee: expect.any(Number) },
    });
    expect(await curl(`getTokenData?address=${jetton}`)).toMatchObject({ contract_type: "jetton_master" });
    expect(await curl(`getTokenData?address=${item}`)).toMatchObject({ contract_type: "nft_item" });
  });
});

/** The message that brings an order to its wallet, with the wallet's code the first time. */
function messageTo(wallet: WalletContractV4, body: Cell, first: boolean): string {
  const message = external({ to: wallet.address, init: first ? wallet.init : null, body });
  return beginCell().store(storeMessage(message)).endCell().toBoc().toString("base64");
}

/** The result of a REST call; with a body it is a POST. */
async function curl<T = unknown>(call: string, body?: object): Promise<T> {
  const post = body ? ["-H", "Content-Type: application/json", "-d", JSON.stringify(body)] : [];
  const args = ["-s", "-H", `X-API-Key: ${service.key}`, ...post, `${service.url}/api/v2/${call}`];
  const { ok, result, error } = JSON.parse((await promisify(execFile)("curl", args)).stdout);
  if (!ok) throw new Error(`${call}: ${error}`);
  return result;
}

function hasCurl(): boolean {
  try {
    execFileSync("curl", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
