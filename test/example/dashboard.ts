// A live view of a devnet, built on the client alone. The query has the service's address and the key:
// ?service=http://127.0.0.1:8081&key=...
import { createClient, fromNano, http, isRpcError, nano, toNano } from "../../client/index.js";

const query = new URLSearchParams(location.search);
const everyMs = 1000;

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const show = (id: string, text: string | number) => {
  element(id).textContent = String(text);
};

let calls = 0;
let requests = 0;
const countedFetch: typeof fetch = (...args) => {
  requests++;
  return fetch(...args);
};
const client = createClient({
  transport: http(`${query.get("service") ?? location.origin}/jsonRPC`, { fetch: countedFetch }),
  apiKey: query.get("key") ?? undefined,
  // A failed poll is followed by another one.
  retry: false,
});

/** Counts a call; concurrent calls are still sent as one request. */
function counted<T>(answer: Promise<T>): Promise<T> {
  calls++;
  return answer;
}

function fill(id: string, rows: readonly (readonly string[])[]): void {
  element(id).replaceChildren(
    ...rows.map((cells) => {
      const row = document.createElement("tr");
      for (const text of cells) {
        const cell = row.insertCell();
        cell.textContent = text;
        if (/^\d+(\.\d+)?$/.test(text)) cell.className = "number";
        // Truncated on small screens; shown completely on hover, and copied completely.
        if (/^-?\d:/.test(text)) [cell.className, cell.title] = ["address", text];
      }
      return row;
    }),
  );
}

type Wallet = { readonly address: string; readonly type: string };

async function showWallets(wallets: readonly Wallet[]): Promise<void> {
  const balances = await Promise.all(
    wallets.map(({ address }) => counted(client.getAddressBalance({ address }))),
  );
  fill(
    "wallets",
    wallets.map(({ type, address }, n) => [type, address, fromNano(nano(balances[n]!))]),
  );
}

async function showTransactions(wallets: readonly Wallet[]): Promise<void> {
  const lists = await Promise.all(
    wallets.map(({ address }) => counted(client.getTransactions({ address, limit: 5 }))),
  );
  const newest = lists
    .flatMap((list, n) => list.map((transaction) => ({ ...transaction, of: wallets[n]!.address })))
    .sort((a, b) => Number(nano(b.transaction_id.lt) - nano(a.transaction_id.lt)))
    .slice(0, 10);
  fill(
    "transactions",
    newest.map(({ utime, of, transaction_id: { lt }, in_msg: message }) => [
      new Date(utime * 1000).toLocaleTimeString(),
      of,
      lt,
      fromNano(nano(message?.value ?? "0")),
    ]),
  );
}

async function send(wallets: readonly Wallet[]): Promise<void> {
  const button = element<HTMLButtonElement>("button");
  button.disabled = true;
  show("sent", "sending …");
  try {
    const amount = String(toNano(element<HTMLInputElement>("amount").value));
    const address = element<HTMLSelectElement>("receiver").value;
    const { block } = await counted(client.devnet.faucet({ address, amount }));
    show("sent", `arrived by block ${block.seqno}`);
  } catch (error) {
    show("sent", inWords(error));
  }
  button.disabled = false;
  await Promise.all([showWallets(wallets), showTransactions(wallets)]);
}

function inWords(error: unknown): string {
  return isRpcError(error) ? `${error.code}: ${error.shortMessage}` : String(error);
}

async function meet(): Promise<readonly Wallet[]> {
  const { wallets } = await counted(client.devnet.info());
  element("receiver").replaceChildren(
    ...wallets.map(({ address, type }) => new Option(`${type} ${address.slice(0, 10)}…`, address)),
  );
  element("send").addEventListener("submit", (event) => {
    event.preventDefault();
    // A failure here repeats in the next poll and is shown there.
    send(wallets).catch(() => {});
  });
  return wallets;
}

let wallets: readonly Wallet[] | undefined;
let seen = -1;
async function look(): Promise<void> {
  wallets ??= await meet();
  const { last } = await counted(client.getMasterchainInfo());
  if (last.seqno === seen) return;
  await Promise.all([showWallets(wallets), showTransactions(wallets)]);
  seen = last.seqno;
  show("seqno", seen);
}

/** Polls forever; values are marked as stale while the service does not answer. */
async function turn(): Promise<void> {
  try {
    await look();
    show("state", "live");
    document.body.className = "";
  } catch (error) {
    show("state", inWords(error));
    document.body.className = "lost";
  }
  show("calls", calls);
  show("requests", requests);
  setTimeout(turn, everyMs);
}

turn();
