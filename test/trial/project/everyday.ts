// Copied into a newcomer's project, where it is a test: an afternoon beside a service that runs, with the sample data.
import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from "@ton/core";
import { mnemonicToPrivateKey } from "@ton/crypto";
import { WalletContractV4 } from "@ton/ton";
import { createClient, http, isRpcError, sendAndWait } from "tonwire";
import { startDevnet } from "tonwire/devnet";
import { createVerifiedClient } from "tonwire/verified";
import { afterAll, beforeAll, expect, it } from "vitest";

const url = process.env["SERVICE"]!;
const wallets = JSON.parse(process.env["WALLETS"]!) as Wallet[];
const trustedBlock = JSON.parse(process.env["TRUSTED"]!);
type Wallet = { name: string; address: string; mnemonic: string };

const transport = http(`${url}/jsonRPC`);
const client = createClient({ transport });
const named = (name: string) => wallets.find((wallet) => wallet.name === name)!;
const ann = named("Ann").address;
let annsJettons: string;
let impersonated: string;

beforeAll(async () => {
  const { jetton_wallets } = await client.v3.jetton.wallets({ owner_address: [ann], limit: 1 });
  annsJettons = jetton_wallets[0]!.address;
});
afterAll(() => client.close());

/** A signed order of Cleo's wallet, as TON Connect gives it to a page once its wallet has sent it. */
async function sentByWallet(to: string, value: string, body = beginCell().endCell()): Promise<string> {
  const { publicKey, secretKey } = await mnemonicToPrivateKey(named("Cleo").mnemonic.split(" "));
  const wallet = WalletContractV4.create({ workchain: 0, publicKey });
  const { stack } = await client.runGetMethod({
    address: wallet.address.toString(),
    method: "seqno",
    stack: [],
  });
  const order = wallet.createTransfer({
    seqno: Number((stack[0] as [string, string])[1]),
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: Address.parse(to), value: toNano(value), body, bounce: true })],
  });
  const message = storeMessage(external({ to: wallet.address, body: order }));
  const boc = beginCell().store(message).endCell().toBoc().toString("base64");
  await client.sendBoc({ boc });
  return boc;
}

it("follows a payment that a wallet has sent to its end", async () => {
  const { success, status } = await sendAndWait(client, await sentByWallet(ann, "0.5"));
  expect([success, status?.text]).toEqual([true, expect.stringContaining("Cleo")]);
});

it("learns why a message failed, in words", async () => {
  const nonsense = beginCell().storeUint(0x12345678, 32).storeUint(0, 64).endCell();
  const { success, status } = await sendAndWait(client, await sentByWallet(annsJettons, "0.2", nonsense));
  expect(success).toBe(false);
  expect(status?.text).toMatch(/0x12345678|exit code \d+/);
});

it("sees its own line in the stack of an error, and what to change in its first line", async () => {
  const error = await client.getAddressBalance({ address: "Ann" }).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!isRpcError(error)) throw new Error("the call did not fail with an RpcError", { cause: error });
  expect(error.stack).toMatch(/everyday\.test\.ts:\d+/);
  expect(error.message.split("\n")[0]).toContain("address");
});

it("moves somebody's jettons by an impersonated message, which is an ordinary one", async () => {
  const body = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(7, 64)
    .storeCoins(1)
    .storeAddress(Address.parse(named("Ben").address))
    .storeAddress(Address.parse(ann))
    .storeBit(false)
    .storeCoins(1)
    .storeBit(false)
    .endCell();
  const { tx_hash, status } = await client.devnet.impersonate({
    from: ann,
    to: annsJettons,
    value: toNano("0.2").toString(),
    body: body.toBoc().toString("base64"),
    status: true,
  });
  expect(status).toMatchObject({ status: "completed" });
  impersonated = tx_hash;
  const { traces } = await client.v3.traces({ tx_hash: [tx_hash], include_actions: true });
  expect(traces[0]).toMatchObject({ trace_info: { trace_state: "complete", pending_messages: 0 } });
  expect(traces[0]!.actions?.map(({ type }) => type)).toContain("jetton_transfer");
});

it("proves balances and messages from the block that the start printed", async () => {
  const verified = createVerifiedClient({ transport, trustedBlock });
  expect(BigInt(await verified.getAddressBalance({ address: ann }))).toBeGreaterThan(0n);
  const { transactions } = await client.v3.transactions({ hash: [impersonated] });
  const checked = await verified.check({ message: transactions[0]!.in_msg! });
  expect(checked).toMatchObject({ impersonated: true });
  verified.close();
});

it("forks the service, where its wallets still have their tokens", async () => {
  const fork = await startDevnet({ fork: { url } });
  const forked = createClient({ transport: http(`${fork.url}/jsonRPC`) });
  const { jetton_wallets, found } = await forked.v3.jetton.wallets({ owner_address: [ann] });
  expect(jetton_wallets.map(({ address }) => address)).toContain(annsJettons);
  expect(found?.by).toContain("v3");
  forked.close();
  await fork.close();
});
