import { toNano } from "@ton/core";
import { mnemonicToPrivateKey } from "@ton/crypto";
import { WalletContractV4 } from "@ton/ton";
import { type RunningDevnet, startDevnet } from "tonwire/devnet";
import { TonClient } from "tonwire/ton";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Counter } from "../src/counter.js";

let devnet: RunningDevnet;
let client: TonClient;

beforeAll(async () => {
  devnet = await startDevnet({ index: false });
  client = new TonClient({ endpoint: `${devnet.url}/api/v2/jsonRPC` });
}, 60_000);
afterAll(async () => {
  client.close();
  await devnet.close();
});

it("counts", async () => {
  const { mnemonic } = devnet.wallets.find(({ type }) => type === "v4r2")!;
  const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic.split(" "));
  const sender = client.open(WalletContractV4.create({ workchain: 0, publicKey })).sender(secretKey);
  const counter = client.open(new Counter(1));
  await counter.sendDeploy(sender, toNano("0.1"));
  expect(await counter.getCount()).toBe(0n);
  await counter.sendIncrease(sender, toNano("0.05"));
  expect(await counter.getCount()).toBe(1n);
});
