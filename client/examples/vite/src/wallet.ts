import { beginCell, type Cell, type Sender, storeStateInit } from "@ton/core";
import { TonConnect } from "@tonconnect/sdk";
import { cellHash } from "tonwire/values";
import { watch } from "tonwire/watch";
import { client } from "./client.js";

export const connector = new TonConnect({
  manifestUrl: `${location.origin}/tonconnect-manifest.json`,
  analytics: { mode: "off" },
});

/** On a devnet, offer one of its test wallets as if it were installed in this browser. */
const testWallet =
  import.meta.env.DEV || import.meta.env["VITE_DEVNET_WALLET"] ? injectTestWallet() : undefined;

async function injectTestWallet(): Promise<string | undefined> {
  try {
    const { injectDevnetWallet } = await import("tonwire/devnet/wallet");
    return (await injectDevnetWallet({ client })).key;
  } catch (error) {
    console.info("There is no test wallet:", error);
    return undefined;
  }
}

/** Connects the wallet that was connected when the page was open before. */
export async function reconnect(): Promise<void> {
  await testWallet;
  await connector.restoreConnection();
}

/** Connects a wallet in this browser. */
export async function connect(): Promise<void> {
  const jsBridgeKey = (await testWallet) ?? (await installedWallet());
  await new Promise<void>((resolve, reject) => {
    const stop = connector.onStatusChange(() => {
      stop();
      resolve();
    }, reject);
    connector.connect({ jsBridgeKey });
  });
}

async function installedWallet(): Promise<string> {
  for (const wallet of await connector.getWallets())
    if ("jsBridgeKey" in wallet && wallet.injected) return wallet.jsBridgeKey;
  throw new Error("this browser has no TON wallet");
}

const base64 = (cell: Cell) => cell.toBoc().toString("base64");

/** Sends by the connected wallet; resolves once all transactions that follow from the message have happened. */
export const sender: Sender = {
  async send({ to, value, bounce, init, body }) {
    const message = {
      address: to.toString({ bounceable: bounce ?? true }),
      amount: String(value),
      ...(init && { stateInit: base64(beginCell().store(storeStateInit(init)).endCell()) }),
      ...(body && { payload: base64(body) }),
    };
    const validUntil = Math.floor(Date.now() / 1000) + 300;
    const { boc } = await connector.sendTransaction({ validUntil, messages: [message] });
    for await (const { message } of watch(client).message(await cellHash({ cell: boc })))
      if (message.status === "completed") return;
    throw new Error("the message was not carried out");
  },
};
