// Deploys a counter and increases it once: npm run deploy
//
// TON_URL          the service; default: a devnet on this machine, http://127.0.0.1:8081
// TON_KEY          its API key, if it wants one
// WALLET_MNEMONIC  words of the wallet that pays; default: Cleo's of the devnet
// WALLET_VERSION   v4r2 or v5r1; default: v4r2
// COUNTER_ID       each number is another counter; default: 0
import { type OpenedContract, toNano } from "@ton/core";
import { mnemonicToPrivateKey } from "@ton/crypto";
import { WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { createClient, http } from "tonwire";
import { TonClient } from "tonwire/ton";
import { Counter } from "../src/counter.js";

const {
  TON_URL = "http://127.0.0.1:8081",
  TON_KEY,
  WALLET_MNEMONIC,
  WALLET_VERSION = "v4r2",
  COUNTER_ID = "0",
} = process.env;

const client = createClient({ transport: http(new URL("/jsonRPC", TON_URL).href), apiKey: TON_KEY });
const ton = new TonClient({ client });

/** The words of a devnet's wallet, which are public. */
async function devnetWords(): Promise<string> {
  const { wallets } = await client.devnet.info();
  const wallet = wallets.find(({ type }) => type === WALLET_VERSION);
  if (!wallet)
    throw new Error(`the devnet has no wallet ${WALLET_VERSION}: set WALLET_VERSION to v4r2 or v5r1`);
  return wallet.mnemonic;
}

const { publicKey, secretKey } = await mnemonicToPrivateKey(
  (WALLET_MNEMONIC ?? (await devnetWords())).split(" "),
);
const wallet =
  WALLET_VERSION === "v5r1"
    ? WalletContractV5R1.create({ publicKey })
    : WalletContractV4.create({ workchain: 0, publicKey });
const sender = ton.open(wallet).sender(secretKey);
const counter: OpenedContract<Counter> = ton.open(new Counter(Number(COUNTER_ID)));

/** Waits until a condition holds; a network needs some seconds for a block. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let second = 0; second < 60; second++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error(`after a minute there is no ${what}`);
}

const isDeployed = () => ton.isContractDeployed(counter.address);
const count = async () => ((await isDeployed()) ? counter.getCount() : 0n);

const before = await count();
await counter.sendIncrease(sender, toNano("0.05"));
await until("increased counter", async () => (await count()) > before);
console.log(`${counter.address} counts ${await count()}`);
client.close();
