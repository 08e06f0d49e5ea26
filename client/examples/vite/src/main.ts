import "./buffer.js";
import "./style.css";
import { openContract, toNano } from "@ton/core";
import { fromNano, isRpcError, nano } from "tonwire";
import { contractProvider } from "tonwire/ton";
import { client } from "./client.js";
import { Counter } from "./counter.js";
import { connect, connector, reconnect, sender } from "./wallet.js";

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const show = (id: string, text: string) => {
  element(id).textContent = text;
};

const id = Number(new URLSearchParams(location.search).get("id") ?? 0);
const counter = openContract(new Counter(id), ({ address, init }) => contractProvider(client, address, init));

/** Shows the counter, which is 0 until the first message deploys it, and the wallet's balance. */
async function refresh(): Promise<void> {
  const { state } = await client.getAddressInformation({ address: counter.address.toString() });
  show("count", state === "active" ? String(await counter.getCount()) : "0");
  const address = connector.account?.address;
  if (address) show("balance", fromNano(nano(await client.getAddressBalance({ address }))));
}

/** Runs what a button does; buttons wait for each other. */
async function act(action: () => Promise<unknown>): Promise<void> {
  const buttons = [element<HTMLButtonElement>("connect"), element<HTMLButtonElement>("increase")];
  for (const button of buttons) button.disabled = true;
  show("state", "…");
  try {
    await action();
    await refresh();
    show("state", "");
  } catch (error) {
    show("state", isRpcError(error) ? error.shortMessage : String(error));
  }
  const isConnected = connector.connected;
  buttons[0]!.disabled = isConnected;
  buttons[1]!.disabled = !isConnected;
  show("wallet", connector.account?.address ?? "none");
}

element("connect").addEventListener("click", () => act(connect));
element("increase").addEventListener("click", () => act(() => counter.sendIncrease(sender, toNano("0.05"))));
act(reconnect);
